"""Different values inside the thresholds of gather and center: the factors stay, and the published bound is one for
clusters of different values.
"""

from __future__ import annotations

import numpy as np
import pytest

import shoal
from shoal.clustering.base import Task
from shoal.clustering.criteria import check_whole
from shoal.clustering.diversity import mark, peel, rth_distance
from shoal.clustering.guarantee import guarantee, kind_of
from tests.clustering.small import check, exhaustive, keeps_all, on_a_line, random_task, solve, watching


def hold(method: str, seed: int, tries: int) -> int:
    """Random tasks against the exhaustive optimum among clusters of l different values; how many could be solved."""
    rng, solved = np.random.default_rng(seed), 0
    for _ in range(tries):
        least = {"l": int(rng.integers(1, 4))}
        d, task = random_task(rng, method)
        task, cells = watching(rng, task, "distinct-l-diversity", least)
        allowed = lambda m: len({cells[i] for i in m} - {None}) >= least["l"]  # noqa: B023, E731
        try:
            check_whole(task.watched)
        except shoal.Infeasible:
            assert exhaustive(d, task, method, allowed) == np.inf
            continue
        answer = solve(method, task)
        assert guarantee(kind_of(method, task)).factor is not None
        check(d, task, method, answer, exhaustive(d, task, method, allowed))
        clusters = [[cells[i] for i in np.flatnonzero(answer.found.label == c)] for c in range(answer.found.n_clusters)]
        assert keeps_all("distinct-l-diversity", least, clusters, cells)
        solved += 1
    return solved


@pytest.mark.parametrize("method", ["gather", "center"])
@pytest.mark.parametrize("seed", range(3))
def test_the_factor_and_the_bound_hold_for_clusters_of_different_values(method: str, seed: int) -> None:
    assert hold(method, seed, 60) >= 35


@pytest.mark.slow
@pytest.mark.parametrize("method", ["gather", "center"])
def test_they_hold_on_thousands(method: str) -> None:
    assert hold(method, 77, 1500) >= 1000


def line(*cells: str | None, r: int = 1, least: int = 2) -> Task:
    task = Task(on_a_line(*range(len(cells))), r, "input")
    task, _ = watching(np.random.default_rng(0), task, "distinct-l-diversity", {"l": least})
    number = {text: i for i, text in enumerate(sorted({c for c in cells if c is not None}))}
    missing = task.watched[0].demand.missing
    task.watched[0].value[:] = [missing if c is None else number[c] for c in cells]
    return task


def test_a_ball_reaches_as_far_as_its_second_value_and_a_missing_cell_is_none() -> None:
    task = line("a", "a", None, "b", "b")
    at = task.points.of_row
    assert rth_distance(task.points, 1, task.diverse)[at].tolist() == [3.0, 2.0, 1.0, 2.0, 3.0]
    assert rth_distance(task.points, 5, task.diverse)[at].tolist() == [4.0, 3.0, 2.0, 3.0, 4.0]


def test_rows_are_peeled_until_all_others_reach_different_values_among_themselves() -> None:
    task = line("a", "a", "a", "b", "a")
    t = rth_distance(task.points, 2, task.diverse)
    assert peel(task.points, t, 1.0, 2, 1, task.diverse) is None
    gone = peel(task.points, t, 1.0, 2, 2, task.diverse)
    assert gone is not None
    assert gone[task.points.of_row].tolist() == [True, True, False, False, False]


def test_a_ball_of_one_value_is_not_taken() -> None:
    task = line("a", "a", "a", "b", "a")
    order = task.points.of_row[[0, 1, 2, 3, 4]].astype(np.int32)
    centres, taken = mark(task.points, 1.0, 2, order, task.points.space.weight, task.diverse)
    assert centres.tolist() == [task.points.of_row[2]]
    assert taken[task.points.of_row].tolist() == [-1, 0, 0, 0, -1]


def test_a_far_value_is_found_among_many_near_rows_of_one_value() -> None:
    task = line(*["a"] * 200, "b")
    assert rth_distance(task.points, 1, task.diverse)[task.points.of_row[0]] == 200.0
