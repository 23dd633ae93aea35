"""Prices of rows and of cuts over groups that prove more and more: the linear program by groups and cuts.

Bound.       Σ y over the rows, less what each cut costs times the groups that it allows; such that no group of k to 2k
             − 1 rows has prices above what it pays and the cuts that it meets. What some group still exceeds by is
             taken off once for each group that a release can have.
Method.      Solve the program over the groups met so far; look in all boxes for the groups that exceed most, at prices
             half-way between the best so far and what the program wishes for; add them. When there are none, add cuts
             that the shares of groups break.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.budget import stoppable
from shoal.kernels.closed_boxes import ClosedBoxes
from shoal.kernels.groups import dear_groups
from shoal.partition.cuts import BrokenCuts, GroupCut, chosen_of, for_kernel, most_of
from shoal.partition.program import GroupProgram, Shares
from shoal.partition.work import Work
from shoal.problem import Floats, Ints, Problem

SAFETY = 1e-10
"""What is proved is lowered by this share, which is more than rounding can have raised it."""
MOST_WORK = 300_000_000
"""Groups begun in one search: some seconds."""
AT_ONCE = 400
MOST_ROUNDS = 400
ENOUGH = 1e-6
"""Rounds end when the program promises no more than this share above what is proved."""
LEAST_GAIN, MOST_CUTS = 5e-5, 2_000
"""Cuts end when two turns gain less than this share, or when they are so many."""


@dataclass(frozen=True, eq=False)
class Proof:
    """Prices of tuples and of cuts, by how much some group exceeds what it pays at most, and what they prove."""

    y: Floats
    price: Floats
    excess: float
    worth: float


class GroupClimb:
    """Prices and cuts over groups that prove more from turn to turn."""

    def __init__(
        self, problem: Problem, boxes: ClosedBoxes, y: Floats, work: Work, cuts: list[GroupCut], price: Floats
    ) -> None:
        """Begin with any prices of tuples and of cuts.

        Raises :class:`TooMuchWork` and InterruptedError, here and later.
        """
        self.problem, self.boxes, self.work = problem, boxes, work
        self.program = GroupProgram(problem)
        self.program.add_cuts(cuts) if cuts else None
        self.proof = self.proved(y, price)[0]
        self.program.add(self.dear(y / 0.97, price, 0.0)[0])

    def dear(self, y: Floats, price: Floats, least: float, most: int | None = None) -> tuple[Ints, Floats]:
        """Groups that exceed what they pay by more than this, and by how much: one of each box, or all, at most so
        many.
        """
        given = for_kernel(self.program.cuts[: len(price)], price, self.problem.n_tuples)
        room = len(self.boxes) if most is None else most
        with stoppable(self.work.watch) as stop:
            problem = self.problem
            found = dear_groups(
                self.boxes, problem.weight, problem.k, y, given, least, most is not None, room, MOST_WORK, stop
            )
        self.work.searched(found[2])
        return found[0], found[1]

    def proved(self, y: Floats, price: Floats) -> tuple[Proof, Ints, Floats]:
        """What prices prove, and the groups that exceed what they pay."""
        rows, excess = self.dear(y, price, 0.0)
        problem, worst = self.problem, float(excess.max(initial=0.0))
        paid = float((price * most_of(self.program.cuts[: len(price)], problem.weight)).sum())
        total = float((problem.weight * y).sum())
        size = float((problem.weight * np.abs(y)).sum()) + paid
        worth = total - paid - worst * (problem.n_rows // problem.k) - SAFETY * size
        return Proof(y, price, worst, worth), rows, excess

    def keep(self, y: Floats, price: Floats) -> int:
        """Look for groups that exceed at these prices, keep these if they prove more, tell the program of the groups;
        how many it did not know.
        """
        found, rows, excess = self.proved(y, price)
        if found.worth > self.proof.worth:
            self.proof = found
        broken = np.argsort(-excess, kind="stable")[:AT_ONCE]
        return self.program.add(rows[broken[excess[broken] > 1e-9 * self.problem.price_of_suppression]])

    def settle(self) -> Shares | None:
        """Add groups until the program can wish for no more; what it wishes for, None where it fails."""
        found = None
        for _ in range(MOST_ROUNDS):
            if self.work.wants_stop():
                raise InterruptedError
            found = self.program.solve(self.work)
            if found is None:
                break
            best = self.proof
            old = np.concatenate([best.price, np.zeros(len(found.price) - len(best.price))])
            new = self.keep((best.y + found.y) / 2.0, (old + found.price) / 2.0)
            if new == 0 and self.keep(found.y, found.price) == 0:
                break
            if found.cost <= self.proof.worth * (1.0 + ENOUGH):
                break
        return found

    def cut(self, shares: Shares) -> bool:
        """Add cuts that the shares break: triples of rows, and others where there are few; whether there were any."""
        program = self.program
        if len(program.cuts) >= MOST_CUTS:
            return False
        broken = BrokenCuts(program.counts, shares.share, self.problem.weight, self.work)
        have, n = set(program.cuts), self.problem.n_tuples
        cuts = chosen_of(broken.triples(), have, n)
        if len(cuts) < 10:
            cuts += chosen_of(broken.others(), have, n)
        if not cuts:
            return False
        program.add_cuts(cuts)
        return True

    def misses(self) -> Floats:
        """By how much the dearest group of each box misses its prices."""
        proof = self.proof
        return -self.dear(proof.y, proof.price, -np.inf)[1]  # every box has k rows, so one group

    def within(self, delta: float, most: int) -> Ints:
        """All groups that a release may have which costs no more than delta above what is proved."""
        proof = self.proof
        least = -self.most_missed(delta)
        rows, _ = self.dear(proof.y, proof.price, least, most)
        return np.unique(-np.sort(-rows, axis=1), axis=0)

    def most_missed(self, delta: float) -> float:
        """By how much no group of a release misses its prices which costs no more than delta above what is proved."""
        return (delta + self.proof.excess * (self.problem.n_rows // self.problem.k)) * (1 + 1e-9) + 1e-9
