"""Leaving rows out of a factor: a fee for each row left out, the same for all, high enough that not too many are.

For a fixed fee the lightest factor leaves out the rows for which that is worth it, and it is a lightest factor of the rows that stay. So what is
guaranteed for a factor holds for the released rows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from shoal.problem import Problem

Factor = TypeVar("Factor")
TRIES = 12


def search_fee(
    solve: Callable[[float | None], Factor],
    n_left_out: Callable[[Factor], int],
    budget: int,
    highest: float,
    wants_stop: Callable[[], bool],
) -> Factor:
    """The factor at the lowest fee (found by halving) that leaves out at most ``budget`` rows; without fee if there is no budget."""
    best = solve(None)
    if not budget:
        return best
    low, high = 0.0, 2 * highest
    for _ in range(TRIES):
        if wants_stop():
            break
        fee = float(round((low + high) / 2))
        found = solve(fee)
        if n_left_out(found) <= budget:
            best, high = found, fee
        else:
            low = fee
    return best


def is_binary(problem: Problem) -> bool:
    """Whether every column holds at most two values, neither of them suppressed whatever happens."""
    for column in problem.columns:
        present = column.count > 0
        if present.sum() > 2 or column.price[: column.tree.n_leaves][present].any():
            return False
    return True
