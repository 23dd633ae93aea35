"""The lightest cover of every row by pairs."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.budget import Budget
from shoal.matching import edge_cover, pricing
from shoal.matching.distances import distances
from shoal.problem import Problem, Watch
from tests.naive.matchings import lightest_cover
from tests.tables import random_problem

ENDLESS = Budget(None, Watch())


def complete_graph(problem: Problem) -> np.ndarray:
    """What each pair of rows weighs, in the units of :func:`distances`."""
    space = distances(problem)
    rows = problem.tuple_of_row
    u, v = np.meshgrid(rows, rows)
    return space.between(u.reshape(-1), v.reshape(-1)).reshape(len(rows), len(rows)).astype(float)


def tables(seed: int, least: int, measure: str, count: int = 120) -> list[Problem]:
    rng = np.random.default_rng(seed)
    return [
        random_problem(rng, int(rng.integers(least, 10)), int(rng.integers(1, 4)), 2, int(rng.integers(2, 7)), measure, deep=bool(i % 2))
        for i in range(count)
    ]


@pytest.mark.parametrize("measure", ["stars", "entropy", "non-uniform-entropy"])
@pytest.mark.parametrize("first_edges", [1, 10])
def test_cover_is_the_lightest_one_two_factor(measure: str, first_edges: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edge_cover, "FIRST_EDGES", first_edges)
    monkeypatch.setattr(pricing, "MORE_EDGES", 1)
    for problem in tables(8, 2, measure):
        found = edge_cover.edge_cover(distances(problem), problem.weight, None, ENDLESS)
        assert found.is_proved
        assert found.weight == lightest_cover(complete_graph(problem))
