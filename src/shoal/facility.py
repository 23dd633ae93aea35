"""Lower-bounded facility location over boxes, as HiGHS takes it: the programs of the exact algorithm."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal import highs
from shoal.kernels.closed_boxes import ClosedBoxes, box_slack
from shoal.problem import Floats, Ints, Longs, Problem, Watch


@dataclass(frozen=True, eq=False)
class Found:
    """What the integer program found: a release in prices, or none, and the least that any of its releases costs."""

    group: Ints | None
    cost: float
    bound: float
    decided: bool


@dataclass(frozen=True, eq=False)
class Facility:
    """Boxes that may be opened, and the rows that may be assigned to each.

    The columns of the program: one for each tuple in a box (rows assigned), one for each box (open or not), then the rows of each tuple that
    are withheld at no cost, and those that are deleted at the price of suppressing them whole.
    """

    problem: Problem
    boxes: ClosedBoxes

    @cached_property
    def box(self) -> Longs:
        """The box of each entry."""
        return np.repeat(np.arange(len(self.boxes)), np.diff(self.boxes.start))

    # The prices of rows.

    def cheapest_prices(self) -> Floats:
        """What each tuple's rows pay at least: the cheapest box that holds them. No box violates these."""
        y = np.full(self.problem.n_tuples, np.inf)
        np.minimum.at(y, self.boxes.tuples, self.boxes.price[self.box])
        return y

    def row_prices(self, watch: Watch) -> Floats | None:
        """The linear program's price of each tuple's rows; None where it was not solved in time."""
        program = self.program(integer=False)
        program.setOptionValue("solver", "ipm")
        program.setOptionValue("run_crossover", "off")
        if not highs.run(program, watch):
            return None
        return highs.duals(program)[: self.problem.n_tuples]

    def repaired(self, y: Floats) -> Floats:
        """Prices that no box violates: each divided by the worst violation of a box that holds it, and capped in boxes that cost nothing."""
        boxes, weight, k = self.boxes, self.problem.weight, self.problem.k
        free = boxes.tuples[(boxes.price <= 0)[self.box]]
        y = y.copy()
        y[free] = np.minimum(y[free], 0.0)
        for _ in range(2):  # a second pass for what rounding left
            slack, _ = box_slack(boxes, weight, k, y)
            paid = k * boxes.price
            ratio = np.divide(paid - slack, paid, out=np.ones_like(paid), where=paid > 0)
            worst = np.ones(len(y))
            np.maximum.at(worst, boxes.tuples, np.maximum(ratio, 1.0)[self.box])
            y = np.where(y > 0, y / (worst * (1 + 1e-12)), y)
        return y

    def bound_of(self, y: Floats) -> float:
        """The least that any release costs, given prices that no box violates."""
        problem = self.problem
        value = np.minimum(y, problem.price_of_suppression) if problem.deletion else y
        total = float((value * problem.weight).sum())
        if problem.max_withheld:
            gain = np.maximum(np.repeat(value - problem.offset_of_tuple, problem.weight), 0.0)
            total -= float(np.sort(gain)[::-1][: problem.max_withheld].sum())
        return total

    def within(self, y: Floats, delta: float) -> Facility | None:
        """Only what a release within delta of the prices' bound may use; None where a tuple is left with nothing."""
        boxes, problem = self.boxes, self.problem
        slack, kth = box_slack(boxes, problem.weight, problem.k, y)
        box = self.box
        more = slack[box] + np.maximum(np.minimum(kth, boxes.price)[box] - y[boxes.tuples], 0.0)
        entry = more <= delta * (1 + 1e-9) + 1e-9
        held = np.bincount(box, weights=problem.weight[boxes.tuples] * entry, minlength=len(boxes))
        entry &= (held >= problem.k)[box]
        kept = np.bincount(box[entry], minlength=len(boxes))
        start = np.concatenate([[0], np.cumsum(kept[kept > 0])]).astype(np.int64)
        part = Facility(problem, ClosedBoxes(boxes.price[kept > 0], start, np.ascontiguousarray(boxes.tuples[entry])))
        reached = np.zeros(problem.n_tuples, dtype=np.bool_)
        reached[part.boxes.tuples] = True
        return part if reached.all() or problem.may_withhold else None

    # The programs.

    def integer(self, unit: float, watch: Watch, enough: float = -math.inf) -> Found:
        """The cheapest boxes to open, and the release they make. It ends with one that costs no more than enough."""
        program = self.program(integer=True)
        program.setOptionValue("objective_target", enough)
        program.setOptionValue("mip_rel_gap", 1e-9)
        program.setOptionValue("mip_abs_gap", max(0.99 * unit, 1e-9))
        decided = highs.run(program, watch)
        if highs.is_infeasible(program):
            return Found(None, math.inf, math.inf, True)
        bound = highs.dual_bound(program)
        if not highs.has_solution(program):
            return Found(None, math.inf, bound, decided)
        opened = highs.values(program)[len(self.boxes.tuples) :][: len(self.boxes)] > 0.5
        group, cost = self.assigned(opened)
        return Found(group, cost, cost if decided else bound, decided)

    def only(self, kept: NDArray[np.bool_]) -> Facility:
        """Only these boxes."""
        return Facility(self.problem, self.boxes.keep(kept))

    def assigned(self, opened: NDArray[np.bool_]) -> tuple[Ints, float]:
        """The best assignment of rows to given boxes, in whole rows: a flow, so the simplex method ends at one."""
        program = self.program(integer=False, opened=opened)
        program.setOptionValue("solver", "simplex")
        highs.run(program, Watch())
        value = np.round(highs.values(program)).astype(np.int64)
        amount = value[: len(self.boxes.tuples)]
        used = np.flatnonzero(amount)
        order = used[np.argsort(self.boxes.tuples[used], kind="stable")]
        by_tuple = np.repeat(self.box[order], amount[order]).astype(np.int32)
        problem = self.problem
        given = np.bincount(self.boxes.tuples[used], weights=amount[used], minlength=problem.n_tuples).astype(np.int64)
        start = np.concatenate([[0], np.cumsum(problem.weight)])
        slots = np.concatenate([np.arange(s, s + g) for s, g in zip(start[:-1], given, strict=True)]) if len(given) else given
        group = np.full(problem.n_rows, -1, dtype=np.int32)
        group[problem.units_by_tuple[slots]] = by_tuple
        return group, highs.cost(program)

    def program(self, integer: bool, opened: NDArray[np.bool_] | None = None) -> Any:
        """min Σ d(B) x + leaving out · Σ_B x + z = w · Σ x ≥ k y · x ≤ w y."""
        from scipy import sparse

        problem, boxes = self.problem, self.boxes
        n_entries, n_boxes, n = len(boxes.tuples), len(boxes), problem.n_tuples
        weight = problem.weight.astype(np.float64)
        n_out = n * (bool(problem.max_withheld) + problem.deletion)
        out_cost = [problem.offset_of_tuple] * bool(problem.max_withheld) + [np.full(n, problem.price_of_suppression)] * problem.deletion
        cost = np.concatenate([boxes.price[self.box], np.zeros(n_boxes), *out_cost])
        high = np.concatenate([weight[boxes.tuples], np.ones(n_boxes), np.tile(weight, n_out // n)])
        low = np.zeros_like(high)
        if opened is not None:
            low[n_entries : n_entries + n_boxes] = high[n_entries : n_entries + n_boxes] = opened
        entry, box = np.arange(n_entries), self.box
        out = n_entries + n_boxes + np.arange(n_out)
        width = n_entries + n_boxes + n_out
        cover = matrix(
            np.ones(n_entries + n_out), np.concatenate([boxes.tuples, np.arange(n_out) % n]), np.concatenate([entry, out]), n, width
        )
        least = matrix(
            np.concatenate([np.ones(n_entries), np.full(n_boxes, -float(problem.k))]),
            np.concatenate([box, np.arange(n_boxes)]),
            np.arange(n_entries + n_boxes),
            n_boxes,
            width,
        )
        link = matrix(
            np.concatenate([np.ones(n_entries), -weight[boxes.tuples]]),
            np.tile(entry, 2),
            np.concatenate([entry, n_entries + box]),
            n_entries,
            width,
        )
        rows = [cover, least, link]
        row_low = [weight, np.zeros(n_boxes), np.full(n_entries, -np.inf)]
        row_high = [weight, np.full(n_boxes, np.inf), np.zeros(n_entries)]
        if problem.max_withheld:
            rows.append(matrix(np.ones(n), np.zeros(n, dtype=np.int64), out[:n], 1, width))
            row_low.append(np.zeros(1))
            row_high.append(np.array([float(problem.max_withheld)]))
        whole = (np.arange(width) >= n_entries) & (np.arange(width) < n_entries + n_boxes) if integer else None
        return highs.load(cost, low, high, sparse.vstack(rows).tocsr(), np.concatenate(row_low), np.concatenate(row_high), whole)


def matrix(value: Floats, row: NDArray[Any], column: NDArray[Any], n_rows: int, n_columns: int) -> Any:
    from scipy import sparse

    return sparse.csr_matrix((value, (row, column)), shape=(n_rows, n_columns))
