"""The lightest factor with two neighbours for each row."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.budget import Budget
from shoal.matching import edge_cover, pricing, two_factor
from shoal.matching.distances import distances
from shoal.problem import Watch
from tests.matching.graphs import ENDLESS, complete_graph, tables
from tests.naive.matchings import lightest_cover, lightest_two_factor
from tests.tables import random_problem


class Patient(Watch):
    """Asks to stop after being asked so many times."""

    def __init__(self, patience: int) -> None:
        self.patience = patience

    def wants_stop(self) -> bool:
        self.patience -= 1
        return self.patience < 0


@pytest.mark.parametrize("measure", ["stars", "entropy", "non-uniform-entropy"])
@pytest.mark.parametrize("near", [1, 6])
def test_two_factor_is_the_lightest(measure: str, near: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(two_factor, "NEAR", near)
    monkeypatch.setattr(pricing, "MORE_EDGES", 1)
    for problem in tables(9, 3, measure, 60):
        found = two_factor.two_factor(distances(problem), problem.weight, None, ENDLESS)
        assert found.is_proved
        assert found.weight == lightest_two_factor(complete_graph(problem))


@pytest.mark.parametrize("patience", [0, 1, 2, 3])
def test_bound_holds_when_stopped(patience: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edge_cover, "FIRST_EDGES", 1)
    monkeypatch.setattr(two_factor, "NEAR", 1)
    for problem in tables(10, 3, "stars", 40):
        for solve, naive in ((edge_cover.edge_cover, lightest_cover), (two_factor.two_factor, lightest_two_factor)):
            found = solve(distances(problem), problem.weight, None, Budget(None, Patient(patience)))
            best = naive(complete_graph(problem))
            assert found.bound <= best <= found.weight


def test_what_is_known_of_a_smaller_graph_is_used_and_changes_no_weight(monkeypatch: pytest.MonkeyPatch) -> None:
    """0.1.0 began anew with every edge that was added, and took quadratic time."""
    space = distances(random_problem(np.random.default_rng(5), 240, 4, 3, values=7, measure="entropy", deep=True))
    rows = np.ones(space.n, dtype=np.int64)
    monkeypatch.setattr(two_factor, "NEAR", 2)
    found = two_factor.two_factor(space, rows, None, Budget(None, Watch()))
    assert found.n_rounds > 2
    assert found.is_proved
    monkeypatch.setattr(two_factor, "_potentials", lambda n, found: None)
    assert two_factor.two_factor(space, rows, None, Budget(None, Watch())).weight == found.weight
