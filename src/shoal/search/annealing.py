"""Local search over the whole table, in rounds: parts of it at the same time, cooler from round to round.

In a round the groups are collected into parts of neighbouring groups, and each part is searched by itself
(kernels/c/search/improve.c): a few neighbouring groups are taken apart and cut again, rows are exchanged, and a worse
result is kept with a probability that falls with the temperature. The parts follow from the groups and the seed, not
from the number of cores. They change in the next round, so that no border stays. Effort is counted in cells looked at.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from shoal.kernels import Effort, Outcome, Rows
from shoal.kernels.threads import n_threads
from shoal.problem import Floats, Ints, Problem, Watch
from shoal.search.anchors import loosen_more
from shoal.search.neighbours import near_tuples
from shoal.search.promises import promises_of
from shoal.spaces import space_of

PART = 4000
"""Units in a part: enough room to move rows, few enough to stay in a cache and to give several cores work."""
GROUPS_OF_CHAINS, UNITS_OF_CHAINS = 4000, 50_000
"""Groups of k in a part whose rows are placed anew along chains: the more there are, the further a chain may lead. And
units, for memory.
"""
SHARE_OF_CHAINS = 0.25
"""Work for the chains after a cold round, as a share of the round's own, at most."""
HOT, COLD = 0.27, 0.034
"""Temperatures as multiples of how much worse a try is on average, if it is worse: of a search that begins with a poor
release.
"""
WARM = 0.1
"""The first of them, for k = 2, of a search that begins with a good one: more would undo it."""
ROWS_OF_A_TRY = 50
"""A try takes about so many rows out of their groups: of more groups where they are small."""


def temperatures(k: int, is_good: bool) -> tuple[float, float]:
    """How hot a search begins and how cold it ends; ``is_good`` where it begins with a release that is good already.

    Then it must be the cooler, the larger groups are. A try moves more rows, and most tries spoil much more than there
    is left to gain: so what a bad try costs on average says less and less about what should pass. Tuned on many tables
    (docs/decisions.md).
    """
    share = 2.0 / max(k, 2)
    return (WARM * share**0.4, COLD * share**0.75) if is_good else (HOT, COLD)


def breadth(k: int) -> int:
    """How many groups a try takes apart at most; of 16 tries, as many exchange two rows instead."""
    return max(3, min(6, ROWS_OF_A_TRY // k))


def borrows(k: int) -> int:
    """Of 16 tries that take groups apart, how many take rows along that other groups can spare: groups of two or three
    have few of them.
    """
    return min(8, k - 1) if k > 3 else 0


class Annealing:
    """A search over one problem that goes on round by round."""

    def __init__(
        self,
        problem: Problem,
        group: Ints,
        worth: Floats,
        near: Ints | None = None,
        leave: Floats | None = None,
        watch: Watch | None = None,
    ) -> None:
        """``group`` must satisfy k and every demand; ``worth`` is a price for each tuple that guides where to look.

        Where the watch asks to stop, parts that a round has not begun with stay as they are.
        """
        self.problem, self.watch = problem, watch or Watch()
        self.near = near_tuples(problem, problem.seed) if near is None else near
        self.space = space_of(problem)
        self.leave = leave
        self.rounds = 0
        self.work = self.last_work = 0
        self.cost = np.inf
        """What the groups pay after the last round; of trees that is exact."""
        self.uphill = 0.0
        """How much worse a try of the last round was, on average, if it was worse."""
        self.rows = self._rows(worth)
        labels, numbered = np.unique(group, return_inverse=True)
        withheld = int((labels < 0).sum())
        self.group = (numbered - withheld).astype(np.int32)
        self.n_groups = len(labels) - withheld

    def loosen_more(self) -> NDArray[np.int64] | None:
        """Cut more rows loose where all loose ones are lent; for each unit the one that it was a part of, or None if
        nothing changed.
        """
        found = loosen_more(self.problem, self.group)
        if found is None:
            return None
        self.problem, was = found
        self.group = self.group[was]
        return was

    def guide(self, worth: Floats, leave: Floats | None = None) -> None:
        """Take better prices of the tuples, or other prices of leaving."""
        self.leave = leave
        self.rows = self._rows(worth)

    def _rows(self, worth: Floats) -> Rows:
        return Rows(
            self.space,
            self.problem.codes,
            self.near,
            self.problem.tuple_of_unit,
            self.problem.rows_of_unit,
            np.ascontiguousarray(worth, dtype=np.float64),
            self.leave,
            promises_of(self.problem),
        )

    def round(self, work: int, hot: float, cold: float) -> float:
        """Search every part once, with so much work in all and between two temperatures. The cost afterwards.

        A cold round ends with the rows placed as cheaply as the cells of its groups allow. After a warm one that brings
        nothing (docs/decisions.md).
        """
        k, n = self.problem.k, self.problem.n_units
        seed = self.problem.seed * 1_000_003 + self.rounds

        def search(number: int, piece: Ints) -> Outcome:
            effort = Effort(
                work=0 if self.watch.wants_stop() else int(work * len(piece) / n),
                hot=hot,
                cold=cold,
                seed=hash_of(seed, number),
                breadth=breadth(k),
                swaps=breadth(k),
                borrows=borrows(k),
                pool=max(64, 6 * k),
                bonus=1.0 / k,
            )
            return self.rows.improve(self.group, piece, k, effort)

        outcomes = self._over_parts(max(PART, 40 * k), seed, search)
        self.uphill = sum(o.uphill for o in outcomes) / max(sum(o.n_uphill for o in outcomes), 1)
        self.rounds += 1
        if hot <= 0.0:
            self.settle(int(SHARE_OF_CHAINS * work))
        return self.cost

    def settle(self, work: int) -> float:
        """Place the rows as cheaply as the cells of the groups allow, with so much work at most.

        The cost afterwards.
        """
        k, n = self.problem.k, self.problem.n_units

        def place(_: int, piece: Ints) -> Outcome:
            return self.rows.settle(self.group, piece, k, 0 if self.watch.wants_stop() else int(work * len(piece) / n))

        if not self.problem.demands and not self.watch.wants_stop():
            seed, before = self.problem.seed * 1_000_003 + self.rounds, self.last_work
            self._over_parts(min(GROUPS_OF_CHAINS * k, UNITS_OF_CHAINS), seed, place)
            self.last_work += before
        return self.cost

    def _over_parts(self, target: int, seed: int, search: Callable[[int, Ints], Outcome]) -> list[Outcome]:
        """Cut the table into parts of about so many units, search each, and take what they found."""
        part, n_parts = self.rows.parts(self.group, self.n_groups, target, seed)
        key = part.astype(np.int16) if n_parts <= 2**15 else part  # short numbers are sorted by their digits
        order = np.argsort(key, kind="stable").astype(np.int32)
        ends = np.cumsum(np.bincount(part, minlength=n_parts))
        pieces = [piece for piece in np.split(order, ends[:-1]) if len(piece)]
        with ThreadPoolExecutor(max_workers=n_threads()) as threads:
            outcomes = list(threads.map(search, range(len(pieces)), pieces))
        group = np.empty(self.problem.n_units, dtype=np.int32)
        first, cost, before = 0, 0.0, self.work
        for piece, outcome in zip(pieces, outcomes, strict=True):
            group[piece] = np.where(outcome.group < 0, -1, outcome.group + first)
            first += outcome.n_groups
            cost += outcome.cost
            self.work += outcome.work
        self.group, self.n_groups = group, first
        self.last_work = self.work - before
        if self.leave is not None:
            away = group < 0
            cost += float((self.leave[self.problem.tuple_of_unit[away]] * self.problem.rows_of_unit[away]).sum())
        self.cost = cost
        return outcomes


def polished(
    problem: Problem, group: Ints, worth: Floats, watch: Watch, rounds: int = 16, work: int = 4_000_000
) -> Ints:
    """The best groups of a short search from given ones on, with so many rounds and so many cells in each."""
    search = Annealing(problem, group, worth, watch=watch)
    least, best, uphill = search.round(work, 0.0, 0.0), search.group, search.uphill
    hot, cold = temperatures(problem.k, is_good=True)
    step = (cold / hot) ** (1.0 / rounds)
    for number in range(rounds):
        if watch.wants_stop():
            break
        warm = 0.0 if number == rounds - 1 else hot * uphill * step**number
        cost = search.round(work, warm, warm * step)
        if cost < least:
            least, best = cost, search.group
    return best


def hash_of(seed: int, number: int) -> int:
    """A seed of its own for each part of each round."""
    return int(np.random.SeedSequence([seed & 0xFFFFFFFFFFFFFFFF, number]).generate_state(1, np.uint64)[0])
