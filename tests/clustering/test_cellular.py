"""Cellular clustering: the smallest sum of set-up costs and size times radius."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.clustering import cellular
from shoal.clustering.base import Task
from shoal.clustering.cellular import cost, solve
from shoal.clustering.points import Found, points_of
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


def test_set_up_costs_that_differ_decide_where_centres_are() -> None:
    """They were refused with a least size: the paper's clusters around one centre pay it each."""
    points = on_a_line(0, 1, 2, 3)
    dear = np.array([9.0, 0.0, 9.0, 9.0])[points.space.order]
    made = solve(Task(points, 2, "input", setup=dear))
    assert set(points.space.order[made.found.centre].tolist()) == {1}
    assert made.lower_bound <= made.cost == 6


@pytest.mark.parametrize(
    ("r", "outliers", "centres", "name"),
    [
        (1, 0, "input", "cellular with set-up costs"),
        (2, 0, "input", "r-cellular with set-up costs"),
        (2, 0, "any", "r-cellular with set-up costs"),
        (2, 1, "input", "(r,ε)-cellular with set-up costs"),
    ],
)
def test_the_problem_is_named(r: int, outliers: int, centres, name: str) -> None:
    points = on_a_line(0, 1, 5, 6)
    answer = solve(Task(points, r, centres, max_outliers=outliers, setup=np.full(points.space.n, 1.0)))
    assert answer.problem == name
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
    assert answer.lower_bound <= answer.cost <= answer.paper_cost <= 54.0 * answer.lower_bound


def test_every_guess_is_tried_where_nothing_shows_that_the_factor_is_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a bound nothing covers the guesses that large steps pass over, so there are none."""
    monkeypatch.setattr(cellular, "FEW", 10)
    monkeypatch.setattr(cellular, "RUNS", 1)
    real, ascents = cellular.ascend, []
    monkeypatch.setattr(cellular, "ascend", lambda *asked: ascents.append(asked[-2]) or real(*asked))
    task = many_places(60, 20)
    t = task.points.space.rth_distance(task.r)
    nothing = np.zeros(task.points.space.n)
    full = real(task.points.space, t, nothing, 4.0, 20, np.inf, 1e4)
    cellular.best_guess(task, t, nothing, 4.0, full, 1e4, 1e9)
    n_covered = len(ascents)
    cellular.best_guess(task, t, nothing, 4.0, full, 1e4, 0.0)
    assert len(ascents) - n_covered > n_covered
