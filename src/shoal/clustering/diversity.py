"""Different sensitive values inside the thresholds of gather and center: what a ball must hold is r rows *and* l
different values.

A cluster of an optimum holds both, and lies within its diameter of each of its rows. So everything that the paper says
of balls of r rows holds of such balls, and adding rows to a cluster takes no value away: the factors stay
(docs/guarantees.md). A missing cell is no value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from shoal.clustering.criteria import Watched
from shoal.clustering.points import Bools, Floats, Ints, Longs, Points
from shoal.kernels.space import Lists

BATCH = 512
BALLS = 64
"""So many balls are listed at once: one may hold nearly all points."""
FEW = 32
"""So many neighbours are looked at first; then twice as many, where they hold too few values."""


@dataclass(frozen=True, eq=False)
class Diverse:
    """The sensitive values on each point, and how many different ones a cluster needs."""

    points: Points
    least: int
    value: Ints
    """The value of each row; −1 for a missing cell."""

    @cached_property
    def kinds(self) -> tuple[Ints, Ints, Longs, Longs]:
        """The different pairs of point and value: point, value, how many rows; and the kind of each row."""
        low = self.value.astype(np.int64) + 1
        many = int(low.max(initial=0)) + 1
        key, of_row, count = np.unique(
            self.points.of_row * np.int64(many) + low, return_inverse=True, return_counts=True
        )
        point, value = np.divmod(key, many)
        return point.astype(np.int32), (value - 1).astype(np.int32), count.astype(np.int64), of_row.reshape(-1)

    @cached_property
    def first(self) -> Longs:
        """The kinds of point p are ``first[p] … first[p + 1]``."""
        return np.searchsorted(self.kinds[0], np.arange(self.points.space.n + 1)).astype(np.int64)

    def spelled_out(self, lists: Lists) -> tuple[Longs, Ints, Ints]:
        """For each entry of lists of points the values on the point: the entry, the kind, and the value."""
        many = (self.first[1:] - self.first[:-1])[lists.at]
        entry = np.repeat(np.arange(len(lists.at)), many)
        kind = np.arange(len(entry)) - np.repeat(np.cumsum(many) - many, many) + self.first[:-1][lists.at][entry]
        return entry, kind.astype(np.int32), self.kinds[1][kind]

    def n_different(self, lists: Lists) -> Longs:
        """How many different values each list of points has."""
        entry, _, value = self.spelled_out(lists)
        there = value >= 0
        many = int(self.value.max(initial=0)) + 1
        pairs = np.unique(lists.owner()[entry[there]].astype(np.int64) * many + value[there])
        return np.bincount(pairs // many, minlength=len(lists)).astype(np.int64)

    def reach(self, which: Ints, weight: Longs | None = None) -> Floats:
        """The radius of the smallest ball around each of some points that holds enough different values; infinite if
        there are too few.
        """
        space, out = self.points.space, np.full(len(which), np.inf)
        left, many = np.arange(len(which)), min(max(FEW, 2 * self.least), space.n)
        while len(left):
            for begin in range(0, len(left), BATCH):
                some = left[begin : begin + BATCH]
                at, d = space.nearest(many, which[some], weight)
                out[some] = self._reach_within(at, d)
            left = left[np.isinf(out[left])] if many < space.n else left[:0]
            many = min(4 * many, space.n)
        return out

    def _reach_within(self, at: Ints, d: Floats) -> Floats:
        """The same where it is reached among some neighbours."""
        there = at.reshape(-1) >= 0
        owner = np.repeat(np.arange(len(at)), at.shape[1])[there]
        lists = Lists(
            np.searchsorted(owner, np.arange(len(at) + 1)).astype(np.int64), at.reshape(-1)[there], d.reshape(-1)[there]
        )
        entry, _, value = self.spelled_out(lists)
        entry, value = entry[value >= 0], value[value >= 0]
        turn = np.lexsort((lists.d[entry], value, owner[entry]))  # the nearest of each value
        of, value, near = owner[entry][turn], value[turn], lists.d[entry][turn]
        is_first = np.concatenate([[True], (of[1:] != of[:-1]) | (value[1:] != value[:-1])])[: len(of)]
        of, near = of[is_first], near[is_first]
        turn = np.lexsort((near, of))
        of, near = of[turn], near[turn]
        start = np.searchsorted(of, np.arange(len(at)))
        enough = np.bincount(of, minlength=len(at)) >= self.least
        out = np.full(len(at), np.inf)
        out[enough] = near[start[enough] + self.least - 1]
        return out


def diverse_of(points: Points, asked: Sequence[Watched]) -> Diverse | None:
    """What balls must hold beside r rows: of the column that is asked for the most different values."""
    wanted = [one for one in asked if one.n_different]
    if not wanted:
        return None
    most = max(wanted, key=lambda one: one.n_different)
    return Diverse(
        points, most.n_different, np.where(most.value == most.demand.missing, -1, most.value).astype(np.int32)
    )


def rth_distance(
    points: Points, r: int, diverse: Diverse | None, which: Ints | None = None, weight: Longs | None = None
) -> Floats:
    """The radius of the smallest ball around each point that holds what a cluster needs."""
    t = points.space.rth_distance(r, which, weight)
    if diverse is None:
        return t
    some = np.arange(points.space.n, dtype=np.int32) if which is None else np.ascontiguousarray(which, dtype=np.int32)
    return np.maximum(t, diverse.reach(some, weight))


def peel(points: Points, t: Floats, reach: float, r: int, most: int, diverse: Diverse | None) -> Bools | None:
    """Which points go until all others have what a cluster needs among themselves within reach; None if more than
    ``most`` rows would go.
    """
    space = points.space
    if diverse is None:
        return space.peel(t, reach, r, most)
    gone = t > reach
    while True:
        weight = np.where(gone, 0, space.weight)
        if space.total - int(weight.sum()) > most:
            return None
        left = np.flatnonzero(~gone).astype(np.int32)
        more = left[rth_distance(points, r, diverse, left, weight) > reach]
        if not len(more):
            return gone
        gone[more] = True


def mark(
    points: Points, reach: float, r: int, order: Ints, weight: Longs, diverse: Diverse | None
) -> tuple[Ints, Ints]:
    """Greedy balls in the given order: an untaken point takes all untaken ones within reach if they are what a cluster
    needs.
    """
    space = points.space
    if diverse is None:
        return space.mark(reach, r, order, weight)
    taken_by = np.full(space.n, -1, dtype=np.int32)
    centres: list[int] = []
    for begin in range(0, len(order), BALLS):
        some = order[begin : begin + BALLS]
        some = some[(taken_by[some] < 0) & (weight[some] > 0)]
        balls = space.balls(some, reach, np.where(taken_by < 0, weight, 0))
        for i, p in enumerate(some.tolist()):
            at = balls.at[balls.first[i] : balls.first[i + 1]]
            at = at[taken_by[at] < 0]
            ball = Lists(np.array([0, len(at)]), at, np.zeros(len(at)))
            if taken_by[p] < 0 and int(weight[at].sum()) >= r and diverse.n_different(ball)[0] >= diverse.least:
                taken_by[at] = len(centres)
                centres.append(p)
    return np.array(centres, dtype=np.int32), taken_by
