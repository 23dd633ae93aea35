"""The linear program of prices and cuts, over the sets of rows met so far."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from shoal import highs
from shoal.bounds.rank_boxes import Dearest
from shoal.problem import Floats, Longs, Problem


@dataclass(frozen=True, eq=False)
class Wished:
    """What the program wishes for: prices and cuts that are right for the sets met so far."""

    net: Floats
    cuts: Floats
    worth: float
    share: Floats
    """How much of each set's group the program uses."""
    steps: int
    """Steps of the simplex method that it took."""


class CutProgram:
    """Maximise the sum of net prices, less what the cuts cost."""

    def __init__(self, problem: Problem) -> None:
        self.n = problem.n_tuples
        self.solver = highs.solver()
        highest = problem.k * problem.price_of_suppression  # with cuts a price may be above what any row pays
        self.solver.addVars(self.n, np.zeros(self.n), np.full(self.n, highest))
        self.solver.changeColsCost(self.n, np.arange(self.n, dtype=np.int32), problem.weight.astype(float))
        self.solver.changeObjectiveSense(highs.MAXIMISE)
        self.box_of_set: Longs = np.zeros(0, dtype=np.int64)

    def add(self, dearest: Dearest, which: Longs, price: Floats, own: Floats, around: Any) -> None:
        """One inequality for each of some boxes: the rows taken there pay, with their own parts, at most the box and the cuts around it."""
        if len(which) == 0:
            return
        number = np.full(len(dearest.rows), -1, dtype=np.int64)
        number[which] = np.arange(len(which))
        used = np.flatnonzero((number[dearest.box] >= 0) & (dearest.taken > 0))
        row, tuples, taken = number[dearest.box[used]], dearest.tuples[used], dearest.taken[used].astype(float)
        high = dearest.rows[which] * price[which] - np.bincount(row, weights=taken * own[tuples], minlength=len(which))
        cuts = around[which].tocoo()
        row, index = np.concatenate([row, cuts.row]), np.concatenate([tuples, self.n + cuts.col])
        value = np.concatenate([taken, -np.ones(len(cuts.col))])
        order = np.argsort(row, kind="stable")
        start = np.searchsorted(row[order], np.arange(len(which))).astype(np.int32)
        low = np.full(len(which), -highs.INFINITY)
        self.solver.addRows(len(which), low, high, len(order), start, index[order].astype(np.int32), value[order])
        self.box_of_set = np.concatenate([self.box_of_set, which])

    def add_cuts(self, around: Any, most_groups: Longs) -> None:
        """New cuts: which boxes lie inside of each, and how many groups fit into it."""
        inside = around[self.box_of_set].tocsc()
        n = len(most_groups)
        high = np.full(n, highs.INFINITY)
        start, index = inside.indptr[:-1].astype(np.int32), inside.indices.astype(np.int32)
        self.solver.addCols(n, -most_groups.astype(float), np.zeros(n), high, len(index), start, index, -np.ones(len(index)))

    def solve(self, most_steps: int) -> Wished | None:
        """The best prices and cuts; None if that takes more steps of the simplex method than it may."""
        self.solver.setOptionValue("simplex_iteration_limit", min(max(most_steps, 0), 2**31 - 1))
        self.solver.run()
        if not highs.is_optimal(self.solver):
            return None
        values = np.maximum(highs.values(self.solver), 0.0)
        steps = int(self.solver.getInfo().simplex_iteration_count)
        return Wished(values[: self.n], values[self.n :], highs.cost(self.solver), np.abs(highs.duals(self.solver)), steps)
