"""Local search over cells: cheaper, never smaller than r, and with no more outliers than allowed."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.clustering.base import Task
from shoal.clustering.cells import along_prices, searched
from shoal.clustering.cellular import cost
from shoal.clustering.points import Found
from tests.clustering.small import on_a_line, random_task


def everything(task: Task) -> Found:
    """One cluster of all rows."""
    return Found(np.zeros(task.points.n_rows, dtype=np.int32), task.points.of_row[:1])


@pytest.mark.parametrize("seed", range(40))
def test_a_search_keeps_sizes_and_outliers_and_never_costs_more(seed: int) -> None:
    rng = np.random.default_rng(seed)
    _, task = random_task(rng, "cellular")
    setup = np.zeros(task.points.space.n) if task.setup is None else task.setup
    first = everything(task)
    found = searched(task, setup, first, rng.random(task.points.space.n))
    assert cost(task.points, found, setup) <= cost(task.points, first, setup)
    assert found.sizes().min() >= task.r
    assert int((found.label < 0).sum()) <= task.max_outliers


def test_two_heaps_are_taken_apart() -> None:
    points = on_a_line(0, 1, 2, 100, 101, 102)
    task = Task(points, 3, "input")
    setup = np.zeros(points.space.n)
    found = searched(task, setup, everything(task), np.ones(points.space.n))
    assert cost(points, found, setup) == 6.0


def test_the_most_expensive_rows_are_left_out() -> None:
    points = on_a_line(0, 1, 2, 100)
    task = Task(points, 3, "input", max_outliers=1)
    y = np.ones(points.space.n)
    y[points.of_row[3]] = 50.0
    found = along_prices(task, np.zeros(points.space.n), y, 0.0)
    assert found is not None
    assert found.label.tolist() == [0, 0, 0, -1]


def test_without_prices_that_pay_for_a_cell_there_is_none() -> None:
    points = on_a_line(0, 5, 10)
    assert along_prices(Task(points, 3, "input"), np.zeros(3), np.zeros(3), 0.45) is None
