"""The walk over all boxes, for the checker: is there one whose k highest prices add up to more than k times what it costs?

The boxes are walked column after column, for many at once. A set of rows is dropped, with all boxes inside of it, when it has
fewer than k rows, or fewer different sensitive values than every group must hold, or when its k highest prices average no more than what its nodes cost so far. What is left after
the last column breaks the claim. Every number is an integer.

Where a proof has cuts (:mod:`shoal.proof.cuts`), a box is broken if any k to 2k − 1 of its rows exceed what they pay by more than the cuts
around it allow. The fewer rows a set has, the more cuts are around it, so that sets are dropped as before.

Two kinds of nodes are skipped. One that costs as much as its parent: the parent holds all its rows at the same price. And one all of whose
rows in the set lie below a child that costs less: the child holds the same rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from shoal.proof.case import Different
from shoal.proof.cuts import Cuts
from shoal.proof.prices import PricedColumn

Longs = NDArray[np.int64]
Part = tuple[Longs, Longs, Longs]
"""Sets of tuples that lie end to end: the tuples, where each set begins, and what the nodes of each cost so far."""
LEAST_WORK, WORK_OF_EACH = 100_000_000, 24_000
"""Rows of boxes that are looked at before the walk is given up, for a table of any size and for each of its tuples: half a minute for 30,000. Proofs of Adult take 1,200 to 2,600."""
AT_ONCE = 1 << 16
"""Rows of boxes that are looked at together: few enough to stay in a cache."""


def count_broken(
    codes: Longs,
    rows: Longs,
    price: Longs,
    columns: Sequence[PricedColumn],
    k: int,
    different: Different | None = None,
    cuts: Cuts | None = None,
) -> int:
    """How many boxes were met whose k highest prices add up to more than k times the price of the box, and the cuts around it; the walk ends with the first."""
    if int(rows.sum()) < k:
        return 0
    order = np.argsort(-price, kind="stable")
    codes, rows, price = codes[order], rows[order], price[order]
    rise = [float(first_rise(column)[codes[:, j]].mean()) for j, column in enumerate(columns)]
    dearest_first = sorted(range(len(columns)), key=lambda j: -rise[j])
    walk = Walk([np.ascontiguousarray(codes[:, j]) for j in dearest_first], [columns[j] for j in dearest_first], rows, price, k)
    if different is not None:
        walk.different = Different(different.least, *taken_in_order(different.start, different.values, order))
    walk.cuts = None if cuts is None else cuts.in_order(order)
    nothing = np.zeros(1, dtype=np.int64)
    return walk.below(0, (np.arange(len(rows), dtype=np.int64), nothing, nothing))


def first_rise(column: PricedColumn) -> Longs:
    """How much more expensive the lowest node above each value is than the value itself."""
    above = column.cuts[-1].copy()
    for cut in reversed(column.cuts):
        above = np.where(column.level[cut] > 0, cut, above)
    return column.price[above] - column.price[: len(above)]


def taken_in_order(start: Longs, values: Longs, order: Longs) -> tuple[Longs, Longs]:
    """Lists that lie end to end, in another order."""
    length = np.diff(start)[order]
    begin = np.cumsum(length) - length
    return np.append(begin, length.sum()), values[np.arange(int(length.sum())) + np.repeat(start[order] - begin, length)]


class TooLong(Exception):
    """The walk takes too much work: nothing is known of the prices."""


class Walk:
    """The walk over all boxes: tuples are numbered by falling price.

    Where leaves cost something by themselves (non-uniform entropy), any k rows pay in each later column at least the mean of
    what their leaves cost; so prices less that (``left``) are compared with what the nodes cost so far.
    """

    def __init__(self, codes: list[Longs], columns: list[PricedColumn], rows: Longs, price: Longs, k: int) -> None:
        self.codes, self.rows, self.k = codes, rows, k
        own = [column.price[leaves] for column, leaves in zip(columns, codes, strict=True)]
        later = np.zeros(len(price), dtype=np.int64)
        self.left: list[Longs] = []
        for leaves_cost in reversed(own):
            self.left.insert(0, price - later)
            later = later + leaves_cost
        self.is_plain = not later.any()
        self.place = [np.argsort(np.argsort(-left, kind="stable"), kind="stable") for left in self.left]
        self.work, self.most_work = 0, max(LEAST_WORK, WORK_OF_EACH * len(rows))
        self.different: Different | None = None
        self.cuts: Cuts | None = None
        self.steps = [[Step(column, level) for level in levels_of(column)] for column in columns]

    def below(self, j: int, part: Part) -> int:
        """Broken boxes inside some sets of tuples, of which the first j columns are fixed."""
        tuples, start, paid = part
        if j == len(self.steps):
            return len(start)
        self.work += len(tuples) * len(self.steps[j])
        if self.work > self.most_work:
            raise TooLong
        of_set = np.repeat(np.arange(len(start)), np.diff(np.append(start, len(tuples))))
        if not self.is_plain:
            tuples = tuples[np.argsort(of_set * len(self.rows) + self.place[j][tuples])]
        leaves, weight, left = self.codes[j][tuples], self.rows[tuples], self.left[j][tuples]
        cuts = None if self.cuts is None else self.cuts.in_order(tuples)
        found = [step.split(leaves, weight, left, of_set, paid, self.k, cuts) for step in self.steps[j]]
        for portion in chunks(tuples, found):
            more = portion if self.different is None else self.diverse(portion, self.different)
            broken = self.below(j + 1, more)
            if broken:  # one is enough
                return broken
        return 0

    def diverse(self, part: Part, asked: Different) -> Part:
        """Of some sets, those that hold as many different values as every group must."""
        tuples, start, paid = part
        _, values = taken_in_order(asked.start, asked.values, tuples)
        of_set = np.repeat(np.arange(len(start)), np.diff(np.append(start, len(tuples))))
        of_value = np.repeat(of_set, np.diff(asked.start)[tuples])
        n_values = int(asked.values.max(initial=0)) + 1
        n_different = np.bincount(np.unique(of_value * n_values + values) // n_values, minlength=len(start))
        return select(n_different >= asked.least, tuples, start, paid)


def levels_of(column: PricedColumn) -> list[int]:
    """The levels that have a node to look at."""
    return [int(level) for level in np.unique(column.level[is_dearer_above(column)])]


def is_dearer_above(column: PricedColumn) -> NDArray[np.bool_]:
    """Which nodes cost less than their parent; the top counts as such."""
    dearer: NDArray[np.bool_] = column.price < column.price[column.parent]
    dearer[-1] = True
    return dearer


class Step:
    """One level of one column: sets are split by its nodes."""

    def __init__(self, column: PricedColumn, level: int) -> None:
        nodes = np.flatnonzero((column.level == level) & is_dearer_above(column))
        number = np.full(len(column.level), -1, dtype=np.int64)
        number[nodes] = np.arange(len(nodes))
        self.number_of = number[column.cuts[level]]
        self.price = column.price[nodes]
        self.child_of = column.cuts[max(level - 1, 0)]
        self.price_of = column.price
        self.is_leaf = level == 0

    def split(self, leaves: Longs, weight: Longs, left: Longs, of_set: Longs, paid: Longs, k: int, cuts: Cuts | None) -> Part:
        """Split sets, each by falling ``left``, by the nodes of this level; keep what may still hold a broken box. ``cuts`` are of these tuples."""
        number = self.number_of[leaves]
        here = np.flatnonzero(number >= 0)
        key = of_set[here] * len(self.price) + number[here]
        here, key, which = self.worth_a_look(here, key, weight, left, paid, k)
        if len(here) == 0:
            return here, here, here
        by_key = np.argsort(key.astype(np.uint16) if key.max() < 2**16 else key, kind="stable")
        here, key = here[by_key], key[by_key]
        first = np.flatnonzero(np.concatenate([[True], key[1:] != key[:-1]]))
        which = which[key[first]]
        cost = paid[which // len(self.price)] + self.price[which % len(self.price)]
        amount = weight[here]
        before = np.cumsum(amount) - amount
        before -= np.repeat(before[first], np.diff(np.append(first, len(here))))
        counted = np.clip(k - before, 0, amount)
        over = np.add.reduceat(counted * left[here], first) - k * cost
        if cuts is not None:
            more = np.clip(2 * k - 1 - before, 0, amount) - counted
            above = np.maximum(left[here] - np.repeat(cost, np.diff(np.append(first, len(here)))), 0)
            over += np.add.reduceat(more * above, first)
        keep = over > 0
        keep &= np.add.reduceat(counted, first) == k
        if not self.is_leaf:
            keep &= ~self.is_a_child(leaves[here], first, which % len(self.price))
        found = select(keep, here, first, cost)
        if cuts is None or not keep.any():
            return found
        return select(over[keep] > cuts.allowed(found[0], found[1]), *found)

    def worth_a_look(self, here: Longs, key: Longs, weight: Longs, left: Longs, paid: Longs, k: int) -> tuple[Longs, Longs, Longs]:
        """Without sorting: drop the sets with fewer than k rows, and those whose highest price is too low; renumber the others."""
        n_keys = len(paid) * len(self.price)
        if n_keys > 4 * len(here) + 1000:
            which, key = np.unique(key, return_inverse=True)
            return here, key.reshape(-1), which
        size = np.bincount(key, weights=weight[here], minlength=n_keys)
        highest = np.zeros(n_keys, dtype=np.int64)
        highest[key[::-1]] = left[here[::-1]]
        cost = (paid[:, None] + self.price[None, :]).reshape(-1)
        able = (size >= k) & (highest > cost)
        keep = able[key]
        return here[keep], (np.cumsum(able) - 1)[key[keep]], np.flatnonzero(able)

    def is_a_child(self, leaves: Longs, first: Longs, number: Longs) -> NDArray[np.bool_]:
        """Which sets lie below one child of their node that costs less."""
        child = self.child_of[leaves]
        same = np.minimum.reduceat(child, first) == np.maximum.reduceat(child, first)
        below: NDArray[np.bool_] = same & (self.price_of[child[first]] < self.price[number])
        return below


def select(keep: NDArray[np.bool_], items: Longs, first: Longs, cost: Longs) -> Part:
    """Of sets that lie end to end, those that are kept."""
    length = np.diff(np.append(first, len(items)))
    kept = length[keep]
    return items[np.repeat(keep, length)], np.cumsum(kept) - kept, cost[keep]


def chunks(tuples: Longs, found: Sequence[Part]) -> Iterator[Part]:
    """The sets of all levels in portions that fit memory."""
    here = np.concatenate([items for items, _, _ in found])
    paid = np.concatenate([cost for _, _, cost in found])
    shift = np.cumsum([0, *(len(items) for items, _, _ in found)])
    start = np.concatenate([first + at for (_, first, _), at in zip(found, shift[:-1], strict=True)])
    begin = 0
    while begin < len(start):
        end = max(int(np.searchsorted(start, start[begin] + AT_ONCE)), begin + 1)
        last = int(start[end]) if end < len(start) else len(here)
        yield tuples[here[start[begin] : last]], start[begin:end] - start[begin], paid[begin:end]
        begin = end
