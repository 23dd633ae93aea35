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


class PriceProgram:
    """Maximise the sum of net prices, between limits, less what cuts cost.

    Variables: a price for each tuple, then the cuts.
    """

    def __init__(self, weight: Longs, low: Floats, high: Floats) -> None:
        self.n = len(weight)
        self.solver = highs.solver()
        self.solver.addVars(self.n, low, high)
        self.solver.changeColsCost(self.n, np.arange(self.n, dtype=np.int32), weight.astype(float))
        highs.maximise(self.solver)

    def add_rows(self, rows: Any, high: Floats) -> None:
        """Inequalities, a sparse matrix row by row: each at most so much."""
        low, start, index = (
            np.full(len(high), -highs.INFINITY),
            rows.indptr[:-1].astype(np.int32),
            rows.indices.astype(np.int32),
        )
        self.solver.addRows(len(high), low, high, len(index), start, index, rows.data)

    def add_columns(self, inside: Any, most_groups: Longs) -> None:
        """New cuts: a sparse matrix, column by column, of the inequalities that each eases, and how many groups fit
        into it.
        """
        n = len(most_groups)
        high = np.full(n, highs.INFINITY)
        start, index = inside.indptr[:-1].astype(np.int32), inside.indices.astype(np.int32)
        self.solver.addCols(
            n, -most_groups.astype(float), np.zeros(n), high, len(index), start, index, -np.ones(len(index))
        )

    def solve(self, most_steps: int) -> Wished | None:
        """The best prices and cuts; None if that takes more steps of the simplex method than it may."""
        self.solver.setOptionValue("simplex_iteration_limit", min(max(most_steps, 0), 2**31 - 1))
        self.solver.run()
        if not highs.is_optimal(self.solver):
            return None
        values = np.maximum(highs.values(self.solver), 0.0)
        steps = int(self.solver.getInfo().simplex_iteration_count)
        return Wished(
            values[: self.n], values[self.n :], highs.cost(self.solver), np.abs(highs.duals(self.solver)), steps
        )


class CutProgram(PriceProgram):
    """The program over all tuples of a small table, with the box of each set of rows met so far."""

    def __init__(self, problem: Problem, limit: Floats) -> None:
        highest = problem.k * problem.price_of_suppression  # with cuts a price may be above what any row pays
        super().__init__(problem.weight, np.zeros(problem.n_tuples), np.minimum(highest, limit))
        self.box_of_set: Longs = np.zeros(0, dtype=np.int64)

    def add(self, dearest: Dearest, which: Longs, price: Floats, own: Floats, around: Any) -> None:
        """One inequality for each of some boxes: the rows taken there pay, with their own parts, at most the box and
        the cuts around it.
        """
        if len(which) == 0:
            return
        rows, high = sets_of(dearest, which, price, own, around)
        self.add_rows(rows, high)
        self.box_of_set = np.concatenate([self.box_of_set, which])

    def add_cuts(self, around: Any, most_groups: Longs) -> None:
        """New cuts: which boxes lie inside of each, and how many groups fit into it."""
        self.add_columns(around[self.box_of_set].tocsc(), most_groups)


def sets_of(dearest: Dearest, which: Longs, price: Floats, own: Floats, around: Any) -> tuple[Any, Floats]:
    """The inequalities of the rows taken in some boxes: a sparse matrix over tuples and cuts, and what each row of it
    may be at most.
    """
    from scipy import sparse

    number = np.full(len(dearest.rows), -1, dtype=np.int64)
    number[which] = np.arange(len(which))
    used = np.flatnonzero((number[dearest.box] >= 0) & (dearest.taken > 0))
    row, tuples, taken = number[dearest.box[used]], dearest.tuples[used], dearest.taken[used].astype(float)
    high = dearest.rows[which] * price[which] - np.bincount(row, weights=taken * own[tuples], minlength=len(which))
    prices = sparse.csr_matrix((taken, (row, tuples)), shape=(len(which), len(own)))
    return sparse.hstack([prices, -around[which]], format="csr"), high
