"""Hierarchies as the verifier knows them: texts, level by level, and how a measure counts them. No tree, no codes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

Rows = Sequence[Sequence[str | None]]


@dataclass(frozen=True, eq=False)
class Texts:
    """A column's hierarchy: ``levels[l]`` holds the label of each leaf on level l; level 0 are the leaves, null for a missing cell."""

    levels: tuple[pl.Series, ...]
    by_width: bool = False
    """Whether LM counts the width of an interval, as for numbers cut into intervals, and not the number of values."""
    numbers: NDArray[np.float64] | None = None
    """What number each leaf is, where LM counts widths; NaN for none."""
    is_free: bool = False
    """Whether groups show their own interval or set: then there are no levels above the leaves."""

    @property
    def height(self) -> int:
        return max(len(self.levels) - 1, 1)


def from_rows(rows: Rows, by_width: bool = False) -> Texts:
    """Rows in ARX's form, as they were given; a root ``*`` is added above them if the last level has several labels."""
    width = max(len(row) for row in rows)
    levels = [pl.Series([row[level] if level < len(row) else None for row in rows], dtype=pl.String) for level in range(width)]
    if width == 1 or levels[-1].n_unique() > 1:
        levels.append(pl.Series(["*"] * len(rows), dtype=pl.String))
    return Texts(tuple(levels), by_width)
