"""What a proof is about, as data: derived from the original and the policy by :mod:`shoal.release.cases`. Nothing of it is taken from the proof.

Hierarchies come from the builders that the solver's come from, as it is the policy's text that says what they are; which
values a node holds and what it costs is worked out by the checker from the blocks of each level (:mod:`shoal.proof.prices`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.judge.measures.base import RecountedMeasure

Longs = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Ladder:
    """A column's hierarchy: the block of each value on each level, from the value itself up to everything."""

    name: str
    values: tuple[str | None, ...]
    """The values; None is a missing cell."""
    blocks: tuple[Longs, ...]
    """For each level, the block of each value."""
    ends: NDArray[np.float64] | None
    """For intervals of numbers: the lower and the upper end of each block, by the block's number; NaN where it has none."""
    count: Longs
    """How often each value occurs in the table."""
    weight: float
    starred: int | None = None
    """The value that is shown as a star whatever happens: a missing cell that is to be suppressed."""
    free: str | None = None
    """'interval' or 'subset' where a group shows its own interval or set; the blocks then only order the search for what it costs."""


@dataclass(frozen=True, eq=False)
class Different:
    """Every group must hold at least ``least`` different values of a sensitive column; tuple i may have ``values[start[i] : start[i + 1]]``."""

    least: int
    start: Longs
    values: Longs


@dataclass(frozen=True, eq=False)
class Case:
    """The claim to be proved: no release of a table, by these hierarchies and with groups of k, loses less than some number, whichever rows it leaves out of those it may."""

    k: int
    measure: RecountedMeasure
    ladders: tuple[Ladder, ...]
    codes: Longs
    """The distinct tuples of the original, as numbers of values, shape (n_tuples, n_columns)."""
    rows: Longs
    """How many rows carry each tuple."""
    max_withheld: int = 0
    """How many rows a release may leave out at no loss."""
    deletion: bool = False
    """Whether it may leave out any row, at the loss of suppressing it whole."""
    different: Different | None = None
    """What the policy asks of sensitive values, as far as a proof may count on it."""


def fold(leaves: Sequence[Longs]) -> tuple[Longs, Longs, Longs]:
    """Equal rows as one: the distinct tuples, how many rows carry each, and the tuple of each row."""
    frame = pl.DataFrame({f"c{j}": leaf for j, leaf in enumerate(leaves)})
    names = frame.columns
    distinct = frame.group_by(names, maintain_order=True).agg(pl.len().alias("n_rows")).with_row_index("number")
    of_row = frame.join(distinct, on=names, how="left", maintain_order="left")["number"].to_numpy().astype(np.int64)
    codes = np.ascontiguousarray(distinct.select(names).to_numpy().astype(np.int64))
    return codes, distinct["n_rows"].to_numpy().astype(np.int64), of_row
