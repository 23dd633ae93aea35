"""Merging clusters until each keeps what is asked of its sensitive values."""

from __future__ import annotations

import numpy as np
import pytest

import shoal
from shoal.clustering.base import Task
from shoal.clustering.criteria import check_whole
from shoal.clustering.guarantee import guarantee, kind_of
from shoal.clustering.merging import kept
from tests.clustering.small import CRITERIA, METHODS, exhaustive, keeps_all, on_a_line, random_task, solve, watching


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("criterion", "parameters"), CRITERIA)
def test_every_cluster_keeps_what_is_asked_and_no_clustering_costs_less_than_the_bound(
    method: str, criterion: str, parameters
) -> None:
    rng = np.random.default_rng([METHODS.index(method), len(criterion), int(10 * parameters.get("l", 7))])
    for _ in range(10):
        d, task = random_task(rng, method)
        task, cells = watching(rng, task, criterion, parameters)
        try:
            check_whole(task.watched)
        except shoal.Infeasible:
            continue
        answer = kept(method, task, solve(method, task))
        found = answer.found
        clusters = [[cells[i] for i in np.flatnonzero(found.label == c)] for c in range(found.n_clusters)]
        assert keeps_all(criterion, parameters, clusters, cells)
        assert min(len(cluster) for cluster in clusters) >= task.r
        assert (found.label < 0).sum() <= task.max_outliers
        assert task.max_clusters is None or found.n_clusters <= task.max_clusters
        best = exhaustive(d, task, method, lambda m: keeps_all(criterion, parameters, [[cells[i] for i in m]], cells))  # noqa: B023
        assert answer.lower_bound <= best * (1 + 1e-9) + 1e-9
        radii = found.radii(task.points)
        setup = np.zeros(task.points.space.n) if task.setup is None else task.setup
        cost = radii.max() if method != "cellular" else setup[found.centre].sum() + found.sizes() @ radii
        assert answer.cost == pytest.approx(cost)


def test_clusters_that_keep_it_are_left_as_they_are() -> None:
    task = Task(on_a_line(0, 1, 10, 11), 2, "input")
    task, _ = watching(np.random.default_rng(0), task, "distinct-l-diversity", {"l": 2})
    task.watched[0].value[:] = [0, 1, 0, 1]
    answer = solve("cellular", task)
    assert kept("cellular", task, answer) is answer


def test_a_cluster_joins_the_nearest_with_which_it_keeps_all() -> None:
    task = Task(on_a_line(0, 1, 10, 11, 30, 31), 2, "input")
    task, _ = watching(np.random.default_rng(0), task, "distinct-l-diversity", {"l": 2})
    task.watched[0].value[:] = [0, 0, 0, 1, 0, 1]
    answer = kept("cellular", task, solve("cellular", task))
    assert answer.found.label.tolist() == [answer.found.label[0]] * 4 + [answer.found.label[4]] * 2


def test_a_cluster_of_one_value_is_left_out_where_rows_may_be() -> None:
    task = Task(on_a_line(0, 1, 10, 11, 500, 501), 2, "input", max_outliers=2)
    task, _ = watching(np.random.default_rng(0), task, "distinct-l-diversity", {"l": 2})
    task.watched[0].value[:] = [0, 1, 0, 1, 0, 0]
    answer = kept("cellular", task, solve("cellular", task))
    assert (answer.found.label < 0).tolist() == [False] * 4 + [True] * 2


def test_no_factor_is_said_where_clusters_are_merged() -> None:
    task, _ = watching(np.random.default_rng(0), Task(on_a_line(0, 1, 2), 2, "any"), "t-closeness", {"t": 0.5})
    for method in METHODS:
        promised = guarantee(kind_of(method, task))
        assert promised.factor is None
        assert "merged" in promised.text
