"""The optimum by groups: prices with cuts first, then an integer program over the groups that they leave.

A release that costs no more than δ above what prices and cuts prove has only groups that miss their prices by no more
than δ: each group's miss is counted once, and none is below zero. There are few such groups for a small δ, and the
integer program takes them all. If its best costs no more than the reach, it is the optimum; if there is none, the reach
is a bound, and δ grows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.bounds.base import proved
from shoal.bounds.rank import with_cuts
from shoal.budget import Budget
from shoal.kernels.closed_boxes import ClosedBoxes
from shoal.kernels.native import TooMuchWork
from shoal.partition.best import Best, is_proved
from shoal.partition.branching import Branching
from shoal.partition.climb import LEAST_GAIN, GroupClimb
from shoal.partition.cuts import GroupCut
from shoal.partition.dive import dive
from shoal.partition.work import Work
from shoal.problem import Floats, Ints, Problem, close
from shoal.search.annealing import polished

MOST_TUPLES, MOST_K = 600, 10
MOST_GROUPS = 150_000
"""Groups up to which the integer program is tried."""
SECONDS_OF_RANK = 3.0
FIRST_DELTA = 5e-4


def applies(problem: Problem) -> bool:
    """Whether a problem is one of groups alone, and small enough."""
    return (
        not problem.may_withhold
        and problem.n_tuples <= MOST_TUPLES
        and 2 <= problem.k <= MOST_K
        and not problem.demands
    )


@dataclass
class Closing:
    """A run: the best release so far, and the unit of which all losses are multiples (0 for none)."""

    problem: Problem
    boxes: ClosedBoxes
    best: Best
    unit: float
    work: Work
    climb: GroupClimb | None = None
    misses: Floats | None = None
    """By how much the dearest group of each box misses its prices, where that is known."""

    def run(self, y: Floats) -> None:
        """Prove as much as these prices, cuts and the groups that they leave allow; stop where groups become too many
        or the work is over.
        """
        with suppress(TooMuchWork, InterruptedError):
            climb = self.climbed(y)
            self.dive(climb)
            self.search(climb)
        if self.climb is not None:
            self.look_back(self.climb)

    def look_back(self, climb: GroupClimb) -> None:
        """What the prices and cuts prove, and of each box how far its groups are from being of use."""
        self.best.prove(climb.proof.worth, self.unit, by_cuts=True)
        if is_proved(self.best, self.unit):
            return
        with suppress(TooMuchWork, InterruptedError):
            self.misses = climb.misses()

    def boxes_within(self, reach: float) -> NDArray[np.bool_]:
        """The boxes that groups of a release may be in which costs no more than this."""
        if self.climb is None or self.misses is None:
            return np.ones(len(self.boxes), dtype=np.bool_)
        return self.misses <= self.climb.most_missed(reach - self.climb.proof.worth)

    def is_over(self) -> bool:
        return is_proved(self.best, self.unit) or self.work.wants_stop()

    def tell(self, stage: str) -> None:
        offset = float((self.problem.offset_of_tuple * self.problem.weight).sum())
        self.work.tell(stage, loss=self.best.cost - offset, bound=self.best.bound - offset)

    def climbed(self, y: Floats) -> GroupClimb:
        """Prices with cuts, raised until cuts gain little."""
        y, cuts, price = self.ranked(y)
        self.climb = climb = GroupClimb(self.problem, self.boxes, y, self.work, cuts, price)
        gains = [math.inf, math.inf]
        while True:
            before = climb.proof.worth
            shares = climb.settle()
            self.best.prove(climb.proof.worth, self.unit, by_cuts=True)
            self.tell("cuts")
            gains.append(climb.proof.worth / before - 1.0 if before > 0 else math.inf)
            if self.is_over() or shares is None or max(gains[-2:]) < LEAST_GAIN or not climb.cut(shares):
                return climb

    def dive(self, climb: GroupClimb) -> None:
        """A release along the shares of groups, and a short local search from there."""
        found = None if self.is_over() else dive(climb)
        if found is None:
            return
        worth = np.ascontiguousarray(np.maximum(climb.proof.y, 0.0))
        for group in (found, polished(self.problem, found, worth, self.work)):
            self.best.keep(group, cost_of(self.problem, group))
        self.tell("cuts")

    def ranked(self, y: Floats) -> tuple[Floats, list[GroupCut], Floats]:
        """The prices and cuts of the bound `rank`, or these prices where it has none.

        A cut over groups is at least as strong as one over boxes.
        """
        first = proved(self.problem, "linear", np.maximum(y, 0.0))
        budget = Budget(min(SECONDS_OF_RANK, self.work.budget.left() / 4), self.work)
        found = with_cuts(self.problem, first, budget)
        self.work.budget.spend(budget.spent, 1.0)
        if found is None or found.prices is None:
            return y, [], np.zeros(0)
        offset = float((self.problem.offset_of_tuple * self.problem.weight).sum())
        self.best.prove(found.value + offset, self.unit, by_cuts=True)
        cuts = [GroupCut(tuple(np.sort(c.tuples).tolist()), (1,) * len(c.tuples), self.problem.k) for c in found.cuts]
        return found.prices, cuts, np.array([c.price for c in found.cuts])

    def search(self, climb: GroupClimb) -> None:
        """The integer program over the groups within δ, for a larger and larger δ."""
        base = climb.proof.worth
        delta = max(1.01 * self.unit, FIRST_DELTA * base)
        while not self.is_over():
            delta = min(delta, self.best.cost - 0.9 * self.unit - base)
            rows = climb.within(delta, MOST_GROUPS)
            self.tell("groups")
            if not self.choose(rows, climb.program.cuts, climb.proof.price, base + delta):
                return
            delta = 2.0 * delta

    def choose(self, rows: Ints, cuts: Sequence[GroupCut], price: Floats, reach: float) -> bool:
        """The best release of these groups, which are all that one within reach may have; whether that was decided."""
        kept = [cuts[c] for c in np.flatnonzero(price > 0).tolist()]
        branching = Branching(self.problem, rows, kept, reach, self.unit, self.work)
        bound, decided = branching.run()
        if branching.best is not None:
            group = group_of(self.problem, branching.best)
            self.best.keep(group, cost_of(self.problem, group))
        self.best.prove(bound, self.unit, by_cuts=True)
        return decided


def group_of(problem: Problem, rows: Ints) -> Ints:
    """The group of each row, given the tuples of each group's rows."""
    number, place = np.nonzero(rows >= 0)
    group = np.empty(problem.n_rows, dtype=np.int32)
    group[problem.units_by_tuple] = number[np.argsort(rows[number, place], kind="stable")]
    return group


def cost_of(problem: Problem, group: Ints) -> float:
    """What a release of all rows costs in prices, offsets not taken off."""
    return close(problem, group).loss + float((problem.offset_of_tuple * problem.weight).sum())
