"""What sets of values of one column cost at least, for the walk over sets of rows (:mod:`shoal.proof.sets`).

A set of values is a number, its *cell*: a node of the hierarchy; where a group may show any interval, the lowest and the highest value; where
it may show any subset, one bit for each value. Its price is that of the cheapest set around it that a release may show, in integers rounded
down, so it never falls when values come in.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from shoal.errors import DataError
from shoal.judge.measures.base import RecountedMeasure
from shoal.proof.case import Ladder
from shoal.proof.free import Floors
from shoal.proof.prices import LARGEST, PricedColumn

Longs = NDArray[np.int64]
MOST_INTERVAL, MOST_SUBSET = 1_000, 62
"""A column with more values than this is priced along its stand-in blocks, if it may show any interval, or any subset."""
MOST_TABLED = 16
"""Up to so many values, there is a place for each subset; with more, the subsets that were asked about are kept in order."""
MOST_CHAINED = 400
"""Up to so many values, and a measure that is not monotone, all intervals are priced; with more, the cheapest subset counts."""


class Cells(Protocol):
    """The sets of values of one column."""

    def own(self, leaves: Longs) -> Longs:
        """The cell of each single value."""
        ...

    def join(self, cells: Longs, leaves: Longs) -> Longs:
        """The smallest cell that holds each cell and a value. It is the cell itself just if that holds the value."""
        ...

    def price(self, cells: Longs) -> Longs: ...

    def dearest(self) -> int:
        """No cell costs more than this."""
        ...


def cells_of(ladder: Ladder, column: PricedColumn, measure: RecountedMeasure, shift: int) -> Cells:
    """The cells of a column, priced in units of 2^-shift."""
    n = len(ladder.values)
    if ladder.free == "interval" and n <= MOST_INTERVAL:
        return IntervalCells(ladder, measure, shift)
    if ladder.free == "subset" and n <= MOST_SUBSET:
        return SubsetCells(ladder, measure, shift)
    return NodeCells(column)


class NodeCells:
    """The nodes of a hierarchy."""

    def __init__(self, column: PricedColumn) -> None:
        self.column = column
        self.leaf_of = np.zeros(len(column.level), dtype=np.int64)
        for cut in column.cuts:
            self.leaf_of[cut] = np.arange(len(cut))

    def own(self, leaves: Longs) -> Longs:
        return leaves

    def join(self, cells: Longs, leaves: Longs) -> Longs:
        found = np.full(len(cells), -1, dtype=np.int64)
        inside, level = self.leaf_of[cells], self.column.level[cells]
        for l, cut in enumerate(self.column.cuts):
            above = cut[inside]
            here = (found < 0) & (above == cut[leaves]) & (level <= l)
            found[here] = above[here]
        return found

    def price(self, cells: Longs) -> Longs:
        return self.column.price[cells]

    def dearest(self) -> int:
        return int(self.column.price.max(initial=0))


class IntervalCells:
    """Intervals of values, as low · n + high."""

    def __init__(self, ladder: Ladder, measure: RecountedMeasure, shift: int) -> None:
        self.n = len(ladder.values)
        floors, scale = Floors(ladder, measure), Fraction(ladder.weight) * Fraction(2) ** shift
        last = self.n - int(floors.has_missing)  # a missing cell beside values shows the whole domain
        table = np.full((self.n, self.n), LARGEST, dtype=np.int64)
        exact = floors.of_shown if measure.is_monotone or self.n <= MOST_CHAINED else floors.of_set
        for low in range(last):
            for high in range(low, last):
                table[low, high] = whole_units(exact(np.arange(low, high + 1)), scale)
        if floors.has_missing:
            table[last, last] = whole_units(floors.of_shown(np.array([last])), scale)
            table[:last, last] = whole_units(floors.of_shown(np.arange(self.n)), scale)
        table = np.minimum.accumulate(table, axis=0)
        self.table = np.ascontiguousarray(np.minimum.accumulate(table[:, ::-1], axis=1)[:, ::-1]).reshape(-1)

    def own(self, leaves: Longs) -> Longs:
        return leaves * (self.n + 1)

    def join(self, cells: Longs, leaves: Longs) -> Longs:
        low, high = np.divmod(cells, self.n)
        return np.minimum(low, leaves) * self.n + np.maximum(high, leaves)

    def price(self, cells: Longs) -> Longs:
        return self.table[cells]

    def dearest(self) -> int:
        return int(self.table.reshape(self.n, self.n)[0, -1])


class SubsetCells:
    """Subsets of the values, as bits; each is priced when it is first asked about."""

    def __init__(self, ladder: Ladder, measure: RecountedMeasure, shift: int) -> None:
        self.floors, self.scale = Floors(ladder, measure), Fraction(ladder.weight) * Fraction(2) ** shift
        self.bit = np.left_shift(np.int64(1), np.arange(len(ladder.values), dtype=np.int64))
        self.known = self.prices = np.zeros(0, dtype=np.int64)
        self.table = np.full(1 << len(self.bit), -1, dtype=np.int64) if len(self.bit) <= MOST_TABLED else None

    def own(self, leaves: Longs) -> Longs:
        return self.bit[leaves]

    def join(self, cells: Longs, leaves: Longs) -> Longs:
        return cells | self.bit[leaves]

    def price(self, cells: Longs) -> Longs:
        if self.table is not None:
            found = self.table[cells]
            if (found < 0).any():
                new = np.unique(cells[found < 0])
                self.table[new] = self.asked(new)
                found = self.table[cells]
            return found
        at = np.searchsorted(self.known, cells)
        is_new = at == len(self.known)
        is_new[~is_new] = self.known[at[~is_new]] != cells[~is_new]
        if is_new.any():
            self.learn(np.unique(cells[is_new]))
            at = np.searchsorted(self.known, cells)
        return self.prices[at]

    def learn(self, cells: Longs) -> None:
        both = np.concatenate([self.known, cells])
        order = np.argsort(both, kind="stable")
        self.known, self.prices = both[order], np.concatenate([self.prices, self.asked(cells)])[order]

    def asked(self, cells: Longs) -> Longs:
        found = [whole_units(self.floors.of_set(np.flatnonzero(self.bit & cell)), self.scale) for cell in cells]
        return np.array(found, dtype=np.int64)

    def dearest(self) -> int:
        return int(self.price(np.bitwise_or.reduce(self.bit, keepdims=True))[0])


def whole_units(price: Fraction, scale: Fraction) -> int:
    found = math.floor(price * scale)
    if found >= LARGEST:
        raise DataError("The proof cannot be checked: its unit is too fine for this table.")
    return max(found, 0)
