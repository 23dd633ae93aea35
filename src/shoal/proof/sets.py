"""The walk over sets of rows, for the checker: are there k rows whose prices add up to more than k times what a group with them pays?

It needs no boxes, so columns may show any interval or any subset, and there may be many of them. Rows are numbered by falling price. A set is
met at its first row, its anchor, and grows by one row at a time, in the order of their numbers; every row that its cells hold comes in as well. A set
is dropped with all that it can grow into

- when the k highest prices in it and among the rows that may still come in are no more than k times what it pays;
- when it holds a row that was passed over before, or one before its anchor: the same rows are met elsewhere.

A row that would make the set pay more than those k highest prices can never come in. Every number is an integer. Many sets are looked at together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.proof.cells import Cells
from shoal.proof.walk import TooLong

Longs = NDArray[np.int64]
Mask = NDArray[np.bool_]
MOST_TUPLES, MOST_WORK = 32_000, 4_000_000_000
"""Distinct rows whose pairs are compared, and rows of sets that are looked at, before the walk is given up."""
AT_ONCE = 1 << 20
"""Rows of sets that are looked at together."""
PAIRS_AT_ONCE = 1 << 22
"""Pairs of rows that are looked at together."""
LARGEST_PAIRS = 1_500
"""Columns of up to so many values get a table of what pairs of values cost."""


@dataclass(frozen=True, eq=False)
class RowLists:
    """Lists of rows that lie end to end."""

    items: Longs
    start: Longs
    """Where each begins, and where the last ends."""

    @classmethod
    def of_owners(cls, owner: Longs, items: Longs, n: int) -> RowLists:
        """From items and the list of each, in order."""
        return cls(items, np.searchsorted(owner, np.arange(n + 1)))

    def __len__(self) -> int:
        return len(self.start) - 1

    @property
    def length(self) -> Longs:
        return np.diff(self.start)

    @property
    def owner(self) -> Longs:
        return np.repeat(np.arange(len(self)), self.length)

    def places(self, which: Longs, first: Longs | int = 0, last: Longs | None = None) -> tuple[Longs, Longs]:
        """For some lists, each from and up to a place of it: the places of its items, and the number of the list as asked."""
        begin = self.start[which] + first
        length = np.maximum((self.start[which + 1] if last is None else self.start[which] + last) - begin, 0)
        owner = np.repeat(np.arange(len(which)), length)
        before = np.cumsum(length) - length
        return np.arange(length.sum()) - before[owner] + begin[owner], owner


@dataclass(frozen=True, eq=False)
class RowSets:
    """Sets of rows that may grow."""

    cells: list[Longs]
    """For each column, the cell of each set."""
    paid: Longs
    """What each of their rows pays."""
    inside: RowLists
    outside: RowLists
    """The rows that may come in."""
    cost: Longs
    """For each row outside, what the set would pay with it."""
    passed: RowLists
    """Rows that may not come in any more."""


def count_overcharged(codes: Longs, rows: Longs, price: Longs, columns: Sequence[Cells], k: int) -> int:
    """How many sets of rows were met whose k highest prices add up to more than k times what the set pays; the walk ends with the first."""
    if int(rows.sum()) < k:
        return 0
    if len(price) > MOST_TUPLES:
        raise TooLong
    order = np.argsort(-price, kind="stable")
    walk = WalkOverSets([np.ascontiguousarray(codes[order, j]) for j in range(len(columns))], rows[order], price[order], columns, k)
    n_priced = int(np.count_nonzero(price > 0))  # a set without a price is not overcharged
    step = max(PAIRS_AT_ONCE // len(price), 1)
    for first in range(0, n_priced, step):
        found, sets = walk.anchored(np.arange(first, min(first + step, n_priced), dtype=np.int64))
        found = found or walk.below(sets)
        if found:
            return found
    return 0


class WalkOverSets:
    """The walk over sets: rows are tuples, numbered by falling price, each standing for as many rows as it has."""

    def __init__(self, codes: list[Longs], rows: Longs, price: Longs, columns: Sequence[Cells], k: int) -> None:
        self.work = 0
        self.codes, self.rows, self.y, self.columns, self.k = codes, np.minimum(rows, k), price, columns, k
        self.pairs = [pair_table(column, leaves) for column, leaves in zip(columns, codes, strict=True)]
        self.own = np.zeros(len(price), dtype=np.int64)
        for column, leaves in zip(columns, codes, strict=True):
            self.own += column.price(column.own(leaves))
        spread = [float(self.distance(j, np.zeros(1, dtype=np.int64), np.arange(len(price))).mean()) for j in range(len(columns))]
        self.order = sorted(range(len(columns)), key=lambda j: -spread[j])

    def distance(self, j: int, one: Longs, other: Longs) -> Longs:
        """What a set with two rows costs in a column."""
        table, leaves = self.pairs[j], self.codes[j]
        if table is not None:
            return table[leaves[one], leaves[other]]
        column = self.columns[j]
        one, other = np.broadcast_arrays(one, other)
        return column.price(column.join(column.own(leaves[one].reshape(-1)), leaves[other].reshape(-1))).reshape(one.shape)

    # ---- anchors ----

    def anchored(self, anchors: Longs) -> tuple[int, RowSets]:
        """The sets of one row each, with the rows that may come in; and how many are overcharged as they are."""
        anchor, near, cost = self.pairs_below(anchors)
        is_after = near > anchors[anchor]
        own = RowLists(anchors, np.arange(len(anchors) + 1))
        after = RowLists.of_owners(anchor[is_after], near[is_after], len(anchors))
        start = [column.own(leaves[anchors]) for column, leaves in zip(self.columns, self.codes, strict=True)]
        before = RowLists.of_owners(anchor[~is_after], near[~is_after], len(anchors))
        found, sets, _ = self.thinned(RowSets(start, self.own[anchors], own, after, cost[is_after], before))
        return found, sets

    def pairs_below(self, anchors: Longs) -> tuple[Longs, Longs, Longs]:
        """The pairs of an anchor and another row that cost less than the anchor's price: the anchor's place, the row, and what the two cost.

        What the anchor's own values cost counts from the beginning, so that pairs that cost too much are seen early.
        """
        n, limit = len(self.y), self.y[anchors]
        dense = np.repeat(self.own[anchors][:, None], n, axis=1)
        for j in self.order[:2]:
            dense += self.distance(j, anchors[:, None], np.arange(n)[None, :]) - self.distance(j, anchors, anchors)[:, None]
        dense[np.arange(len(anchors)), anchors] = limit  # not with itself
        anchor, near = np.nonzero(dense < limit[:, None])
        cost = dense[anchor, near]
        for j in self.order[2:]:
            cost = cost + self.distance(j, anchors[anchor], near) - self.distance(j, anchors, anchors)[anchor]
            keep = cost < limit[anchor]
            anchor, near, cost = anchor[keep], near[keep], cost[keep]
        return anchor, near, cost

    # ---- growing ----

    def below(self, sets: RowSets) -> int:
        """Overcharged sets that some sets can grow into."""
        for part in portions(sets):
            if self.work > MOST_WORK:
                raise TooLong
            found, grown = self.grow(part)
            found = found or (self.below(grown) if len(grown.paid) else 0)
            if found:
                return found
        return 0

    def grow(self, sets: RowSets) -> tuple[int, RowSets]:
        """Each set with each row that may come in, those before it being passed over."""
        parent, at, limit = self.worth_it(sets)
        came, paid = sets.outside.items[at], sets.cost[at]
        place = at - sets.outside.start[parent]
        cells = [column.join(cell[parent], leaves[came]) for column, cell, leaves in zip(self.columns, sets.cells, self.codes, strict=True)]
        others, child = sets.outside.places(parent, place + 1)
        rows, cost, is_in = self.priced(sets.outside.items[others], child, cells, paid, limit)
        left = rows >= 0
        child, rows, cost, is_in = child[left], rows[left], cost[left], is_in[left]
        old, of_old = sets.inside.places(parent)
        inside = merged(
            len(parent),
            (of_old, sets.inside.items[old]),
            (np.arange(len(parent)), came),
            (child[is_in], rows[is_in]),
        )
        outside = RowLists.of_owners(child[~is_in], rows[~is_in], len(parent))
        nothing = RowLists.of_owners(NONE, NONE, len(parent))
        found, grown, kept = self.thinned(RowSets(cells, paid, inside, outside, cost[~is_in], nothing))
        if found:
            return found, grown
        passed = self.passed_over(sets, parent[kept], place[kept])
        return 0, self.not_elsewhere(grown, passed)

    def worth_it(self, sets: RowSets) -> tuple[Longs, Longs, Longs]:
        """The sets and the places of rows outside that may lead to an overcharged set, and the most that k prices can add up to there.

        Once rows are passed over, no price outside is above that of the row that comes in.
        """
        inside, outside, n = sets.inside, sets.outside, len(self.y)
        counted = self.counted(inside)
        sums, sizes = running(counted * self.y[inside.items]), running(counted)
        parent = outside.owner
        first = inside.start[parent]
        dearer = np.searchsorted(inside.owner * n + inside.items, parent * n + outside.items)
        limit = sums[dearer] - sums[first] + (self.k - (sizes[dearer] - sizes[first])) * self.y[outside.items]
        keep = np.flatnonzero(self.k * sets.cost < limit)
        return parent[keep], keep, limit[keep]

    def priced(self, rows: Longs, child: Longs, cells: list[Longs], paid: Longs, limit: Longs) -> tuple[Longs, Longs, Mask]:
        """What each set pays with each row, -1 for rows that cost too much; and whether the set holds the row already."""
        self.work += len(rows) + len(child)
        cost, is_in, left = paid[child], np.ones(len(rows), dtype=bool), np.arange(len(rows))
        for j in self.order:
            column, cell = self.columns[j], cells[j][child[left]]
            joined = column.join(cell, self.codes[j][rows[left]])
            new = np.flatnonzero(joined != cell)
            is_in[left[new]] = False
            cost[left[new]] += column.price(joined[new]) - column.price(cell[new])
            left = left[self.k * cost[left] < limit[child[left]]]
        kept = np.full(len(rows), -1, dtype=np.int64)
        kept[left] = rows[left]
        return kept, cost, is_in

    def passed_over(self, sets: RowSets, parent: Longs, place: Longs) -> RowLists:
        """For each grown set, the rows that may not be in it."""
        old, of_old = sets.passed.places(parent)
        new, of_new = sets.outside.places(parent, 0, place)
        return merged(len(parent), (of_old, sets.passed.items[old]), (of_new, sets.outside.items[new]))

    def not_elsewhere(self, sets: RowSets, passed: RowLists) -> RowSets:
        """The sets that hold none of the rows that were passed over."""
        row, owner = passed.items, passed.owner
        for j in self.order:
            column, cell = self.columns[j], sets.cells[j][owner]
            held = column.join(cell, self.codes[j][row]) == cell
            row, owner = row[held], owner[held]
        keep = np.ones(len(sets.paid), dtype=bool)
        keep[owner] = False
        return chosen(RowSets(sets.cells, sets.paid, sets.inside, sets.outside, sets.cost, passed), np.flatnonzero(keep))

    # ---- dropping ----

    def thinned(self, sets: RowSets) -> tuple[int, RowSets, Longs]:
        """Without rows that would cost too much, and without sets that cannot grow into an overcharged one; which sets are left."""
        sums, sizes = self.highest(sets.inside)
        if ((sums > self.k * sets.paid) & (sizes == self.k)).any():
            return 1, sets, NONE
        left = np.arange(len(sets.paid))
        while len(left):
            n = len(sets.paid)
            both = merged(n, (sets.inside.owner, sets.inside.items), (sets.outside.owner, sets.outside.items))
            sums, sizes = self.highest(both)
            able = np.flatnonzero((sums > self.k * sets.paid) & (sizes == self.k) & (sets.outside.length > 0))
            may_come = self.k * sets.cost < sums[sets.outside.owner]
            if len(able) == n and may_come.all():
                break
            owner = sets.outside.owner[may_come]
            outside = RowLists.of_owners(owner, sets.outside.items[may_come], n)
            sets = chosen(RowSets(sets.cells, sets.paid, sets.inside, outside, sets.cost[may_come], sets.passed), able)
            left = left[able]
        return 0, sets, left

    def counted(self, lists: RowLists) -> Longs:
        """How many of each item's rows are among the first k of its list."""
        amount = self.rows[lists.items]
        before = running(amount)
        found: Longs = np.clip(self.k - (before[:-1] - before[lists.start[lists.owner]]), 0, amount)
        return found

    def highest(self, lists: RowLists) -> tuple[Longs, Longs]:
        """The sum of the k highest prices of each list, and how many rows there were for it."""
        counted = self.counted(lists)
        return by_list(counted * self.y[lists.items], lists), by_list(counted, lists)


NONE = np.zeros(0, dtype=np.int64)


def pair_table(column: Cells, leaves: Longs) -> NDArray[np.int64] | None:
    """What each pair of values costs; None where there are too many."""
    n = int(leaves.max()) + 1
    if n > LARGEST_PAIRS:
        return None
    used = np.unique(leaves)
    table = np.zeros((n, n), dtype=np.int64)
    one, other = np.repeat(used, len(used)), np.tile(used, len(used))
    table[one, other] = column.price(column.join(column.own(one), other))
    return table


def running(numbers: Longs) -> Longs:
    """Sums of the first 0, 1, 2, … numbers."""
    return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(numbers)])


def by_list(numbers: Longs, lists: RowLists) -> Longs:
    """The sum over each list."""
    sums = running(numbers)
    return sums[lists.start[1:]] - sums[lists.start[:-1]]


def merged(n: int, *parts: tuple[Longs, Longs]) -> RowLists:
    """Lists with the items of several, in order; each part is the list of each item, and the items."""
    owner, items = (np.concatenate([part[i] for part in parts]) for i in (0, 1))
    order = np.lexsort((items, owner))
    return RowLists.of_owners(owner[order], items[order], n)


def chosen(sets: RowSets, which: Longs) -> RowSets:
    """Some of the sets."""
    inside, of_inside = sets.inside.places(which)
    outside, of_outside = sets.outside.places(which)
    passed, of_passed = sets.passed.places(which)
    n = len(which)
    return RowSets(
        [cell[which] for cell in sets.cells],
        sets.paid[which],
        RowLists.of_owners(of_inside, sets.inside.items[inside], n),
        RowLists.of_owners(of_outside, sets.outside.items[outside], n),
        sets.cost[outside],
        RowLists.of_owners(of_passed, sets.passed.items[passed], n),
    )


def portions(sets: RowSets) -> Iterator[RowSets]:
    """The sets in portions that fit memory once they have grown."""
    length = sets.outside.length
    work = np.cumsum(length * (length + sets.inside.length + sets.passed.length))
    begin = 0
    while begin < len(work):
        used = int(work[begin - 1]) if begin else 0
        end = max(int(np.searchsorted(work, used + AT_ONCE)), begin + 1)
        yield chosen(sets, np.arange(begin, end, dtype=np.int64))
        begin = end
