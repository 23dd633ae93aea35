"""Leaving rows out of a factor: each row left out costs a fee, the same for all, high enough that not too many are left
out.

For a fixed fee the lightest factor leaves out the rows for which that is worth it, and it is a lightest factor of the
rows that stay. So what is guaranteed for a factor holds for the released rows.
"""

from __future__ import annotations

from collections.abc import Callable

from shoal.budget import Budget
from shoal.matching.distances import Distances, distances
from shoal.problem import Problem, Solution, Watch

TRIES = 12


def lightest(
    problem: Problem, watch: Watch, k: int, at_fee: Callable[[Distances, float | None, Budget], Solution]
) -> Solution:
    """What ``at_fee`` finds of least loss: over fees that withhold no more rows than may be and leave k, or at the fee
    of a row that is shown as nothing.
    """
    budget = Budget(problem.time_limit, watch)
    watch.tell("factor")
    space = distances(problem)
    if problem.deletion:
        solution = at_fee(space, space.whole, budget)
    else:
        most = min(problem.max_withheld, problem.n_rows - k)
        solution = search_fee(lambda fee: at_fee(space, fee, budget), most, space.whole, budget.is_over)
    watch.tell("factor", 1.0, loss=solution.loss)
    return solution


def search_fee(
    solve: Callable[[float | None], Solution], budget: int, highest: float, wants_stop: Callable[[], bool]
) -> Solution:
    """The solution of least loss over fees (found by halving) that withhold at most ``budget`` rows; without fee if
    there is no budget.
    """
    best = solve(None)
    low, high = 0.0, 2 * highest
    for _ in range(TRIES if budget > 0 else 0):
        if wants_stop():
            break
        fee = float(round((low + high) / 2))
        found = solve(fee)
        if found.n_withheld > budget:
            low = fee
            continue
        high = fee
        if found.loss < best.loss:
            best = found
    return best


def is_binary(problem: Problem) -> bool:
    """Whether every column holds at most two values, neither of them suppressed whatever happens."""
    for column in problem.columns:
        present = column.count > 0
        if present.sum() > 2 or column.price[: column.tree.n_leaves][present].any():
            return False
    return True
