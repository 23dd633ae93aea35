"""What a verifier knows of a released label, for the second definition of a measure.

A measure says twice what a cell costs: by arrays over the nodes of a tree, for the solver (``price``, ``set_price``, ``offset``), and here, from what
a label was read as, for the verifier (``recount``, ``recount_offset``). The two share no code; ``tests/house`` tests that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray


class LabelSet(Protocol):
    """The set of values that a released label stands for."""

    @property
    def n_values(self) -> int: ...

    @property
    def weight(self) -> int:
        """Rows of the original table whose value it holds."""

    @property
    def spent(self) -> float:
        """Σ count · log2(count) over its values."""

    @property
    def level(self) -> int:
        """The lowest level of the hierarchy on which a block holds all of it."""

    @property
    def width(self) -> float | None:
        """For numbers cut into intervals: its share of the domain's width."""


class Recounted(Protocol):
    """The column that the label stands in."""

    @property
    def n_values(self) -> int: ...

    @property
    def n_rows(self) -> int:
        """How many rows the original table has."""

    @property
    def count(self) -> NDArray[np.int64]:
        """How often each of its values occurs in them."""

    @property
    def n_present(self) -> int:
        """How many of its values occur in them."""

    @property
    def height(self) -> int:
        """How many levels its hierarchy has above the values."""

    def everything(self) -> LabelSet:
        """The set of all values."""


def once(of_column: Callable[[Recounted], float]) -> Callable[[Recounted], float]:
    """The same function of a whole column, computed once for each column: every label asks for it, and a column may have a million values."""
    known: WeakKeyDictionary[Recounted, float] = WeakKeyDictionary()

    def remembered(column: Recounted) -> float:
        if column not in known:
            known[column] = of_column(column)
        return known[column]

    return remembered
