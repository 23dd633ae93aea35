"""Branch and bound over groups: two rows together, or apart.

Where the linear program takes parts of groups, some two rows are together in parts of groups. In every release they are
in one group or in two; each way strikes out many groups, and the program is solved again with both. Of a few pairs the
one is taken for which both ways cost most.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal import highs
from shoal.partition.cuts import BrokenCuts, GroupCut, chosen_of, met_by, most_of
from shoal.partition.program import costs_of, counts_of
from shoal.partition.work import ALL_STEPS, Work
from shoal.problem import Floats, Ints, Problem

TRIED, FEW_STEPS = 8, 60
"""Pairs that are tried at each node, and with how many steps of the simplex method."""
WHOLE = 1e-6
CUT_UP_TO = 3
"""Turns of cuts at each node."""
LEAST_GAIN, MOST_IDLE = 5e-5, 2
"""Before branching, cuts end after so many turns that gain less than this share."""
FEWER, FEW = 0.8, 10
"""The program is made anew where no more than this share of the groups is left; so few triples are not enough."""


@dataclass(order=True)
class Branch:
    """Which pairs are together and which are apart, and the least that such a release costs."""

    bound: float
    number: int
    pairs: tuple[tuple[int, int, bool], ...] = field(compare=False)


class Branching:
    """The best release of given groups that costs no more than the reach."""

    def __init__(
        self, problem: Problem, rows: Ints, cuts: Sequence[GroupCut], reach: float, unit: float, work: Work
    ) -> None:
        self.problem, self.work, self.unit, self.reach = problem, work, unit, reach
        self.limit = reach * (1.0 + 1e-7)
        """What a release must cost less than, to be of use."""
        self.least = np.inf
        """What the best release costs, whose groups are ``best``."""
        self.best: Ints | None = None
        self.n_nodes = 0
        self.load(rows, list(cuts))

    def load(self, rows: Ints, cuts: list[GroupCut]) -> None:
        """Begin with these groups and cuts."""
        from scipy import sparse

        problem = self.problem
        self.rows, self.cuts = rows, cuts
        self.counts = counts_of(rows, problem.n_tuples)
        self.holds: NDArray[np.bool_] = (self.counts > 0).toarray()
        self.cost = costs_of(problem, rows)
        weight = problem.weight.astype(np.float64)
        matrix = sparse.hstack([self.counts, met_by(self.cuts, self.counts)]).T.tocsr()
        low = np.concatenate([weight, np.full(len(self.cuts), -np.inf)])
        high = np.concatenate([weight, most_of(self.cuts, problem.weight)])
        self.solver = highs.load(self.cost, np.zeros(len(rows)), np.full(len(rows), np.inf), matrix, low, high, None)

    def begin(self) -> float:
        """Before branching: add cuts as long as they gain, and leave out groups that no release within the limit has.

        What is proved by that.
        """
        bound, idle = 0.0, 0
        while idle < MOST_IDLE and not self.work.wants_stop():
            cost, share = self.solve(np.ones(len(self.rows), dtype=np.bool_))
            idle = 0 if cost > bound * (1.0 + LEAST_GAIN) else idle + 1
            bound = max(bound, cost)
            if cost >= self.limit:
                break
            kept = highs.reduced(self.solver) <= (self.limit - cost) * (1.0 + 1e-7) + 1e-7
            if kept.sum() < FEWER * len(kept):
                price = highs.duals(self.solver)[self.problem.n_tuples :]
                share = share[kept]
                self.load(self.rows[kept], [self.cuts[c] for c in np.flatnonzero(price < 0).tolist()])
            if not self.cut(share, others=True):
                break
        return bound

    def allowed(self, pairs: Sequence[tuple[int, int, bool]]) -> NDArray[np.bool_]:
        """The groups that are right for such pairs."""
        able = np.ones(len(self.rows), dtype=np.bool_)
        for a, b, together in pairs:
            both, one = self.holds[:, a] & self.holds[:, b], self.holds[:, a] ^ self.holds[:, b]
            able &= ~one if together else ~both
        return able

    def solve(self, able: NDArray[np.bool_], most_steps: int = ALL_STEPS) -> tuple[float, Floats]:
        """The linear program over these groups: what it costs (∞ for no solution within the limit) and the shares.

        After so many steps of the simplex method, it ends with a cost that is only a guess.
        """
        n, solver = len(able), self.solver
        high = np.where(able, highs.INFINITY, 0.0)
        solver.changeColsBounds(n, np.arange(n, dtype=np.int32), np.zeros(n), high)
        solver.setOptionValue("objective_bound", self.limit + 1e-6 * abs(self.limit))
        self.work.run(solver, most_steps)
        if highs.is_optimal(solver):
            return highs.cost(solver), highs.values(solver)
        if highs.is_infeasible(solver) or highs.is_beyond(solver):
            return np.inf, np.zeros(n)
        if highs.is_out_of_steps(solver) and most_steps < ALL_STEPS:
            return highs.cost(solver), np.zeros(n)
        raise ArithmeticError

    def run(self) -> tuple[float, bool]:
        """Branch until nothing within the limit is left.

        The least that any release of these groups costs, and whether that was decided.
        """
        try:
            heap = [Branch(self.begin(), 0, ())]
        except ArithmeticError:
            return 0.0, False
        while heap:
            if self.work.wants_stop():
                return min(heap[0].bound, self.least, self.reach), False
            node = heapq.heappop(heap)
            if node.bound >= self.limit:
                continue
            self.n_nodes += 1
            try:
                children = self.branch(node)
            except ArithmeticError:
                return min(node.bound, self.least, self.reach), False
            for child in children:
                if child.bound < self.limit:
                    heapq.heappush(heap, child)
        return min(self.least, self.reach), True

    def branch(self, node: Branch) -> list[Branch]:
        """The two ways of a pair, each with what it costs at least; nothing where the node is decided."""
        able = self.allowed(node.pairs)
        cost, share = self.solve(able)
        for _ in range(CUT_UP_TO):
            if cost >= self.limit or not self.cut(share):
                break
            cost, share = self.solve(able)
        if cost >= self.limit:
            return []
        if np.abs(share - np.round(share)).max() < WHOLE:
            self.best, self.least = np.repeat(self.rows, np.round(share).astype(np.int64), axis=0), cost
            self.limit = cost - 0.999 * self.unit  # a better one costs a unit less
            return []
        pair = self.worst_pair(node, cost, share)
        return [Branch(cost, 2 * self.n_nodes + t, (*node.pairs, (*pair, t == 1))) for t in (0, 1)]

    def worst_pair(self, node: Branch, cost: float, share: Floats) -> tuple[int, int]:
        """Of a few pairs, the one for which both ways seem to cost most after some steps."""
        tried: list[tuple[float, int, tuple[int, int]]] = []
        basis = self.solver.getBasis()
        for a, b in self.pairs(share):
            rise = []
            for together in (False, True):
                self.solver.setBasis(basis)
                found, _ = self.solve(self.allowed([*node.pairs, (a, b, together)]), FEW_STEPS)
                rise.append(max(min(found, self.limit) - cost, 0.0))
            tried.append((min(rise) + 0.1 * max(rise), -len(tried), (a, b)))
        self.solver.setBasis(basis)
        if not tried:
            raise ArithmeticError
        return max(tried)[2]

    def pairs(self, share: Floats) -> list[tuple[int, int]]:
        """Pairs of single rows that are together in about half of groups."""
        used = np.flatnonzero((share > WHOLE) & (share < 1.0 - WHOLE))
        holds = self.holds[used].astype(np.float64)
        holds[:, self.problem.weight > 1] = 0.0
        half = np.abs(np.triu((holds * share[used][:, None]).T @ holds, 1) - 0.5)
        order = np.argsort(half, axis=None, kind="stable")[:TRIED]
        found = [divmod(int(o), len(half)) for o in order]
        return [(a, b) for a, b in found if half[a, b] < 0.5 - WHOLE]

    def cut(self, share: Floats, others: bool = False) -> bool:
        """Add cuts that the shares break, triples or others too where these are few; whether there were any."""
        broken, have, n = (
            BrokenCuts(self.counts, share, self.problem.weight, self.work),
            set(self.cuts),
            self.problem.n_tuples,
        )
        cuts = chosen_of(broken.triples(), have, n)
        if others and len(cuts) < FEW:
            cuts += chosen_of(broken.others(), have, n)
        if not cuts:
            return False
        met: Any = met_by(cuts, self.counts).T.tocsr()
        low, start = np.full(len(cuts), -highs.INFINITY), met.indptr[:-1].astype(np.int32)
        self.solver.addRows(
            len(cuts), low, most_of(cuts, self.problem.weight), met.nnz, start, met.indices.astype(np.int32), met.data
        )
        self.cuts += cuts
        return True
