"""Boxes with their rows: which of them overcharge, given prices and cuts; and of all closed boxes of a small table,
which lie inside of which.

A *cut* is a box with a price of its own. What the prices of any k to 2k − 1 rows of a box may exceed the price of that
box by is the sum of the prices of the cuts around it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from shoal.kernels.closed_boxes import ClosedBoxes, closed_boxes
from shoal.problem import Floats, Longs, Problem

MOST_BOXES, MOST_ENTRIES = 60_000, 1_500_000
"""Boxes, and tuples in all of them together, up to which a table is small enough."""

MOST_DIVISIONS = 3


@dataclass(frozen=True, eq=False)
class Dearest:
    """In each box the rows that exceed what it pays by most: how many of each tuple, and by how much."""

    box: Longs
    """The box of each entry; entries of one box lie together."""
    tuples: Longs
    taken: Longs
    rows: Longs
    """How many rows were taken in each box."""
    excess: Floats
    """By how much their prices exceed what they pay; −∞ where no row is priced above the box."""


class ListedBoxes:
    """Some boxes of at least k rows, each with tuples that may be its dearest."""

    def __init__(self, problem: Problem, own: Floats, boxes: ClosedBoxes) -> None:
        self.problem, self.own, self.boxes = problem, own, boxes
        size = np.diff(boxes.start)
        self.n_tuples_of = size
        self.box = np.repeat(np.arange(len(boxes)), size)
        self.first = boxes.start[:-1]

    def __len__(self) -> int:
        return len(self.boxes)

    def dearest(self, net: Floats, allowed: Floats) -> Dearest:
        """In each box the k rows of highest price, and up to k − 1 more of those that are priced above the box.

        Each further row adds its price less that of the box, and the rows come by falling price: so no other k to 2k −
        1 rows exceed by more.
        """
        price, weight, k = net + self.own, self.problem.weight, self.problem.k
        listed = self.boxes.tuples
        able = np.flatnonzero(np.maximum.reduceat(price[listed], self.first) > self.boxes.price)
        excess, n_rows = np.full(len(self), -np.inf), np.zeros(len(self), dtype=np.int64)
        if len(able) == 0:
            return Dearest(able, able, able, n_rows, excess)
        size = self.n_tuples_of[able]
        first = np.cumsum(size) - size
        box = np.repeat(able, size)
        entry = np.arange(len(box)) + np.repeat(self.first[able] - first, size)
        place = np.empty(len(price), dtype=np.int64)
        place[np.argsort(-price, kind="stable")] = np.arange(len(price))
        tuples = listed[entry[np.argsort(box * len(price) + place[listed[entry]])]].astype(np.int64)
        rows = weight[tuples]
        before = np.cumsum(rows) - rows
        before -= np.repeat(before[first], size)
        near = np.flatnonzero(before < 2 * k - 1)  # the first of each box is
        box, tuples, rows, before = box[near], tuples[near], rows[near], before[near]
        gain = price[tuples] - self.boxes.price[box]
        taken = np.minimum(np.maximum(k - before, 0), rows)
        taken += (np.minimum(2 * k - 1 - before, rows) - taken) * (gain > 0)
        start = np.flatnonzero(np.diff(box, prepend=-1))
        excess[able] = np.add.reduceat(taken * gain, start) - allowed[able]
        n_rows[able] = np.add.reduceat(taken, start)
        return Dearest(box, tuples, taken, n_rows, excess)

    def worst(self, met: Dearest, least: float) -> Longs:
        """The boxes that overcharge one of their tuples most: as many as are worth telling the program about."""
        broken = np.flatnonzero(met.excess > least)
        place = np.full(len(self), len(broken))
        place[broken[np.argsort(-met.excess[broken], kind="stable")]] = np.arange(len(broken))
        used = np.flatnonzero((met.taken > 0) & (place[met.box] < len(broken)))
        first = np.full(self.problem.n_tuples, len(broken))
        np.minimum.at(first, met.tuples[used], place[met.box[used]])
        chosen = np.zeros(len(broken) + 1, dtype=np.bool_)
        chosen[first] = True
        return np.flatnonzero(chosen[place] & (place < len(broken)))

    def divided(self, net: Floats, allowed: Floats, met: Dearest | None = None) -> tuple[Floats, float]:
        """Net prices divided where boxes overcharge, until hardly any does; and by how much some box still does."""
        met = self.dearest(net, allowed) if met is None else met
        for _ in range(MOST_DIVISIONS):
            broken = met.excess > 1e-12 * self.problem.price_of_suppression
            if not broken.any():
                break
            paid = np.bincount(met.box, weights=met.taken * net[met.tuples], minlength=len(self))
            due = np.where(broken, np.maximum(paid - met.excess, 0.0), 1.0)
            ratio = np.where(broken, np.divide(paid, due, out=np.full(len(paid), np.inf), where=due > 0), 1.0)
            worst = np.ones(len(net))
            inside = broken[self.box]
            np.maximum.at(worst, self.boxes.tuples[inside], ratio[self.box[inside]])
            net = net / (worst * (1.0 + 1e-13))
            met = self.dearest(net, allowed)
        return net, max(float(met.excess.max(initial=0.0)), 0.0)


class AllBoxes(ListedBoxes):
    """The closed boxes of at least k rows, with their rows."""

    def __init__(self, problem: Problem, own: Floats, boxes: ClosedBoxes) -> None:
        from scipy import sparse

        super().__init__(problem, own, boxes)
        self.n_rows = np.add.reduceat(problem.weight[boxes.tuples], self.first)
        ones = np.ones(len(boxes.tuples), dtype=np.float32)
        self.holds: Any = sparse.csr_matrix((ones, boxes.tuples, boxes.start), shape=(len(boxes), problem.n_tuples))

    def inside(self, these: Longs, of: Longs) -> Any:
        """Which of these boxes lie inside of which others: a sparse matrix, row by row of ``these``."""
        from scipy import sparse

        common = (self.holds[these] @ self.holds[of].T).tocoo()
        within = common.data > self.n_tuples_of[these][common.row] - 0.5
        ones = np.ones(int(within.sum()))
        return sparse.csr_matrix((ones, (common.row[within], common.col[within])), shape=(len(these), len(of)))

    def too_many_groups(self, box_of_set: Longs, share: Floats) -> Floats:
        """By how much the groups inside of each box are more than fit into it, given shares of groups, each with its
        box.
        """
        used, place = np.unique(box_of_set, return_inverse=True)
        amount = np.bincount(place.reshape(-1), weights=share, minlength=len(used))
        found: Floats = self.inside(used, np.arange(len(self))).T @ amount - self.n_rows // self.problem.k
        return found


def all_boxes(problem: Problem, own: Floats) -> AllBoxes | None:
    """The boxes of a small table; None if there are too many."""
    found = closed_boxes(problem.packed, problem.codes, problem.weight, problem.k, np.inf, MOST_BOXES, MOST_ENTRIES)
    return None if found is None else AllBoxes(problem, own, found)
