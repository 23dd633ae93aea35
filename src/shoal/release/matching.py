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
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import maximum_flow

from shoal.release.reading import Booleans, Longs

WINDOW = 1024
MOST_COVERS = 500_000_000
"""Kinds of released rows times kinds of original rows: beyond this a matching is not looked for."""
MOST_EDGES = 20_000_000


class TooLarge(Exception):
    """There are too many different rows for a matching in any order."""


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
    found = np.full(sides.n_after, -1, dtype=np.int64)
    before_by, after_by = _by(sides.same_before), _by(sides.same_after)
    work = 0
    for same, after in after_by.items():
        before = before_by.get(same)
        if before is None or len(before) < len(after):
            return None
        kinds = _kinds([c.place[before] for c in sides.columns]), _kinds([c.label[after] for c in sides.columns])
        work += len(kinds[0].size) * len(kinds[1].size)
        if work > MOST_COVERS:
            raise TooLarge
        chosen = _assign(sides, before, after, *kinds)
        if chosen is None:
            return None
        found[after] = chosen
    return found


def is_certain(sides: Sides, rows: Longs) -> bool:
    """Whether only these original rows, or equal ones, can be the released ones in any order: no row that was left out could take the place
    of a released one that differs from it. Where there are too many kinds of rows to look at, it is not certain."""
    lacking = np.setdiff1d(np.arange(sides.n_before), rows)
    if not len(lacking):
        return True
    kind = _numbers([*(c.place for c in sides.columns), sides.same_before])
    shown = _numbers([*(c.label for c in sides.columns), sides.same_after])
    kinds, first = np.unique(kind[lacking], return_index=True)
    if len(kinds) * (int(shown.max(initial=0)) + 1) > MOST_COVERS:
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


@dataclass(frozen=True, eq=False)
class _Kinds:
    """Rows that are alike: one of each kind, how many there are, and all of them kind by kind."""

    first: Longs
    size: Longs
    order: Longs
    start: Longs


def _numbers(columns: Sequence[Longs]) -> Longs:
    """One number for rows that are equal in all columns."""
    number = np.zeros(len(columns[0]), dtype=np.int64)
    for column in columns:
        number = np.unique(number * (int(column.max(initial=0)) + 1) + column, return_inverse=True)[1].reshape(-1)
    return number


def _kinds(columns: Sequence[Longs]) -> _Kinds:
    number = _numbers(columns)
    order = np.argsort(number, kind="stable")
    size = np.bincount(number)
    start = np.concatenate([[0], np.cumsum(size)])
    return _Kinds(order[start[:-1]], size, order, start)


def _assign(sides: Sides, before: Longs, after: Longs, originals: _Kinds, shown: _Kinds) -> Longs | None:
    """Original rows for the released rows of one block, in which all that must be equal is."""
    packed = [np.packbits(c.covers[:, c.place[before[originals.first]]], axis=1) for c in sides.columns]
    rows, cols, wide = [], [], np.zeros(len(shown.size), dtype=bool)
    n_edges = 0
    for i, one in enumerate(shown.first.tolist()):
        bits = packed[0][sides.columns[0].label[after[one]]]
        for column, masks in zip(sides.columns[1:], packed[1:], strict=True):
            bits = bits & masks[column.label[after[one]]]
        reach = np.flatnonzero(np.unpackbits(bits, count=len(originals.size)))
        if len(reach) == len(originals.size):
            wide[i] = True  # it may be any row: it takes what the others leave
            continue
        if int(originals.size[reach].sum()) < int(shown.size[i]):
            return None
        n_edges += len(reach)
        if n_edges > MOST_EDGES:
            raise TooLarge
        rows.append(np.full(len(reach), i))
        cols.append(reach)
    flow = _flow(np.concatenate(rows), np.concatenate(cols), shown.size * ~wide, originals.size) if rows else ()
    return None if flow is None else _spread(flow, originals, shown, wide, before)


def _flow(rows: Longs, cols: Longs, supply: Longs, capacity: Longs) -> tuple[Longs, Longs, Longs] | None:
    """How many rows of each kind go to each kind of original rows; None if not all can."""
    n, m = len(supply), len(capacity)
    source, sink = n + m, n + m + 1
    limit = np.minimum(supply[rows], capacity[cols])
    give, take = np.flatnonzero(supply), np.flatnonzero(capacity)
    tail = np.concatenate([rows, np.full(len(give), source), n + take])
    head = np.concatenate([n + cols, give, np.full(len(take), sink)])
    amount = np.concatenate([limit, supply[give], capacity[take]]).astype(np.int32)
    graph = coo_array((amount, (tail, head)), shape=(n + m + 2, n + m + 2)).tocsr()
    found = maximum_flow(graph, source, sink)
    if found.flow_value < int(supply.sum()):
        return None
    flow = found.flow.tocoo()
    used = (flow.data > 0) & (flow.row < n)
    return flow.row[used].astype(np.int64), flow.col[used].astype(np.int64) - n, flow.data[used].astype(np.int64)


def _spread(flow: tuple[()] | tuple[Longs, Longs, Longs], originals: _Kinds, shown: _Kinds, wide: Booleans, before: Longs) -> Longs:
    """From amounts to rows; what may be any row takes those that are left."""
    chosen = np.full(len(shown.order), -1, dtype=np.int64)
    given, taken = shown.start[:-1].copy(), originals.start[:-1].copy()
    for i, j, amount in zip(*(part.tolist() for part in flow), strict=True) if flow else ():
        chosen[shown.order[given[i] : given[i] + amount]] = before[originals.order[taken[j] : taken[j] + amount]]
        given[i] += amount
        taken[j] += amount
    free: NDArray[np.bool_] = np.zeros(len(before), dtype=bool)
    for j in range(len(originals.size)):
        free[originals.order[taken[j] : originals.start[j + 1]]] = True
    left = before[free]
    open_rows = np.flatnonzero(chosen < 0)
    chosen[open_rows] = left[: len(open_rows)]
    return chosen
