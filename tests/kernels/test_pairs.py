"""Pairs under potentials, against all pairs."""

from __future__ import annotations

import numpy as np
import pytest

from shoal import kernels
from tests.naive.matchings import join
from tests.tables import make_problem, random_problem


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("blossoms", [False, True])
def test_lists_the_pairs_of_least_slack(threads: int, blossoms: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels.pairs, "QUERIES", 7)
    rng = np.random.default_rng(4)
    for case in range(60):
        problem = random_problem(
            rng, int(rng.integers(1, 50)), int(rng.integers(1, 5)), 2, int(rng.integers(2, 9)), deep=bool(case % 2)
        )
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
            best = sorted(slack[u, v] for v in range(n) if v != u and slack[u, v] < 0 and not known[u, v])[:most]
            listed_here = [(s, int(v)) for v, s in zip(found[0][u], found[1][u], strict=True) if v >= 0]
            assert [s for s, _ in listed_here] == best
            assert len({v for _, v in listed_here}) == len(listed_here)
            assert all(slack[u, v] == s and v != u and not known[u, v] for s, v in listed_here)


def test_where_all_distances_are_equal_no_row_is_the_neighbour_of_all() -> None:
    problem = make_problem([[str(i)] for i in range(500)], 2)
    far = np.full(500, 10.0)
    found = kernels.near_pairs(problem.packed, problem.codes, far, np.zeros(500), 4)
    assert found is not None
    assert np.bincount(found[0].reshape(-1)).max() <= 16


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
