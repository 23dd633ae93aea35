"""Linear: the best prices there are, by the linear program itself.

Bound.       The maximum of the sum over rows of prices y ≥ 0 such that in every box with at least k rows the k highest
             prices average at most the price of the box: the dual of the linear program of lower-bounded facility
             location over boxes.
Proof.       As for `dual`: whatever the solver returns is divided by the tightness of each row's tightest box, over all
             boxes. So the prices are feasible, and only their quality depends on the solver.
Method.      Row generation. Begin with the prices of `dual` and one inequality for each box that is tight for them (its
             k highest rows). Solve with HiGHS, the prices held within a trust region around the best feasible ones;
             walk all boxes for those that are overcharged and add their inequalities; repair. The region moves to
             better prices, and shrinks when none are found.
Complexity.  One linear program with a variable for each distinct tuple a turn: for tables of up to some thousands of
             tuples.
Reference.   Kelley 1960; HiGHS: Huangfu and Hall 2018.
"""

from __future__ import annotations

import numpy as np

from shoal import kernels
from shoal.bounds import dual
from shoal.bounds.base import BoundMethod, check, gain_of, net_limit, proved
from shoal.bounds.diversity import diversity_of
from shoal.bounds.relaxation import laminar
from shoal.errors import Refused
from shoal.kernels.boxes import Boxes, Diversity, TooMuchWork
from shoal.problem import Bound, Floats, Problem, Watch

MOST_TUPLES = 5_000
MOST_TURNS = 40
ENOUGH = 1e-4
"""Stop when the linear program promises no more than this share above what is proved."""


def compute(problem: Problem, watch: Watch) -> Bound:
    note = check(problem)
    if problem.n_rows == 0:
        return proved(problem, "linear", None, note)
    if problem.n_tuples > MOST_TUPLES:
        raise Refused(
            f"'linear' takes tables of up to {MOST_TUPLES} distinct rows, and this has {problem.n_tuples}: take 'dual'."
        )
    first = dual.prices(problem, dual.TURNS, watch)
    better = raise_prices(laminar(problem), first, watch)
    return proved(problem, "linear", better, first.bound.note)


def raise_prices(problem: Problem, first: dual.DualResult, watch: Watch) -> Floats:
    """Solve, add what is broken, repair; until little is left to gain."""
    own, diverse = dual.own_parts(problem), diversity_of(problem)
    best = first.prices if own is None else np.maximum(first.prices - own, 0.0)
    worth = gain_of(problem, best, own)
    if len(first.boxes) == 0 or worth == 0.0:
        return first.prices
    program = Program(problem, own)
    program.add(first.boxes, best)
    reach = 0.25
    for turn in range(MOST_TURNS):
        watch.tell("linear program", turn / MOST_TURNS)
        if watch.wants_stop() or reach < 1e-4:
            break
        wished, promised = program.solve(
            best * (1.0 - reach), np.maximum(best * (1.0 + reach), reach * best[best > 0].mean())
        )
        if wished is None or promised <= worth * (1.0 + ENOUGH):
            break
        try:
            tightness, broken = walk(problem, wished, own, diverse)
        except TooMuchWork:
            break
        repaired = wished / tightness
        found = gain_of(problem, repaired, own)
        if found > worth:
            best, worth = repaired, found
        else:
            reach /= 2.0
        if len(broken) == 0 and found <= worth * (1.0 + ENOUGH):
            break
        program.add(broken, wished)
    return best if own is None else best + own


def walk(problem: Problem, wished: Floats, own: Floats | None, diverse: Diversity | None) -> tuple[Floats, Boxes]:
    """How tight the tightest box of each tuple is, and the boxes that are overcharged."""
    rows = (problem.packed, problem.codes, problem.weight, problem.k)
    least, broken, most, work = 0.98, 1.0 + 1e-7, dual.MOST_BOXES, dual.MOST_WORK
    return kernels.tight_boxes(*rows, wished, least, broken, 1.0, most, work, own=own, diverse=diverse)[:2]


class Program:
    """Maximise what the net prices are worth under the inequalities met so far.

    Where m rows may be withheld at no cost there is a fee λ for leaving: the sum of what is above it is taken off, and
    m·λ.
    """

    def __init__(self, problem: Problem, own: Floats | None) -> None:
        from shoal import highs

        self.problem, self.highs = problem, highs
        self.own = np.zeros(problem.n_tuples) if own is None else own
        self.solver = highs.solver()
        n = problem.n_tuples
        self.solver.addVars(n, np.zeros(n), np.full(n, highs.INFINITY))
        self.solver.changeColsCost(n, np.arange(n, dtype=np.int32), problem.weight.astype(float))
        highs.maximise(self.solver)
        self.limit = net_limit(problem, np.zeros(n), own) if problem.deletion else np.full(n, highs.INFINITY)
        if problem.max_withheld:
            self.let_leave()

    def let_leave(self) -> None:
        """A fee, and how far each price is above it: price + own − offset − above ≤ fee."""
        n, inf = self.problem.n_tuples, self.highs.INFINITY
        place = np.arange(n, dtype=np.int32)
        self.solver.addVars(n + 1, np.zeros(n + 1), np.full(n + 1, inf))
        paid = np.append(-self.problem.weight.astype(float), -float(self.problem.max_withheld))
        self.solver.changeColsCost(n + 1, np.arange(n, 2 * n + 1, dtype=np.int32), paid)
        index = np.stack([place, n + place, np.full(n, 2 * n, dtype=np.int32)], axis=1).reshape(-1)
        high = self.problem.offset_of_tuple - self.own
        self.solver.addRows(n, np.full(n, -inf), high, 3 * n, 3 * place, index, np.tile([1.0, -1.0, -1.0], n))

    def add(self, boxes: Boxes, prices: Floats) -> None:
        """One inequality for each box: the k rows that are dearest there pay, with their own parts, at most k times the
        box.
        """
        index, value, start, own = [], [], [], np.zeros(len(boxes))
        k, weight, size = self.problem.k, self.problem.weight, 0
        for b in range(len(boxes)):
            tuples = boxes.tuples[boxes.start[b] : boxes.start[b + 1]]
            tuples = tuples[np.argsort(-prices[tuples] - self.own[tuples], kind="stable")]
            before = np.cumsum(weight[tuples]) - weight[tuples]
            taken = np.clip(k - before, 0, weight[tuples])
            own[b] = float((taken * self.own[tuples]).sum())
            start.append(size)
            index.append(tuples[taken > 0])
            value.append(taken[taken > 0].astype(float))
            size += len(index[-1])
        if start:
            n = len(start)
            self.solver.addRows(
                n,
                np.full(n, -self.highs.INFINITY),
                k * boxes.price - own,
                size,
                np.array(start, dtype=np.int32),
                np.concatenate(index).astype(np.int32),
                np.concatenate(value),
            )

    def solve(self, low: Floats, high: Floats) -> tuple[Floats | None, float]:
        """The best prices between two others, and what they are worth; None if the solver has none."""
        n = len(low)
        self.solver.changeColsBounds(
            n, np.arange(n, dtype=np.int32), np.minimum(low, self.limit), np.minimum(high, self.limit)
        )
        self.solver.run()
        if not self.highs.is_optimal(self.solver):
            return None, 0.0
        prices = np.maximum(self.highs.values(self.solver)[:n], 0.0)
        return prices, gain_of(self.problem, prices, self.own)


LINEAR = BoundMethod(
    name="linear",
    title="The best prices, by linear programming",
    reference="Kelley 1960; HiGHS; docs/guarantees.md",
    compute=compute,
)
