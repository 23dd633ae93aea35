"""The complete graph in whole numbers: twice the price of a join, and a metric."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.matching.distances import FAR, distances, nearest
from shoal.problem import close
from tests.matching.graphs import complete_graph, tables
from tests.tables import make_problem


@pytest.mark.parametrize("measure", ["stars", "entropy", "non-uniform-entropy"])
def test_an_edge_weighs_what_its_two_rows_lose_as_a_group(measure: str) -> None:
    for problem in tables(3, 4, measure, 20):
        space, graph = distances(problem), complete_graph(problem)
        for u in range(problem.n_rows):
            for v in range(u):
                group = np.full(problem.n_rows, -1, dtype=np.int32)
                group[[u, v]] = 0
                assert graph[u, v] * space.unit == pytest.approx(close(problem, group).loss, abs=1e-9)


@pytest.mark.parametrize("measure", ["stars", "tree", "entropy"])
def test_the_triangle_inequality_holds_to_the_unit(measure: str) -> None:
    for problem in tables(4, 4, measure, 20):
        graph = complete_graph(problem)
        assert (graph[:, None, :] <= graph[:, :, None] + graph[None, :, :]).all()


def test_the_nearest_of_each_tuple_is_the_lightest_edge() -> None:
    for problem in tables(5, 4, "entropy", 20):
        space = distances(problem)
        if space.n < 2:
            continue
        to, weight = nearest(space)
        everything = np.arange(space.n, dtype=np.int32)
        u, v = np.meshgrid(everything, everything)
        graph = space.between(u.reshape(-1), v.reshape(-1)).reshape(space.n, space.n).astype(float)
        np.fill_diagonal(graph, np.inf)
        assert weight.tolist() == graph.min(axis=0).tolist()
        assert graph[to, everything].tolist() == weight.tolist()


def test_a_tuple_without_others_has_no_nearest() -> None:
    to, weight = nearest(distances(make_problem([["a"], ["a"]], 2)))
    assert (to.tolist(), weight.tolist()) == ([-1], [FAR])


def test_some_of_the_tuples_weigh_the_same_among_themselves() -> None:
    problem = tables(6, 6, "entropy", 4)[3]
    space = distances(problem)
    some = np.array([0, space.n - 1, 0])
    part = space.only(some)
    assert (
        part.between(np.array([0], dtype=np.int32), np.array([1], dtype=np.int32)).tolist()
        == space.between(np.array([0], dtype=np.int32), np.array([space.n - 1], dtype=np.int32)).tolist()
    )
