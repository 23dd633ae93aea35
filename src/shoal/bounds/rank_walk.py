"""Prices and cuts for a large table: programs for blocks of its tuples, and walks over all boxes in between.

As in `rank`, but no list of all boxes is made. A turn takes the boxes that are nearly tight, solves the program of
prices and cuts on them for one block of tuples after the other, then walks over all boxes and divides, as `dual` does.
So what is proved depends on the walk alone.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from shoal import kernels
from shoal.bounds import dual
from shoal.bounds.base import SAFETY, proved
from shoal.bounds.diversity import diversity_of
from shoal.bounds.rank_block import Block, Standing
from shoal.bounds.rank_nodes import NodeCuts, TreeNodes
from shoal.budget import Budget, stoppable
from shoal.kernels.boxes import Boxes, TooMuchWork
from shoal.problem import Bound, Floats, Longs, Problem, RankCut

MOST_TURNS = 40
LEAST = 0.9
"""Boxes below this tightness are left out of a turn, and hardly any price rises above 1 / LEAST times in it."""
WIDELY = 0.5
"""A listed box names its tuples down to this share of the k-th highest price."""
MOST_BOXES, MOST_WORK = 1_000_000, 3_000_000_000
WALKED_PER_SECOND = 450_000_000
"""Rows that a walk looks at in a second of a common machine."""
RISEN = 1e-4
"""Stop when a turn gains no more than this share."""


SIZE_OF_BLOCK = {2: 30_000, 3: 9_000, 4: 6_000, 5: 5_000}
"""Tuples in a block, for each k. Groups of two make a program nearly as simple as a matching; the larger k is, the
longer a step takes.
"""
WORTH_SECONDS, PER_TUPLES = {2: 3.0, 3: 10.0, 4: 30.0, 5: 60.0}, 18_000
"""The seconds from which on it is tried, for so many tuples: with fewer, the search gains more in them."""


def with_walked_cuts(problem: Problem, first: Bound, budget: Budget) -> Bound | None:
    """A better bound than one that prices prove; None where there is none, and where k, own parts, free columns or
    diverse groups forbid it.
    """
    if problem.k not in SIZE_OF_BLOCK or budget.left() < WORTH_SECONDS[problem.k] * problem.n_tuples / PER_TUPLES:
        return None
    if not problem.is_laminar or dual.own_parts(problem) is not None or diversity_of(problem) is not None:
        return None
    if first.prices is None or first.value <= 0.0 or first.cuts:
        return None
    climb = WalkedClimb(problem, first.prices, budget)
    for turn in range(MOST_TURNS):
        before = climb.worth
        if budget.is_over() or not climb.turn(turn) or climb.worth <= before * (1.0 + RISEN):
            break
        budget.watch.tell("cuts", bound=max(climb.bound(first.note).value, first.value))
    found = climb.bound(first.note)
    return found if found.value > first.value else None


class WalkedClimb:
    """Prices and cuts that prove more from turn to turn."""

    def __init__(self, problem: Problem, prices: Floats, budget: Budget) -> None:
        self.problem, self.budget = problem, budget
        self.cuts = NodeCuts(TreeNodes(problem))
        self.best = Standing(prices, self.cuts, np.zeros(0))
        self.worth = self.best.worth(problem)
        self.listed: Boxes | None = None

    def walk(self, wished: Standing) -> Standing | None:
        """Walk all boxes: divide until no box overcharges, and list the tight ones. None if that took too long."""
        p = self.problem
        with stoppable(self.budget.watch) as stop:
            try:
                tightness, self.listed, work = kernels.tight_boxes(
                    p.packed, p.codes, p.weight, p.k, wished.net, LEAST, LEAST, WIDELY, MOST_BOXES, MOST_WORK,
                    stop=stop,
                    cuts=self.cuts.priced(wished.price_of_cut),
                )  # fmt: skip
            except (TooMuchWork, InterruptedError):
                return None
        self.budget.spend(work, WALKED_PER_SECOND)
        return Standing(wished.net / tightness, self.cuts, wished.price_of_cut)

    def turn(self, number: int) -> bool:
        """Programs for all blocks, then a walk. Whether that could be done."""
        if self.listed is None and not self.keep(self.best):
            return False
        assert self.listed is not None
        listed = with_heavy(self.problem, self.listed)
        now = self.best
        for block in blocks(self.problem, listed, SIZE_OF_BLOCK[self.problem.k], number):
            if self.budget.is_over():
                break
            now = Block(self.problem, listed, block, now, 1.0 / LEAST - 1.0).improve(self.budget) or now
            self.best.price_of_cut = longer(self.best.price_of_cut, len(self.cuts))
            now.price_of_cut = longer(now.price_of_cut, len(self.cuts))
        before = self.worth
        if not self.keep(now):
            return False
        if self.worth <= before * (1.0 + RISEN):
            mean = Standing(
                (now.net + self.best.net) / 2.0, self.cuts, (now.price_of_cut + self.best.price_of_cut) / 2.0
            )
            return self.keep(mean)
        return True

    def keep(self, wished: Standing) -> bool:
        """Keep what a walk leaves of these prices and cuts if it is more. Whether the walk was done."""
        divided = self.walk(wished)
        if divided is not None and divided.worth(self.problem) > self.worth:
            self.best, self.worth = divided, divided.worth(self.problem)
        return divided is not None

    def bound(self, note: str) -> Bound:
        """What the best prices and cuts prove."""
        best, problem = self.best, self.problem
        price = best.price_of_cut * (1.0 + SAFETY)
        start = np.searchsorted(self.cuts.cut, np.arange(len(self.cuts) + 1))
        cuts = tuple(
            RankCut(self.cuts.tuples[start[u] : start[u + 1]].astype(np.int32), float(price[u]))
            for u in np.flatnonzero(price > 0).tolist()
        )
        plain = proved(problem, "rank", best.net, note)
        paid = float((price * self.cuts.most_groups).sum())
        return replace(plain, value=max(plain.value - paid, 0.0), cuts=cuts)


def longer(price: Floats, n: int) -> Floats:
    """The prices of cuts, with 0 for those that came later."""
    return np.concatenate([price, np.zeros(n - len(price))])


def with_heavy(problem: Problem, listed: Boxes) -> Boxes:
    """Boxes, and one more for each tuple of k rows: where it pays nothing, no walk lists it while it has no price."""
    heavy = np.flatnonzero(problem.weight >= problem.k).astype(np.int32)
    price = sum(
        (column.price[problem.codes[heavy, j]] for j, column in enumerate(problem.columns)), np.zeros(len(heavy))
    )
    return Boxes(
        np.concatenate([listed.nodes, problem.codes[heavy]]),
        np.concatenate([listed.price, price]),
        np.concatenate([listed.tightness, np.ones(len(heavy))]),
        np.concatenate([listed.start, listed.start[-1] + 1 + np.arange(len(heavy))]),
        np.concatenate([listed.tuples, heavy]),
    )


def blocks(problem: Problem, listed: Boxes, size: int, number: int) -> list[Longs]:
    """The tuples in blocks of about this size, such that tuples of one box are mostly in one block; other borders in
    each turn.
    """
    from scipy import sparse
    from scipy.sparse.csgraph import reverse_cuthill_mckee

    n = problem.n_tuples
    if n <= size:
        return [np.arange(n)]
    count = np.diff(listed.start)
    box = np.repeat(np.arange(len(listed)), count)
    ones = np.ones(len(box), dtype=np.int8)
    holds = sparse.csr_matrix((ones, (listed.tuples, n + box)), shape=(n + len(listed),) * 2)
    order = reverse_cuthill_mckee((holds + holds.T).tocsr(), symmetric_mode=True).astype(np.int64)
    order = np.roll(order[order < n], (number % 2) * (size // 2))
    return np.array_split(order, -(-n // size))
