"""Edges that prices do not explain: all are found, none is invented."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.budget import Budget
from shoal.kernels import pairs
from shoal.matching.distances import distances
from shoal.matching.pricing import Edges, PairPrices, add, near_edges, violations
from shoal.problem import Problem, Watch
from tests.matching.graphs import ENDLESS
from tests.tables import random_problem


def table(seed: int) -> Problem:
    return random_problem(np.random.default_rng(seed), 30, 3, 2, 6, "entropy", deep=True)


def weights(problem: Problem) -> np.ndarray:
    """What each pair of tuples weighs."""
    everything = np.arange(problem.n_tuples, dtype=np.int32)
    u, v = np.meshgrid(everything, everything)
    return distances(problem).between(u.reshape(-1), v.reshape(-1)).reshape(len(everything), -1)


def test_edges_are_kept_once_and_low_end_first() -> None:
    space = distances(table(1))
    edges = add(space, None, np.array([3, 1, 1], dtype=np.int32), np.array([1, 3, 2], dtype=np.int32))
    assert list(zip(edges.u.tolist(), edges.v.tolist(), strict=True)) == [(1, 2), (1, 3)]
    more = add(space, edges, np.array([0, 2], dtype=np.int32), np.array([5, 1], dtype=np.int32))
    assert len(more) == 3
    assert more.weight.tolist() == [int(weights(table(1))[u, v]) for u, v in zip(more.u, more.v, strict=True)]


@pytest.mark.parametrize("seed", range(5))
def test_every_edge_below_its_ends_potentials_is_found_and_no_other(seed: int) -> None:
    problem = table(seed)
    space, w = distances(problem), weights(problem)
    rng = np.random.default_rng(seed)
    potential = rng.choice(w.reshape(-1), space.n).astype(float) / 2
    found = near_edges(space, potential, space.n, ENDLESS)
    assert found is not None
    listed = {(min(u, v), max(u, v)) for u, v in zip(found[0].tolist(), found[1].tolist(), strict=True)}
    expected = {(u, v) for u in range(space.n) for v in range(u + 1, space.n) if w[u, v] < potential[u] + potential[v]}
    assert listed == expected


@pytest.mark.parametrize("seed", range(5))
def test_the_worst_violation_at_each_vertex_is_told_and_known_edges_are_not(seed: int) -> None:
    problem = table(seed)
    space, w = distances(problem), weights(problem).astype(float)
    potential = np.random.default_rng(seed).choice(w.reshape(-1), space.n) / 2
    alone = np.arange(space.n, dtype=np.int32)
    prices = PairPrices(potential, np.array([space.n] * space.n + [-1], dtype=np.int32), np.zeros(space.n + 1))
    known = Edges(alone[:0], alone[:0], np.empty(0, dtype=np.int64))
    found = violations(space, prices, known, ENDLESS)
    assert found is not None
    over = potential[:, None] + potential[None, :] - w
    np.fill_diagonal(over, -np.inf)
    worst = np.maximum(over.max(axis=1), 0.0)
    assert np.maximum(found[2], 0.0).tolist() == worst.tolist()
    u, v, _ = found
    again = violations(space, prices, add(space, None, u, v), ENDLESS)
    assert again is not None
    before = {(a, b) for a, b in zip(u.tolist(), v.tolist(), strict=True)}
    assert not before & set(zip(again[0].tolist(), again[1].tolist(), strict=True))


class Hurry(Watch):
    """Asks to stop from the first moment on."""

    def wants_stop(self) -> bool:
        return True


def test_a_watch_that_wants_to_stop_is_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairs, "QUERIES", 5)
    space = distances(table(1))
    assert near_edges(space, np.full(space.n, 1e15), 3, Budget(None, Hurry())) is None
