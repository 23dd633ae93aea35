"""Every method against the exhaustive optimum of small metrics: sizes, outliers, factors, bounds."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.clustering.base import Task
from tests.clustering.small import METHODS, check, exhaustive, points_from, random_task, solve


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("seed", range(4))
def test_factors_and_bounds_hold(method: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(40):
        d, task = random_task(rng, method)
        check(d, task, method, solve(method, task), exhaustive(d, task, method))


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_factors_and_bounds_hold_on_thousands(method: str) -> None:
    rng = np.random.default_rng(99)
    for _ in range(2000):
        d, task = random_task(rng, method)
        check(d, task, method, solve(method, task), exhaustive(d, task, method))


def test_equal_rows_cost_nothing() -> None:
    """The threshold 0 is among the candidates."""
    d = np.array([[0.0, 0, 5, 5], [0, 0, 5, 5], [5, 5, 0, 0], [5, 5, 0, 0]])
    for method in ("gather", "cellular"):
        answer = solve(method, Task(points_from(d), 2, "input"))
        assert answer.cost == answer.lower_bound == 0.0
        assert answer.found.n_clusters == 2


def test_the_same_task_gives_the_same_answer() -> None:
    rng = np.random.default_rng(3)
    for method in METHODS:
        _, task = random_task(rng, method)
        assert (solve(method, task).found.label == solve(method, task).found.label).all()
