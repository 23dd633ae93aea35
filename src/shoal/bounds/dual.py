"""Dual: prices on the rows such that no box is overcharged.

Bound.       Sum over rows of prices y ≥ 0 such that in every box with at least k rows the k highest prices average at
             most the price d(B) of the box.
Proof.       A group S of at least k rows that shows the box B pays |S|·d(B). Its mean price is at most the mean of the
             k highest prices in B, so at most d(B): the group pays at least the sum of its prices. Sum over the groups.
Method.      The tightness of a box is the sum of its k highest prices over k·d(B), and R_i the tightness of row i's
             tightest box. Dividing each y_i by its R_i makes any prices feasible: in a box each price is divided by at
             least the tightness of the box. So: begin with the prices of `box`; in turns, walk all boxes once (divide,
             and list the tight boxes), then raise the prices on the listed boxes alone by gradient steps on the
             logarithm of the sum after division, with momentum. The price of a row that no tight box needs rises; that
             of a row that several need falls. The bound is what the last whole walk left, so its proof does not depend
             on the steps in between.
Net.         Where the values of a row have a price by themselves (non-uniform entropy and what derives from it; missing
             cells that are starred), all this is done with net prices: a row's own part o_i, which it pays in any
             group, is taken off its price and off what it pays. The tightness of a box is then the largest Σ z / Σ
             (d(B) − o_i) over any k of its rows, z being net prices, and dividing these by it makes them feasible for
             the same reason.
Leaving.     A row may be deleted at the price P of suppressing it whole: prices are held below P, and the sum over all
             rows is the bound. Of rows that may be withheld at no cost, the m dearest are taken off the sum, so the
             bound holds whichever leave. Then prices are held below a fee λ, which moves with the turns: the sum of
             min(y, λ) less m·λ is the same bound.
Diverse.     Where groups must hold l different sensitive values, boxes with fewer are left out: no group shows them.
Free.        Over trees whose nodes cost no more than any allowed set with that closure.
Complexity.  A turn walks the boxes that may be tight and does some tens of rounds on the listed ones; work is counted
             and limited.
Reference.   The linear program of lower-bounded facility location over boxes, and its dual; docs/guarantees.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shoal import kernels
from shoal.bounds import box
from shoal.bounds.base import BoundMethod, check, dearest, gain_of, net_limit, proved
from shoal.bounds.diversity import diversity_of
from shoal.bounds.relaxation import laminar
from shoal.budget import stoppable
from shoal.kernels.boxes import Boxes, TooMuchWork
from shoal.problem import Bound, Floats, Problem, Watch

TURNS = 12
ROUNDS = 40
LEAST = 0.9
"""Boxes below this tightness are left out of a turn, and no price rises above 1 / LEAST times in it."""
FIRST_LEAST = 0.6
"""The first walk looks further: prices of the box bound are far from tight."""
MANY = 1_000_000
"""Tuples in the listed boxes from which on fewer boxes are listed: those nearer to being tight."""
CLOSEST = 0.975
REACH, WIDE_REACH = 0.85, 0.5
"""A listed box names its tuples down to this share of the k-th highest price."""
STEP, STEP_FALLS = 0.3, 0.9
SOFTNESS, SOFTNESS_FALLS = 0.03, 0.85
MOMENTUM = 0.7
MOST_BOXES = 4_000_000
MOST_WORK = 3_000_000_000
"""Rows looked at in one walk."""
ENTRY = 10
"""A round takes as long for each tuple of a listed box as a walk for so many rows."""


@dataclass(frozen=True, eq=False)
class DualResult:
    """Feasible prices, the boxes that are tight for them, and the bound that they prove."""

    prices: Floats
    """A price for each tuple, before offsets."""
    boxes: Boxes
    """The boxes of tightness at least ``LEAST``, each with the tuples that carry its highest prices."""
    bound: Bound
    work: int
    """Rows looked at, in all boxes of all turns: the same on every machine."""


class RisingPrices:
    """Prices that rise turn by turn; feasible after each."""

    name, first_name = "dual", "box"
    """What the bound is called once prices have risen, and before."""
    share = 0.3
    """The share of an effort that prices may take; what they do not use goes to the search."""

    def __init__(
        self, problem: Problem, start: Floats | None = None, most_work: int = MOST_WORK, watch: Watch = box.NOBODY
    ) -> None:
        """Begin with the prices of the box bound, or with others; they need not be feasible.

        If the watch asks to stop, the best so far stay.
        """
        self.problem, self.easier, self.most_work, self.watch = problem, laminar(problem), most_work, watch
        self.note = check(problem)
        self.turns = self.work = 0
        self.boxes = self.raised = none_of(self.easier.n_columns)
        """The boxes that the last walk listed, and those of them on which prices are raised."""
        self.own = self.own_parts()
        """What each tuple pays by itself; None if nothing."""
        self.diverse = diversity_of(problem)
        """The different values that a group must hold; None if nothing is asked."""
        first, remark = self.begin()
        self.best = self.wished = self.net(first)
        """Net prices: the best that are feasible, and those that may become so."""
        if start is not None:
            self.wished = self.net(start)
        self.note = " ".join(s for s in (self.note, remark) if s)
        self.is_stuck, self.is_raised, self.is_final = remark != "", False, False
        self.least = LEAST
        self.repair(FIRST_LEAST)
        self.repair(self.least)

    @property
    def prices(self) -> Floats:
        """The best prices, with what each tuple pays by itself."""
        return self.best if self.own is None else self.best + self.own

    def net(self, prices: Floats) -> Floats:
        return prices if self.own is None else np.maximum(prices - self.own, 0.0)

    def own_parts(self) -> Floats | None:
        return own_parts(self.easier)

    def begin(self) -> tuple[Floats, str]:
        """Feasible prices to begin with; a remark where they are final."""
        return box.prices(self.problem, max(min(box.MOST_WORK, self.most_work), self.most_work // 2), self.watch)

    def walk(self, prices: Floats, least: float, keep: float, reach: float, most: int) -> tuple[Floats, Boxes, int]:
        """How tight each tuple's tightest box is, at least ``least``; the boxes of tightness at least ``keep``; and the
        work.
        """
        rows = (self.easier.packed, self.easier.codes, self.easier.weight, self.easier.k)
        with stoppable(self.watch) as stop:
            return kernels.tight_boxes(
                *rows, prices, least, keep, reach, most, self.most_work, own=self.own, diverse=self.diverse, stop=stop
            )

    def repair(self, least: float) -> None:
        """Walk all boxes: divide the wanted prices until they are feasible, keep them if they prove more, and list the
        tight boxes.
        """
        if self.is_stuck:
            return
        keep, most = (least, MOST_BOXES) if least >= self.least else (np.inf, 0)
        try:
            tightness, boxes, work = self.walk(self.wished, least, keep, REACH, most)
        except InterruptedError:
            return
        except TooMuchWork:
            self.is_stuck = True
            self.note = f"{self.note} The boxes were too many to raise the prices further.".strip()
            return
        self.work += work
        self.wished = self.wished / tightness
        self.boxes = self.raised = boxes
        if len(boxes.tuples) > MANY and self.least < CLOSEST:
            self.least = 1.0 - (1.0 - self.least) / 2.0
            self.raised = boxes.tightest(self.least)
        if self.worth(self.wished) > self.worth(self.best):
            self.best, self.is_raised = self.wished, True

    def turn(self, rounds: int = ROUNDS) -> None:
        """Raise the prices on the tight boxes, then walk all boxes and divide."""
        if self.is_stuck:
            return
        weight, k = self.easier.weight, self.easier.k
        cap, y = self.wished / self.floors(), self.wished
        step, softness = STEP * STEP_FALLS**self.turns, SOFTNESS * SOFTNESS_FALLS**self.turns
        pace = np.zeros(len(y))
        best = y
        leaving = Leaving(self.problem, y, self.own)
        for r in range(rounds):
            if self.watch.wants_stop():
                return
            tightness, cover = kernels.price_round(self.raised, weight, k, y, self.least, softness, self.own)
            y = np.minimum(y / tightness, cap)
            if self.worth(y) > self.worth(best):
                best = y
            pace = MOMENTUM * pace + (1.0 - MOMENTUM) * np.clip(1.0 - cover, -1.0, 1.0)
            y = np.minimum(y * np.exp(step * (1.0 - r / rounds) * pace), cap)
            y = leaving.limited(y, cover, step * (1.0 - r / rounds))
        self.work += ENTRY * rounds * len(self.raised.tuples)
        self.turns += 1
        self.wished = best
        self.repair(self.least)

    def floors(self) -> float | Floats:
        """The tightness below which boxes were left out of the list."""
        return self.least

    def widely(self) -> Boxes:
        """The boxes that are tight or nearly so for the best prices, with many of their tuples: what a cover chooses
        from.
        """
        if self.is_stuck:
            return self.boxes
        try:
            _, boxes, work = self.walk(self.best, LEAST, LEAST, WIDE_REACH, MOST_BOXES)
        except (TooMuchWork, InterruptedError):
            return self.boxes
        self.work += work
        return boxes

    def worth(self, prices: Floats) -> float:
        return gain_of(self.problem, prices, self.own)

    def result(self) -> DualResult:
        bound = proved(self.problem, self.name if self.is_raised else self.first_name, self.prices, self.note)
        return DualResult(self.prices, self.boxes, bound, self.work)


class Leaving:
    """The price from which on a row would rather leave: no price rises above it, so that others can.

    With row deletion it is the price of suppressing a row whole. Of rows that may be withheld at no cost it is a fee,
    in the direction in which the bound rises: higher while more rows leave at it than may, lower while fewer do.
    """

    def __init__(self, problem: Problem, net: Floats, own: Floats | None) -> None:
        self.problem, self.own = problem, own
        self.fee: float | None = None
        if problem.max_withheld:
            self.fee = dearest(problem, (net if own is None else net + own) - problem.offset_of_tuple)[1]

    def limited(self, net: Floats, cover: Floats, step: float) -> Floats:
        """The prices, none above the limit; ``cover`` says which of them would rise."""
        if not self.problem.may_withhold:
            return net
        limit = net_limit(self.problem, net, self.own, self.fee)
        if self.fee is not None:
            at = net >= limit * (1.0 - 1e-9)
            leaving = float((self.problem.weight * np.clip(1.0 - cover, 0.0, 1.0))[at].sum())
            most = self.problem.max_withheld
            self.fee *= float(np.exp(step * np.clip((leaving - most) / most, -1.0, 1.0)))
            limit = net_limit(self.problem, net, self.own, self.fee)
        return np.minimum(net, limit)


def prices(problem: Problem, effort: int, watch: Watch) -> DualResult:
    """Prices after ``effort`` turns; fewer if the watch asks to stop, or if a turn gains less than a hundredth of a per
    cent.
    """
    return raise_prices(RisingPrices(problem, watch=watch), effort, watch)


def raise_prices(rising: RisingPrices, effort: int, watch: Watch) -> DualResult:
    """Raise prices for so many turns; fewer if the watch asks to stop, or if a turn gains less than a hundredth of a
    per cent.
    """
    before = rising.result().bound.value
    for turn in range(effort):
        watch.tell("prices", turn / effort, bound=before)
        if watch.wants_stop() or rising.is_stuck or rising.is_final:
            break
        rising.turn()
        now = rising.result().bound.value
        if now <= before * 1.0001:
            break
        before = now
    return rising.result()


def compute(problem: Problem, watch: Watch) -> Bound:
    note = check(problem)
    if problem.n_rows == 0:
        return proved(problem, "dual", None, note)
    return prices(problem, TURNS, watch).bound


def own_parts(problem: Problem) -> Floats | None:
    """What each tuple pays in any group, for its own values, along trees; None if that is nothing for all of them."""
    return sum_of_leaves(problem, [column.price for column in problem.columns])


def sum_of_leaves(problem: Problem, prices: Sequence[Floats]) -> Floats | None:
    """What each tuple's leaves cost, from the prices of each column's leaves; None if that is nothing for all of
    them.
    """
    own = np.zeros(problem.n_tuples)
    for j, price in enumerate(prices):
        own += price[problem.codes[:, j]]
    return own if own.any() else None


def none_of(n_columns: int) -> Boxes:
    nothing = np.zeros(0)
    return Boxes(
        np.zeros((0, n_columns), dtype=np.int32),
        nothing,
        nothing,
        np.zeros(1, dtype=np.int64),
        np.zeros(0, dtype=np.int32),
    )


DUAL = BoundMethod(
    name="dual",
    title="Prices that no box can be overcharged by",
    reference="This project, docs/guarantees.md; linear programming duality",
    compute=compute,
)
