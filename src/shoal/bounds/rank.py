"""Rank: prices that may exceed what a box pays, because only so many groups fit into the boxes around it.

Bound.       Sum over rows of prices y, less σ_U · ⌊|U| / k⌋ for each cut U, a box with a price σ_U ≥ 0 of its own; such
             that in every box B any k to 2k − 1 rows have prices of at most what they pay there and the sum of σ_U over
             the cuts around B.
Proof.       Larger groups split, so the best release has groups of k to 2k − 1 rows. Each pays at least its prices less
             the σ of the cuts around it, and at most ⌊|U| / k⌋ groups lie inside of U. Sum over the groups.
Method.      The linear program, by rows and columns. Begin with the prices of `dual` and the boxes that are nearly
             tight for them; solve with HiGHS; add the boxes that are overcharged, and cuts for boxes inside of which
             the program has more groups than fit. What is returned is divided until no box overcharges, and what
             rounding leaves is paid by a cut around the whole table. So its proof does not depend on the solver.
Complexity.  For tables of up to some thousands of tuples whose boxes fit memory.
Reference.   Rank inequalities of set packing (Chvátal 1973; Edmonds 1965 for k = 2); docs/guarantees.md.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from shoal.bounds import dual
from shoal.bounds.base import SAFETY, BoundMethod, check, gain_of, net_limit, proved
from shoal.bounds.diversity import diversity_of
from shoal.bounds.rank_boxes import AllBoxes, Dearest, all_boxes
from shoal.bounds.rank_program import CutProgram
from shoal.budget import Budget
from shoal.errors import Refused
from shoal.problem import Bound, Floats, Longs, Problem, RankCut, Watch

MOST_TUPLES, MOST_K = 2_000, 10
MOST_TURNS = 80
NEARLY_TIGHT = 0.97
AT_ONCE, TOO_MANY = 150, 0.02
"""New cuts of a turn; by how many groups a box must hold more than fit, to become one."""
MOST_CUTS = 1_500
PART = 0.4
"""How far prices go from the best so far to what the program wishes for."""
CLOSE = 0.01
"""Cuts are looked for when the program promises no more than this share above what is proved: before, most would be of
no use.
"""
USUAL_SECONDS, USUAL_K = 5.0, 5
STEPPED_PER_SECOND, LOOKED_PER_SECOND = 5_000_000, 12_000_000
"""Tuples times steps of the simplex method, more for a larger k, and rows of boxes times turns, in a second of a common
machine.
"""
ENOUGH = 1e-4
"""Stop when the program promises no more than this share above what is proved."""


@dataclass(frozen=True, eq=False)
class Priced:
    """Net prices and cuts that no box overcharges, and what they are worth."""

    net: Floats
    cuts: Floats
    """The price of each cut of the program."""
    rest: float
    """The price of a cut around the whole table, for what is left to be overcharged."""
    worth: float


def compute(problem: Problem, watch: Watch) -> Bound:
    note = check(problem)
    if problem.n_rows == 0:
        return proved(problem, "rank", None, note)
    reason = why_not(problem)
    if reason is not None:
        raise Refused(reason)
    first = dual.prices(problem, dual.TURNS, watch).bound
    found = with_cuts(problem, first, Budget(USUAL_SECONDS, watch))
    return first if found is None else found


def why_not(problem: Problem) -> str | None:
    """Why a problem has no such bound; None if it has."""
    if not problem.is_laminar:
        return "'rank' needs hierarchies, and some columns may show any interval or any subset: take 'anchored'."
    if problem.n_tuples > MOST_TUPLES:
        return (
            f"'rank' takes tables of up to {MOST_TUPLES} distinct rows, and this has {problem.n_tuples}: take 'dual'."
        )
    if problem.k > MOST_K:
        return (
            f"'rank' takes k up to {MOST_K}: groups of more rows fit nearly evenly, and the program is slow. Take "
            "'dual'."
        )
    if diversity_of(problem) is not None:
        return "'rank' counts no different values in a group: take 'dual'."
    return None


def with_cuts(problem: Problem, first: Bound, budget: Budget) -> Bound | None:
    """A better bound than one that prices prove; None where there is none, or where the boxes are too many."""
    if why_not(problem) is not None or first.prices is None or first.value <= 0.0:
        return None
    own = dual.own_parts(problem)
    boxes = all_boxes(problem, np.zeros(problem.n_tuples) if own is None else own)
    if boxes is None:
        return None
    climb = Climb(boxes, np.maximum(first.prices - boxes.own, 0.0), budget)
    for _ in range(MOST_TURNS):
        if budget.is_over() or not climb.turn():
            break
        budget.watch.tell("cuts", bound=max(climb.worth(), first.value))
    found = climb.bound(first.note)
    return found if found.value > first.value else None


class Climb:
    """Prices and cuts that prove more from turn to turn."""

    def __init__(self, boxes: AllBoxes, net: Floats, budget: Budget) -> None:
        self.boxes, self.problem, self.budget = boxes, boxes.problem, budget
        self.cuts: Longs = np.zeros(0, dtype=np.int64)
        """The boxes that are cuts."""
        self.around = boxes.inside(np.arange(len(boxes)), self.cuts)
        """Which cuts are around each box."""
        self.limit = net_limit(self.problem, net, boxes.own)
        held = np.minimum(net, self.limit)
        self.taken_off = float((self.problem.weight * held).sum()) - gain_of(self.problem, held, boxes.own)
        """What rows are worth that may leave, of prices below the limit."""
        self.program = CutProgram(self.problem, self.limit)
        self.best = self.repaired(net, np.zeros(0))
        tight = boxes.dearest(self.best.net / NEARLY_TIGHT, np.zeros(len(boxes)))
        self.add(tight, np.flatnonzero(tight.excess > 0))

    def allowed(self, cuts: Floats) -> Floats:
        """What each box may be overcharged by."""
        found: Floats = self.around @ cuts
        return found

    def repaired(self, net: Floats, cuts: Floats, met: Dearest | None = None) -> Priced:
        """Prices and cuts divided until no box overcharges; the rest is paid by the whole table."""
        net = np.minimum(net, self.limit)
        net, rest = self.boxes.divided(net, self.allowed(cuts), met)
        k = self.problem.k
        paid = float((cuts * (self.boxes.n_rows[self.cuts] // k)).sum()) + rest * (self.problem.n_rows // k)
        return Priced(net, cuts, rest, gain_of(self.problem, net, self.boxes.own) - paid)

    def add(self, dearest: Dearest, which: Longs) -> None:
        """Tell the program about sets of rows, one of each of these boxes."""
        self.program.add(dearest, which, self.boxes.boxes.price, self.boxes.own, self.around)

    def turn(self) -> bool:
        """Solve, add what is broken, repair; whether it is worth going on."""
        program, step = self.program, self.problem.n_tuples * max(self.problem.k / USUAL_K, 1.0) ** 2
        found = program.solve(int(min(self.budget.left() * STEPPED_PER_SECOND / step, 2e9)))
        self.budget.spend(len(self.boxes.box), LOOKED_PER_SECOND)
        if found is None:
            return False
        self.budget.spend(found.steps * step, STEPPED_PER_SECOND)
        # on the way to what is wished for lies more that can be kept
        if self.keep(found.net, found.cuts, divide=False):
            best = self.best
            self.keep(best.net + PART * (found.net - best.net), best.cuts + PART * (found.cuts - best.cuts))
        wished = found.worth - self.taken_off
        if wished > self.best.worth * (1.0 + CLOSE):
            return True
        is_cut = self.cut(program.box_of_set[: len(found.share)], found.share)
        return is_cut or wished > self.best.worth * (1.0 + ENOUGH)

    def keep(self, net: Floats, cuts: Floats, divide: bool = True) -> bool:
        """Tell the program what these prices overcharge, and keep them if they prove more, divided if need be; whether
        they overcharge.
        """
        met = self.boxes.dearest(net, self.allowed(cuts))
        broken = self.boxes.worst(met, 1e-9 * self.problem.price_of_suppression)
        self.add(met, broken)
        if divide or len(broken) == 0:
            repaired = self.repaired(net, cuts, met)
            if repaired.worth > self.best.worth:
                self.best = repaired
        return len(broken) > 0

    def cut(self, box_of_set: Longs, share: Floats) -> bool:
        """Add cuts for the boxes inside of which the program has more groups than fit; whether there were any."""
        from scipy import sparse

        used = share > 1e-7
        over = self.boxes.too_many_groups(box_of_set[used], share[used])
        over[self.cuts] = 0.0
        new = np.argsort(-over, kind="stable")[: min(AT_ONCE, MOST_CUTS - len(self.cuts))]
        new = new[over[new] > TOO_MANY]
        if len(new) == 0:
            return False
        self.cuts = np.concatenate([self.cuts, new])
        inside = self.boxes.inside(np.arange(len(self.boxes)), new)
        self.around = sparse.hstack([self.around, inside], format="csr")
        self.best = replace(self.best, cuts=np.concatenate([self.best.cuts, np.zeros(len(new))]))
        self.program.add_cuts(inside, self.boxes.n_rows[new] // self.problem.k)
        return True

    def worth(self) -> float:
        """What the best prices and cuts are worth, own parts and offsets counted."""
        own = self.boxes.own - self.problem.offset_of_tuple
        return self.best.worth + float((self.problem.weight * own).sum())

    def bound(self, note: str) -> Bound:
        """What the best prices and cuts prove."""
        problem, best, boxes = self.problem, self.best, self.boxes.boxes
        cuts = [
            RankCut(np.sort(boxes.tuples[boxes.start[box] : boxes.start[box + 1]]), price * (1.0 + SAFETY))
            for box, price in zip(self.cuts.tolist(), best.cuts.tolist(), strict=True)
            if price > 0.0
        ]
        everything = np.arange(problem.n_tuples, dtype=np.int32)
        cuts += [RankCut(everything, best.rest * (1.0 + SAFETY))] if best.rest > 0.0 else []
        plain = proved(problem, "rank", best.net + self.boxes.own, note)
        paid = sum(cut.price * (int(problem.weight[cut.tuples].sum()) // problem.k) for cut in cuts)
        return replace(plain, value=max(plain.value - paid, 0.0), cuts=tuple(cuts))


RANK = BoundMethod(
    name="rank",
    title="Prices with cuts: only so many groups fit into a box",
    reference="Chvátal 1973; HiGHS; docs/guarantees.md",
    compute=compute,
)
