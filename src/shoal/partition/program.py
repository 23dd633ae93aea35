"""The linear program over groups met so far: shares of groups, so that every row is in one, and the prices and cuts
that go with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from shoal import highs, kernels
from shoal.partition.cuts import GroupCut, met_by, most_of
from shoal.partition.work import Work
from shoal.problem import Floats, Ints, Problem


@dataclass(frozen=True, eq=False)
class Shares:
    """A solution: a price for each tuple and each cut, what it costs, and how much of each group it takes."""

    y: Floats
    price: Floats
    cost: float
    share: Floats


def counts_of(rows: Ints, n_tuples: int) -> Any:
    """How many rows of each tuple each group has: groups × tuples, sparse."""
    from scipy import sparse

    group, place = np.nonzero(rows >= 0)
    return sparse.csr_matrix((np.ones(len(group)), (group, rows[group, place])), shape=(len(rows), n_tuples))


def costs_of(problem: Problem, rows: Ints) -> Floats:
    """What each group pays: its closure's price for each of its rows."""
    group, place = np.nonzero(rows >= 0)
    nodes = kernels.closures(problem.packed, problem.codes, rows[group, place], group.astype(np.int32), len(rows))
    each = np.zeros(len(rows))
    for j, column in enumerate(problem.columns):
        each += column.price[nodes[:, j]]
    found: Floats = each * (rows >= 0).sum(axis=1)
    return found


class GroupProgram:
    """Least cost, every row in groups once, no cut broken. A row may stay alone at a price that no group needs."""

    def __init__(self, problem: Problem) -> None:
        self.problem, n = problem, problem.n_tuples
        self.rows: Ints = np.zeros((0, 2 * problem.k - 1), dtype=np.int32)
        self.counts = counts_of(self.rows, n)
        self.cuts: list[GroupCut] = []
        self.known: set[bytes] = set()
        self.solver = highs.solver()
        weight, nothing = problem.weight.astype(np.float64), np.zeros(0, dtype=np.int32)
        self.solver.addRows(n, weight, weight, 0, np.zeros(n, dtype=np.int32), nothing, np.zeros(0))
        alone = np.full(n, problem.k * problem.price_of_suppression)
        each = np.arange(n, dtype=np.int32)
        self.solver.addCols(n, alone, np.zeros(n), np.full(n, highs.INFINITY), n, each, each, np.ones(n))

    def add(self, rows: Ints) -> int:
        """Tell the program of groups that it does not know; how many there were."""
        from scipy import sparse

        rows = -np.sort(-rows, axis=1)
        new = [i for i, row in enumerate(rows) if row.tobytes() not in self.known and not self.known.add(row.tobytes())]  # type: ignore[func-returns-value]
        if not new:
            return 0
        rows = np.ascontiguousarray(rows[new])
        counts = counts_of(rows, self.problem.n_tuples)
        whole = sparse.hstack([counts, met_by(self.cuts, counts)], format="csr")
        high = np.full(len(new), highs.INFINITY)
        start, index = whole.indptr[:-1].astype(np.int32), whole.indices.astype(np.int32)
        self.solver.addCols(
            len(new), costs_of(self.problem, rows), np.zeros(len(new)), high, whole.nnz, start, index, whole.data
        )
        self.rows, self.counts = np.concatenate([self.rows, rows]), sparse.vstack([self.counts, counts], format="csr")
        return len(new)

    def add_cuts(self, cuts: Sequence[GroupCut]) -> None:
        met = met_by(cuts, self.counts).T.tocsr()
        low, start = np.full(len(cuts), -highs.INFINITY), met.indptr[:-1].astype(np.int32)
        index = (met.indices + self.problem.n_tuples).astype(np.int32)
        self.solver.addRows(len(cuts), low, most_of(cuts, self.problem.weight), met.nnz, start, index, met.data)
        self.cuts += cuts

    def solve(self, work: Work) -> Shares | None:
        """The best shares; None where the solver fails, or where the work is over before."""
        work.run(self.solver)
        if not highs.is_optimal(self.solver):
            return None
        prices, n = highs.duals(self.solver), self.problem.n_tuples
        return Shares(prices[:n], np.maximum(-prices[n:], 0.0), highs.cost(self.solver), highs.values(self.solver)[n:])
