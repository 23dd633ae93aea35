"""Pairs under potentials, against all pairs."""

from __future__ import annotations

import numpy as np
import pytest

from shoal import kernels
from tests.naive.matchings import join
from tests.tables import random_problem


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("blossoms", [False, True])
def test_lists_the_pairs_of_least_slack(threads: int, blossoms: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels.pairs, "QUERIES", 7)
    rng = np.random.default_rng(4)
    for case in range(60):
        problem = random_problem(rng, int(rng.integers(1, 50)), int(rng.integers(1, 5)), 2, int(rng.integers(2, 9)), deep=bool(case % 2))
        prices = [np.round(12 * column.price) for column in problem.columns]
        packed = kernels.pack([column.tree.parent for column in problem.columns], prices)
        n = problem.n_tuples
        slack = np.zeros((n, n))
        for j, column in enumerate(problem.columns):
            leaves = problem.codes[:, j]
            slack += [[prices[j][column.tree.join(int(a), int(b))] for b in leaves] for a in leaves]
        reach, pull = rng.integers(0, 20, n).astype(float), rng.integers(-5, 20, n).astype(float)
        slack -= reach[:, None] + pull[None, :]
        up = within = None
        if blossoms:
            size = n + int(rng.integers(0, n // 2 + 1)) + 1
            up = np.array([rng.integers(max(v + 1, n), size) for v in range(size - 1)] + [size - 1], dtype=np.int32)
            within = rng.integers(0, 9, size).astype(float)
            slack += [[within[join(up, a, b)] for b in range(n)] for a in range(n)]
        known = rng.random((n, n)) < 0.1
        start = np.concatenate([[0], np.cumsum(known.sum(axis=1))]).astype(np.int64)
        listed = (start, np.nonzero(known)[1].astype(np.int32))
        most = int(rng.integers(1, 6))
        found = kernels.near_pairs(packed, problem.codes, reach, pull, most, up, within, listed, threads)
        assert found is not None
        for u in range(n):
            best = sorted((slack[u, v], v) for v in range(n) if v != u and slack[u, v] < 0 and not known[u, v])[:most]
            assert [(s, v) for v, s in zip(found[0][u], found[1][u], strict=True) if v >= 0] == best


def test_stops_when_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels.pairs, "QUERIES", 3)
    problem = random_problem(np.random.default_rng(5), 30, 3, 2, 5)
    zero = np.zeros(problem.n_tuples)
    assert kernels.near_pairs(problem.packed, problem.codes, zero, zero, 2, wants_stop=lambda: True) is None


def test_refuses_codes_outside_of_their_tree() -> None:
    problem = random_problem(np.random.default_rng(5), 30, 3, 2, 5)
    zero = np.zeros(problem.n_tuples)
    with pytest.raises(IndexError):
        kernels.near_pairs(problem.packed, problem.codes + 99, zero, zero, 2)
