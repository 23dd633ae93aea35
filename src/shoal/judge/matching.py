"""Which rows of the original the released rows may be, where some are missing or the order is another one.

A release is true if its rows can be assigned to different rows of the original so that every cell covers its own and every column that
was kept is equal. In the original's order, the earliest rows that fit are such an assignment if there is any. In any order it is a flow:
from the kinds of released rows, through the kinds of original rows that they cover, no more than there are of each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal.judge.covering import KindColumn, cover, kinds_of, numbers, spread
from shoal.judge.reading import Booleans, Longs

WINDOW = 1024
MOST_TRIED = 500_000_000
"""Kinds of released rows times kinds of rows that were left out: beyond this it is not found out which ones those must be."""


@dataclass(frozen=True, eq=False)
class MatchedColumn:
    """A quasi-identifier on both sides."""

    place: Longs
    """The value of each original row, by its place among the column's values."""
    label: Longs
    """The label of each released row, by its number."""
    covers: Booleans
    """Whether each label (first axis) may stand for each value."""


@dataclass(frozen=True, eq=False)
class Sides:
    """Both tables: their quasi-identifiers, and what must be equal in both as one number per row."""

    columns: Sequence[MatchedColumn]
    same_before: Longs
    same_after: Longs

    @property
    def n_before(self) -> int:
        return len(self.same_before)

    @property
    def n_after(self) -> int:
        return len(self.same_after)

    def reversed(self) -> Sides:
        """Both tables from the last row to the first."""
        columns = [MatchedColumn(c.place[::-1], c.label[::-1], c.covers) for c in self.columns]
        return Sides(columns, self.same_before[::-1], self.same_after[::-1])

    def fits(self, before: Longs, after: Longs) -> Booleans:
        """Whether each of some original rows may be the released row beside it."""
        found: Booleans = self.same_before[before] == self.same_after[after]
        for column in self.columns:
            found &= column.covers[column.label[after], column.place[before]]
        return found


def numbered(before: Sequence[pl.Series], after: Sequence[pl.Series]) -> tuple[Longs, Longs]:
    """Rows that are equal in all of some columns get one number, on both sides."""
    if not before:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    frames = [pl.DataFrame([s.alias(f"c{j}") for j, s in enumerate(side)]) for side in (before, after)]
    both = pl.concat(frames, how="vertical_relaxed")
    kinds = both.unique(maintain_order=True).with_row_index("kind")
    number = both.join(kinds, on=frames[0].columns, how="left", nulls_equal=True, maintain_order="left")["kind"].to_numpy().astype(np.int64)
    return number[: len(before[0])], number[len(before[0]) :]


def in_order(sides: Sides) -> Longs | None:
    """The earliest original rows, in their order, that the released rows may be; None if there are none."""
    found = np.empty(sides.n_after, dtype=np.int64)
    row, at, window = 0, 0, WINDOW
    while row < sides.n_after:
        n = min(window, sides.n_after - row, sides.n_before - at)
        if n <= 0:
            return None
        after, before = np.arange(row, row + n), np.arange(at, at + n)
        fits = sides.fits(before, after)
        good = int(np.argmin(fits)) if not fits.all() else n
        found[row : row + good] = before[:good]
        row, at = row + good, at + good
        window = min(2 * window, WINDOW) if good == n else 16
        if good < n:
            at += _first_fit(sides, row, at)
            if at >= sides.n_before:
                return None
    return found


def _first_fit(sides: Sides, row: int, at: int) -> int:
    """How many original rows must be passed over until one fits a released row."""
    passed, width = 0, 16
    while at + passed < sides.n_before:
        before = np.arange(at + passed, min(at + passed + width, sides.n_before))
        fits = sides.fits(before, np.full(len(before), row))
        if fits.any():
            return passed + int(np.argmax(fits))
        passed, width = passed + len(before), min(2 * width, 65536)
    return passed


def in_any_order(sides: Sides) -> Longs | None:
    """Different original rows that the released rows may be, in any order; None if there are none."""
    before, after = np.unique(sides.same_before, return_counts=True), np.unique(sides.same_after, return_counts=True)
    at = np.searchsorted(before[0], after[0]).clip(max=len(before[0]) - 1)
    if (before[0][at] != after[0]).any() or (before[1][at] < after[1]).any():
        return None
    originals = kinds_of(sides.same_before, [c.place for c in sides.columns])
    shown = kinds_of(sides.same_after, [c.label for c in sides.columns])
    columns = [KindColumn(c.place[originals.first], c.label[shown.first], c.covers) for c in sides.columns]
    amounts = cover(columns, shown, originals)
    return None if amounts is None else spread(amounts, shown, originals)


def is_certain(sides: Sides, rows: Longs) -> bool:
    """Whether only these original rows, or equal ones, can be the released ones in any order: no row that was left out could take the place
    of a released one that differs from it. Where there are too many kinds of rows to look at, it is not certain."""
    lacking = np.setdiff1d(np.arange(sides.n_before), rows)
    if not len(lacking):
        return True
    kind = numbers([*(c.place for c in sides.columns), sides.same_before])
    shown = numbers([*(c.label for c in sides.columns), sides.same_after])
    kinds, first = np.unique(kind[lacking], return_index=True)
    if len(kinds) * (int(shown.max(initial=0)) + 1) > MOST_TRIED:
        return False
    some = lacking[first]
    for members in _by(shown).values():
        fits = sides.fits(some, np.full(len(some), members[0]))
        if fits.any() and len(np.union1d(kinds[fits], kind[rows[members]])) > 1:
            return False
    return True


def _by(number: Longs) -> dict[int, Longs]:
    """The rows of each number."""
    order = np.argsort(number, kind="stable")
    values, start = np.unique(number[order], return_index=True)
    return dict(zip(values.tolist(), np.split(order, start[1:]), strict=True))
