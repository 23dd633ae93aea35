"""Merging clusters until each keeps what is asked of its sensitive values.

Every criterion here holds of two clusters together if it holds of both. So a cluster that breaks one is merged with
another, one of the nearest: with the one that makes the cost grow least, or, as another try, with the one that does so
among those with which it keeps all. Where rows may be left out, all rows of such a cluster may be, if they are few
enough. The cheapest of these tries is the answer. No factor on the optimum is proved for it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise, product

import numpy as np

from shoal.clustering.base import Answer, Task
from shoal.clustering.criteria import are_met
from shoal.clustering.points import Bools, Floats, Found, Longs
from shoal.kernels.space_improve import recentre

NEAREST = 16
"""So many clusters are tried as partners."""
MANY = 1000
"""Above so many clusters that break something, one way of choosing is tried."""

Price = Callable[[Longs, Floats, Longs], Floats]
"""What clusters of these sizes, radii and centres cost: their radius, or what they add to the sum."""


def kept(method: str, task: Task, answer: Answer) -> Answer:
    """The answer with clusters merged, where they must be. One cluster of all rows must keep what is asked."""
    found = answer.found
    fine = are_met(task.watched, found.label, found.n_clusters)
    if fine.all():
        return answer
    is_total = method == "cellular"
    price = _price_of_cells(task) if is_total else _radius
    made = _merged(task, found, fine, price, is_total)
    cost = _cost(task, made, price, is_total)
    return replace(answer, found=made, cost=cost, paper_cost=cost)


def _radius(sizes: Longs, radii: Floats, centres: Longs) -> Floats:
    return radii


def _price_of_cells(task: Task) -> Price:
    setup = np.zeros(task.points.space.n) if task.setup is None else task.setup
    return lambda sizes, radii, centres: setup[centres] + sizes * radii


def _merged(task: Task, found: Found, fine: Bools, price: Price, is_total: bool) -> Found:
    """The cheapest of the clusterings that ways of choosing partners lead to."""
    ways = list(product((True, False), (True, False) if task.max_outliers else (False,)))
    tried = [
        _Merging(task, found, price, is_total, *way).run(fine)
        for way in (ways if int((~fine).sum()) <= MANY else ways[:1])
    ]
    return min(tried, key=lambda one: _cost(task, one, price, is_total))


def _cost(task: Task, found: Found, price: Price, is_total: bool) -> float:
    costs = price(found.sizes(), found.radii(task.points), found.centre.astype(np.int64))
    return float(costs.sum() if is_total else costs.max(initial=0.0))


@dataclass
class _Merging:
    """One way of choosing partners."""

    task: Task
    found: Found
    price: Price
    is_total: bool
    prefers_fine: bool
    """Whether a partner with which all is kept comes before a nearer one."""
    leaves_out: bool
    """Whether a cluster may become outliers."""

    def run(self, fine: Bools) -> Found:
        """Merge the smallest cluster that breaks something, until none does."""
        found = self.found
        order = np.argsort(found.label, kind="stable")
        start = np.searchsorted(found.label[order], np.arange(found.n_clusters + 1))
        self.rows = [order[a:b] for a, b in pairwise(start)]
        self.centre, self.radius = found.centre.astype(np.int64), found.radii(self.task.points)
        self.there, self.fine = np.ones(found.n_clusters, dtype=np.bool_), fine.copy()
        self.room = self.task.max_outliers - int((found.label < 0).sum()) if self.leaves_out else 0
        while (broken := np.flatnonzero(self.there & ~self.fine)).size:
            if self.there.sum() == 1:
                return self._everything()
            self._mend(int(broken[np.argmin([len(self.rows[c]) for c in broken])]))
        label, alive = np.full(len(found.label), -1, dtype=np.int32), np.flatnonzero(self.there)
        for number, c in enumerate(alive.tolist()):
            label[self.rows[c]] = number
        return Found(label, self.centre[alive].astype(np.int32))

    def _mend(self, c: int) -> None:
        if len(self.rows[c]) <= self.room:
            self.room -= len(self.rows[c])
            self.there[c] = False
            return
        others = np.flatnonzero(self.there)
        others = others[others != c]
        apart = self.task.points.space.distances(self.centre[others].astype(np.int32), int(self.centre[c]))
        others = others[np.argsort(apart, kind="stable")[:NEAREST]]
        centre, radius = zip(*(self._together(c, int(other)) for other in others), strict=True)
        sizes = np.array([len(self.rows[c]) + len(self.rows[other]) for other in others])
        grown = self.price(sizes, np.array(radius), np.array(centre))
        if self.is_total:
            grown = grown - self.price(
                np.array([len(self.rows[o]) for o in others]), self.radius[others], self.centre[others]
            )
        keeps = self._keep(c, others)
        turn = np.lexsort((grown, ~keeps)) if self.prefers_fine else np.argsort(grown, kind="stable")
        best = int(turn[0])
        other = int(others[best])
        self.rows[other] = np.concatenate([self.rows[other], self.rows[c]])
        self.centre[other], self.radius[other] = self._recentred(other, centre[best], radius[best])
        self.there[c], self.fine[other] = False, keeps[best]

    def _together(self, c: int, other: int) -> tuple[int, float]:
        """The better of two centres for the rows of both clusters, and the radius around it."""
        space, of_row = self.task.points.space, self.task.points.of_row
        mine = float(space.distances(of_row[self.rows[other]], int(self.centre[c])).max())
        theirs = float(space.distances(of_row[self.rows[c]], int(self.centre[other])).max())
        around = [
            (max(self.radius[c], mine), int(self.centre[c])),
            (max(self.radius[other], theirs), int(self.centre[other])),
        ]
        sizes, radii = np.full(2, len(self.rows[c]) + len(self.rows[other])), np.array([radius for radius, _ in around])
        costs = self.price(sizes, radii, np.array([centre for _, centre in around]))
        radius, centre = around[int(np.argmin(costs))]
        return centre, radius

    def _recentred(self, c: int, centre: int, radius: float) -> tuple[int, float]:
        """The member that is nearest to the farthest other one, where that is cheaper."""
        at = np.unique(self.task.points.of_row[self.rows[c]])
        better, narrow = recentre(
            self.task.points.space, np.array([0, len(at)]), at, np.array([centre], dtype=np.int32)
        )
        size = np.full(2, len(self.rows[c]))
        costs = self.price(size, np.array([radius, narrow[0]]), np.array([centre, better[0]]))
        return (int(better[0]), float(narrow[0])) if costs[1] < costs[0] else (centre, radius)

    def _keep(self, c: int, others: Longs) -> Bools:
        """Whether the cluster keeps all together with each of some others."""
        both = [np.concatenate([self.rows[c], self.rows[other]]) for other in others.tolist()]
        label = np.repeat(np.arange(len(both), dtype=np.int32), [len(rows) for rows in both])
        return are_met(self.task.watched, label, len(both), np.concatenate(both))

    def _everything(self) -> Found:
        """One cluster of all rows, those that were left out too: that keeps what is asked."""
        points = self.task.points
        at = np.arange(points.space.n, dtype=np.int32)
        centre, _ = recentre(
            points.space, np.array([0, len(at)]), at, np.array([self.centre[self.there][0]], dtype=np.int32)
        )
        return Found(np.zeros(points.n_rows, dtype=np.int32), centre)
