"""Cellular clustering: the smallest sum of set-up costs and size times radius."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.clustering import cellular
from shoal.clustering.base import Task
from shoal.clustering.cellular import cost, solve
from shoal.clustering.points import Found, points_of
from shoal.errors import Refused
from shoal.kernels.space import Coordinates, Space
from tests.clustering.small import on_a_line


def test_the_cost_is_set_up_plus_size_times_radius() -> None:
    points = on_a_line(0, 1, 3, 10, 10)
    found = Found(np.array([0, 0, 0, 1, 1], dtype=np.int32), points.of_row[[1, 3]])
    assert cost(points, found, np.full(points.space.n, 2.5)) == 2 * 2.5 + 3 * 2.0


def test_set_up_costs_decide_how_many_cells_there_are() -> None:
    points = on_a_line(0, 1, 5, 6)
    cheap = solve(Task(points, 1, "input", setup=np.full(4, 0.1)))
    dear = solve(Task(points, 1, "input", setup=np.full(4, 1000.0)))
    assert cheap.found.n_clusters == 4
    assert dear.found.n_clusters == 1
    assert (cheap.cost, dear.cost) == (0.4, 1000.0 + 4 * 5.0)


def test_set_up_costs_that_differ_need_r_of_one() -> None:
    points = on_a_line(0, 1, 5, 6)
    with pytest.raises(Refused, match=r"--setup-cost 2.*r = 1"):
        solve(Task(points, 2, "input", setup=np.array([1.0, 2.0, 1.0, 1.0])))
    assert solve(Task(points, 1, "input", setup=np.array([1.0, 2.0, 1.0, 1.0]))).cost > 0


@pytest.mark.parametrize(
    ("r", "outliers", "centres", "name", "factor"),
    [
        (1, 0, "input", "cellular with set-up costs", 3.0),
        (2, 0, "input", "r-cellular with set-up costs", 36.0),
        (2, 0, "any", "r-cellular with set-up costs", 72.0),
        (2, 1, "input", "(r,ε)-cellular with set-up costs", 54.0),
    ],
)
def test_the_problem_and_its_factor_are_named(r: int, outliers: int, centres, name: str, factor: float) -> None:
    points = on_a_line(0, 1, 5, 6)
    answer = solve(Task(points, r, centres, max_outliers=outliers, setup=np.full(points.space.n, 1.0)))
    assert (answer.problem, answer.guarantee) == (name, pytest.approx(factor))
    assert answer.lower_bound <= answer.cost <= answer.paper_cost


def many_places(n: int, outliers: int) -> Task:
    """Distinct points in the plane, a few of them far away."""
    rng = np.random.default_rng(n)
    at = rng.normal(size=(n, 2)) + 6.0 * rng.integers(0, 9, size=(n, 1))
    at[:5] += 500.0
    scale = np.ones(2)
    space = Space(Coordinates(n, at.reshape(-1), scale, 1000.0 * scale, combine="euclid"), np.ones(n, dtype=np.int64))
    return Task(points_of(space, np.arange(n, dtype=np.int32)), 4, "input", max_outliers=outliers)


@pytest.mark.parametrize("n", [300, cellular.FEW + 1])
def test_the_factor_holds_above_the_number_of_points_whose_guesses_are_all_tried(n: int) -> None:
    """0.1.0 declared 58.5 above 4,000 distinct points: its steps were larger than the proof allowed."""
    answer = solve(many_places(n, n // 100))
    assert answer.guarantee == pytest.approx(54.0)
    assert answer.lower_bound <= answer.cost <= answer.paper_cost


def test_the_factor_says_so_where_large_steps_are_not_covered_by_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a bound nothing covers the guesses that large steps pass over."""
    monkeypatch.setattr(cellular, "FEW", 10)
    monkeypatch.setattr(cellular, "RUNS", 1)
    real = cellular.best_guess
    monkeypatch.setattr(cellular, "best_guess", lambda *asked: real(*asked[:-1], 0.0))
    assert solve(many_places(300, 100)).guarantee == pytest.approx(58.5)
