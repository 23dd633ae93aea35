"""r-gather: the smallest largest radius of clusters of at least r rows."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.clustering.base import Task
from shoal.clustering.gather import quantile, solve
from shoal.clustering.guarantee import guarantee, kind_of
from tests.clustering.small import on_a_line


def test_two_heaps_are_two_clusters() -> None:
    answer = solve(Task(on_a_line(0, 1, 2, 10, 11, 12), 3, "input"))
    assert (answer.cost, answer.lower_bound, answer.problem) == (1.0, 1.0, "r-gather")
    assert answer.found.label[:3].tolist() != answer.found.label[3:].tolist()


@pytest.mark.parametrize(("centres", "factor"), [("input", 3.0), ("any", 4.0)])
def test_a_row_far_from_all_others_is_left_out_where_that_is_allowed(centres, factor: float) -> None:
    task = Task(on_a_line(0, 1, 2, 10, 11, 12, 1000), 3, centres, max_outliers=1)
    answer = solve(task)
    assert answer.found.label.tolist().count(-1) == 1
    assert answer.found.label[6] == -1
    assert answer.cost <= 2.0
    assert guarantee(kind_of("gather", task)).factor == factor


def test_the_bound_says_what_it_rests_on() -> None:
    assert "ball around some row" in solve(Task(on_a_line(0, 1, 2, 10, 11, 12), 3, "input")).bound_text
    assert "half the smallest threshold" in solve(Task(on_a_line(0, 1, 2, 10, 11, 12), 3, "any")).bound_text


def test_a_quantile_leaves_at_most_so_much_above_it() -> None:
    rng = np.random.default_rng(4)
    for _ in range(50):
        value, weight = rng.integers(0, 6, 7).astype(float), rng.integers(1, 4, 7)
        most = int(rng.integers(0, weight.sum()))
        found = quantile(value, weight, most)
        assert weight[value > found].sum() <= most
        assert all(weight[value > lower].sum() > most for lower in value[value < found])
