"""Cellular clustering: the smallest sum of set-up costs and size times radius."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.clustering.base import Task
from shoal.clustering.cellular import cost, solve
from shoal.clustering.points import Found
from shoal.errors import Refused
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
