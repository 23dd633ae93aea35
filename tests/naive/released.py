"""The least that a release loses when rows may be left out and groups have other demands, by trying everything."""

from __future__ import annotations

import numpy as np

from shoal.privacy.base import histogram
from shoal.problem import Problem, Solution
from tests.naive.optimum import group_price


def rows_of(mask: int) -> list[int]:
    return [i for i in range(mask.bit_length()) if mask >> i & 1]


def meets_demands(problem: Problem, rows: list[int]) -> bool:
    """Whether one group of these rows keeps every promise."""
    group = np.full(problem.n_rows, -1, dtype=np.int32)
    group[rows] = 0
    asked = zip(problem.demands, problem.sensitive, strict=True)
    return all(demand.is_met(histogram(group, value, 1)).all() for demand, value in asked)


def price_of_leaving_out(problem: Problem, rows: list[int]) -> float:
    """What leaving out these rows costs: the price of suppressing each whole, or nothing; infinite where they are too many."""
    if problem.deletion:
        return float(sum(problem.price_of_suppression - problem.offset_of_tuple[problem.tuple_of_unit[i]] for i in rows))
    return 0.0 if len(rows) <= problem.max_withheld else float("inf")


def paid(problem: Problem, solution: Solution) -> float:
    """What a solution loses by its groups, counted by hand, and by the rows that it leaves out."""
    group = solution.group
    kept = sum(group_price(problem, list(np.flatnonzero(group == g))) for g in range(solution.n_groups))
    return kept + price_of_leaving_out(problem, list(np.flatnonzero(group < 0)))


def least_paid(problem: Problem) -> float:
    """The optimum over all releases of laminar problems: which rows to leave out, and how to group the others. Something is released."""
    n, k = problem.n_rows, problem.k
    most = n if problem.demands else 2 * k - 1
    best = [0.0] + [float("inf")] * ((1 << n) - 1)
    price: dict[int, float] = {}
    for mask in range(1, 1 << n):
        rows = rows_of(mask)
        if k <= len(rows) <= most and meets_demands(problem, rows):
            price[mask] = group_price(problem, rows)
    for mask in range(1, 1 << n):
        first = mask & -mask
        rest = part = mask ^ first
        while True:
            group = part | first
            if group in price:
                best[mask] = min(best[mask], price[group] + best[mask ^ group])
            if not part:
                break
            part = (part - 1) & rest
    everything = (1 << n) - 1
    return min(best[mask] + price_of_leaving_out(problem, rows_of(everything ^ mask)) for mask in range(int(n >= k), 1 << n))
