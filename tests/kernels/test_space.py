"""The metric tree against the obvious way."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.kernels.space import Coordinates, Space
from tests.kernels.spaces import all_distances, mixed_space


@pytest.mark.parametrize("combine", ["sum", "euclid", "largest"])
def test_it_is_a_metric(combine: str) -> None:
    d = all_distances(mixed_space(np.random.default_rng(1), 60, combine))
    assert (d == d.T).all()
    assert (np.diag(d) == 0).all()
    for k in range(len(d)):
        assert (d <= d[:, k : k + 1] + d[k : k + 1, :] + 1e-12).all()


@pytest.mark.parametrize("n", [1, 5, 40, 150])
@pytest.mark.parametrize("combine", ["sum", "euclid", "largest"])
def test_queries_agree_with_all_distances(n: int, combine: str) -> None:
    space = mixed_space(np.random.default_rng(n), n, combine)
    d, w, r = all_distances(space), space.weight, 4
    t = space.rth_distance(r)
    for p in range(n):
        order = np.argsort(d[p], kind="stable")
        k = np.searchsorted(np.cumsum(w[order]), r)
        assert t[p] == (d[p][order[k]] if k < n else np.inf)
    steps = np.unique(d)
    reach = float(steps[len(steps) // 3])
    assert (space.counts(reach) == ((d <= reach) * w).sum(axis=1)).all()
    value, which = space.cheapest_ball(t)
    assert (value == np.maximum(d, t[None, :]).min(axis=1)).all()
    assert (np.maximum(d[np.arange(n), which], t[which]) == value).all()
    _, near = space.nearest(5)
    assert (near[:, : min(5, n)] == np.sort(d, axis=1)[:, :5]).all()
    everything = np.arange(n, dtype=np.int32)
    balls = space.balls(everything, reach)
    assert sorted(zip(balls.owner().tolist(), balls.at.tolist(), strict=True)) == [
        tuple(x) for x in np.argwhere(d <= reach).tolist()
    ]
    low, high = float(steps[len(steps) // 4]), float(steps[-1])
    found, is_all = space.distances_between(low, high, 10**6)
    assert is_all
    assert found.tolist() == steps[(steps > low) & (steps < high)].tolist()


@pytest.mark.parametrize("n", [6, 60])
def test_peeling_marking_and_covering_agree_with_all_distances(n: int) -> None:
    space = mixed_space(np.random.default_rng(n + 1), n)
    d, w, r = all_distances(space), space.weight, 4
    t = space.rth_distance(r)
    for reach in np.unique(d)[:: max(n // 3, 1)]:
        left = np.ones(n, dtype=bool)
        while (bad := left & (((d <= reach) * (w * left)).sum(axis=1) < r)).any():
            left &= ~bad
        gone = space.peel(t, reach, r, 10**9)
        assert gone is not None
        assert (gone == ~left).all()
        removed = int(w[~left].sum())
        assert removed == 0 or space.peel(t, reach, r, removed - 1) is None
        centres, by = space.mark(reach)
        assert (by >= 0).all()
        assert (d[np.arange(n), centres[by]] <= reach).all()
        assert all(d[a, b] > reach for a in centres for b in centres if a != b)
        free = w.copy()
        for c in space.cover(reach, 2 * reach, 4, w):
            count = ((d <= reach) * free).sum(axis=1) * (free > 0)
            assert count[c] == count.max()
            free[d[c] <= 2 * reach] = 0


def test_arrays_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError):
        Space(Coordinates(2, matrix=np.zeros((3, 3))), np.ones(2, dtype=np.int64))
    with pytest.raises(ValueError):
        Space(Coordinates(2, matrix=np.zeros((2, 2))), np.zeros(2, dtype=np.int64))
    space = Space(Coordinates(2, matrix=np.zeros((2, 2))), np.ones(2, dtype=np.int64))
    with pytest.raises(IndexError):
        space.distances(0, 2)
