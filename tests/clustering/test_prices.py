"""Prices are a proof: checked by their definition over every ball."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.clustering import prices
from shoal.clustering.base import Task
from tests.clustering.small import random_task, solve
from tests.kernels.test_space import all_distances, mixed_space


def worst_strain(d: np.ndarray, weight: np.ndarray, r: int, y: np.ndarray) -> float:
    """The largest mean of the r highest prices in a ball of r rows, over the ball's radius."""
    worst = 0.0
    for v in range(len(d)):
        for radius in np.unique(d[v]):
            inside = d[v] <= radius
            rows = np.repeat(y[inside], weight[inside])
            if len(rows) >= r:
                mean = np.sort(rows)[::-1][:r].mean()
                worst = max(worst, mean / radius if radius > 0 else (0.0 if mean == 0 else np.inf))
    return worst


@pytest.mark.parametrize("seed", range(6))
def test_prices_are_feasible(seed: int) -> None:
    space = mixed_space(np.random.default_rng(seed), 70)
    d, r = all_distances(space), 3 + seed
    t = space.rth_distance(r)
    cheapest, _ = space.cheapest_ball(t)
    found = prices.prove(space, r, 0, t, cheapest, cheapest * 2, rounds=25)
    assert worst_strain(d, space.weight, r, found.y) <= 1
    assert found.value >= float((cheapest * space.weight).sum()) * prices.SAFE


def test_the_dearest_rows_do_not_count_where_rows_may_be_left_out() -> None:
    y, weight = np.array([5.0, 1.0, 3.0]), np.array([1, 2, 2])
    assert prices.counted(y, weight, 0) == 13.0
    assert prices.counted(y, weight, 1) == 8.0
    assert prices.counted(y, weight, 2) == 5.0
    assert prices.counted(y, weight, 5) == 0.0


def test_the_proof_has_a_price_for_each_row() -> None:
    _, task = random_task(np.random.default_rng(2), "cellular")
    task = Task(task.points, 2, "input")
    proof = solve("cellular", task).proof
    assert len(proof["prices"]) == task.points.n_rows  # type: ignore[arg-type]
