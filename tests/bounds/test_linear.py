"""The best prices, by linear programming."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.bounds.linear import LINEAR
from shoal.errors import Refused
from shoal.problem import Watch
from tests.naive.boxes import is_feasible
from tests.naive.program import best_prices
from tests.tables import random_problem


def test_linear_refuses_large_tables() -> None:
    problem = random_problem(np.random.default_rng(7), 9000, 6, 3, values=9)
    with pytest.raises(Refused, match="take 'dual'"):
        LINEAR.compute(problem, Watch())


def test_it_is_the_optimum_of_the_obvious_program() -> None:
    """A variable for each tuple in each box, solved by scipy: nothing above it, and nearly all of it."""
    for seed in range(4):
        problem = random_problem(np.random.default_rng(100 + seed), 30, 2, 3, values=5, measure="tree", deep=True)
        best = best_prices(problem)
        found = LINEAR.compute(problem, Watch())
        assert 0.998 * best <= found.value <= best + 1e-9
        assert is_feasible(problem, found.prices.tolist()), (
            "whatever the solver returned, the prices prove the bound by themselves"
        )


class Impatient(Watch):
    def wants_stop(self) -> bool:
        return True


def test_stopped_at_once_it_still_proves_what_dual_proves() -> None:
    problem = random_problem(np.random.default_rng(11), 60, 3, 4, values=6, measure="tree", deep=True)
    stopped = LINEAR.compute(problem, Impatient())
    assert is_feasible(problem, stopped.prices.tolist())
    assert 0 < stopped.value <= LINEAR.compute(problem, Watch()).value + 1e-9
