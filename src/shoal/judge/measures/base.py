"""What a measure is to the verifier, and what it knows of a released label.

A measure is declared in two files: ``measures/`` has what the solver minimises, by arrays over the nodes of a tree; here is what a cell costs, from what its
label was read as, and the same in fractions for the checker of proofs. The two share no code; ``tests/house`` tests that.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from shoal import registry
from shoal.judge.measures import CATALOG
from shoal.judge.measures.exact import Bits, Known

Counts = NDArray[np.int64]
Floats = NDArray[np.float64]


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


@dataclass(frozen=True)
class RecountedMeasure:
    """A measure of the loss of single cells, as it is recounted."""

    name: str
    recount: Callable[[LabelSet, Recounted], float]
    """What a cell costs, from what its label was read as."""
    recount_offset: Callable[[Counts, Recounted], Floats] | None = None
    """What to subtract for values of given counts; None for zero."""
    is_monotone: bool = True
    """Whether a superset never costs less, on every tree and table."""
    floor: Callable[[Known], Fraction] | None = None
    """The price of a node in exact fractions and never above it, for the checker of proofs; None: bounds have no proof file."""
    offset_ceiling: Callable[[int, Bits], Fraction] | None = None
    """The offset of a value from its count and its column's entropy, never below the true one; needed beside ``floor`` where there is an offset."""
    superset_floor: Callable[[Known, Counts], Fraction] | None = None
    """Where it is not monotone: the least price of a set that holds some values and any others, from their counts in falling order;
    never above the true one. None: with this measure, a column that is generalized freely has no proof."""

    @property
    def pays_by_own_value(self) -> bool:
        """Whether rows of one group pay differently, each by its own value."""
        return self.recount_offset is not None

    @property
    def has_proofs(self) -> bool:
        """Whether a checker can recompute its prices."""
        return self.floor is not None and (self.recount_offset is None or self.offset_ceiling is not None)

    @property
    def has_free_proofs(self) -> bool:
        """Whether a checker can tell the least that sets of a freely generalized column cost."""
        return self.has_proofs and (self.is_monotone or self.superset_floor is not None)


@dataclass(frozen=True)
class GroupRecount:
    """A measure of the sizes of the groups."""

    name: str
    total: Callable[[Counts, int, int], float]
    """From group sizes, the number of withheld rows and the number of all rows."""


def definition_of(name: str) -> RecountedMeasure:
    """The measure of a name, as it is recounted."""
    found: RecountedMeasure = registry.find(CATALOG, name, "measure")
    return found
