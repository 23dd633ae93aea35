"""The metric tree against the obvious way."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.kernels.space import Coordinates, Space
from shoal.kernels.space_ascent import ascend
from shoal.kernels.space_improve import recentre, spread


def mixed_space(rng: np.random.Generator, n: int, combine: str = "sum") -> Space:
    """Numbers with missing ones, places, categories, a table and a tree."""
    numbers = rng.integers(0, 40, (n, 2)).astype(float)
    numbers[rng.random((n, 2)) < 0.05] = np.nan
    sphere = rng.normal(size=(6, 3))
    sphere /= np.linalg.norm(sphere, axis=1, keepdims=True)
    codes = np.column_stack([rng.integers(0, 4, n), rng.integers(0, 3, n), rng.integers(0, 4, n)]).astype(np.int32)
    table = np.array([[0.0, 1, 2], [1, 0, 1.5], [2, 1.5, 0]])
    coordinates = Coordinates(
        n,
        numbers,
        np.array([0.1, 0.05]),
        np.array([4.0, 2.0]),
        np.ascontiguousarray(sphere[rng.integers(0, 6, n)]),
        np.array([0.5]),
        np.array([1.0]),
        codes,
        np.array([0, 1, 2], dtype=np.int32),
        np.array([1.0, 1.0, 1.0]),
        np.zeros(3, dtype=np.int64),
        np.array([4, 3, 4], dtype=np.int32),
        table.reshape(-1),
        np.array([4, 4, 5, 5, 6, 6, 6], dtype=np.int32),
        np.array([0.0, 0, 0, 0, 0.5, 0.5, 1.0]),
        combine,
    )
    return Space(coordinates, rng.integers(1, 4, n))


def all_distances(space: Space) -> np.ndarray:
    i = np.arange(space.n, dtype=np.int32)
    return space.distances(i[:, None], i[None, :])


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
    assert sorted(zip(balls.owner().tolist(), balls.at.tolist(), strict=True)) == [tuple(x) for x in np.argwhere(d <= reach).tolist()]
    low, high = float(steps[len(steps) // 4]), float(steps[-1])
    found, is_all = space.distances_between(low, high, 10**6)
    assert is_all
    assert found.tolist() == steps[(steps > low) & (steps < high)].tolist()


@pytest.mark.parametrize("n", [6, 60])
def test_peeling_marking_and_covering(n: int) -> None:
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


def test_farthest_first_recentring_and_spreading() -> None:
    space = mixed_space(np.random.default_rng(5), 50)
    d = all_distances(space)
    centres, apart, nearest, far = space.farthest_first(6)
    assert (far == d[:, centres].min(axis=1)).all()
    assert (d[np.arange(50), centres[nearest]] == far).all()
    assert all(apart[i] == d[centres[i], centres[:i]].min() for i in range(1, len(centres)))
    order = np.argsort(nearest, kind="stable").astype(np.int32)
    first = np.searchsorted(nearest[order], np.arange(len(centres) + 1)).astype(np.int64)
    better, radius = recentre(space, first, order, centres)
    for c in range(len(centres)):
        own = order[first[c] : first[c + 1]]
        assert radius[c] == d[np.ix_(own, own)].max(axis=1).min()
        assert d[better[c], own].max() == radius[c]
    value, favourite = space.cheapest_ball(space.rth_distance(3))
    reach = float(value.max())
    chosen = spread(space, np.arange(50, dtype=np.int32), favourite, reach, space.weight)
    assert (d[:, chosen].min(axis=1) <= reach).all()


def naive_ascent(d: np.ndarray, w: np.ndarray, t: np.ndarray, setup: np.ndarray, share: float) -> np.ndarray:
    """The dual ascent by trying every cluster at every event."""
    n = len(d)
    alpha, free, now = np.zeros(n), np.ones(n, dtype=bool), 0.0
    while free.any():
        best = (np.inf, 0, 0.0)
        for v in range(n):
            for radius in np.unique(d[v][d[v] >= t[v]]):
                inside = d[v] <= radius
                alive = w[inside & free].sum()
                if alive:
                    paid = (np.maximum(alpha - radius, 0) * w)[inside & ~free].sum()
                    time = max(now, radius, radius + (setup[v] + share * radius - paid) / alive)
                    best = min(best, (time, v, radius))
        now, v, radius = best
        connected = free & (d[v] <= radius)
        alpha[connected] = now
        free &= ~connected
    return alpha


@pytest.mark.parametrize("seed", range(12))
def test_the_ascent_by_events_is_the_naive_one(seed: int) -> None:
    rng = np.random.default_rng(seed)
    space = mixed_space(rng, 9)
    d = all_distances(space)
    r = int(rng.integers(1, 5))
    share = float(r) if r > 1 else 0.0
    setup = np.full(9, float(rng.integers(0, 3))) if r > 1 else rng.integers(1, 5, 9).astype(float)
    t = space.rth_distance(r)
    found = ascend(space, t, setup, share)
    assert found.alpha == pytest.approx(naive_ascent(d, space.weight, t, setup, share))


def test_arrays_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError):
        Space(Coordinates(2, matrix=np.zeros((3, 3))), np.ones(2, dtype=np.int64))
    with pytest.raises(ValueError):
        Space(Coordinates(2, matrix=np.zeros((2, 2))), np.zeros(2, dtype=np.int64))
    space = Space(Coordinates(2, matrix=np.zeros((2, 2))), np.ones(2, dtype=np.int64))
    with pytest.raises(IndexError):
        space.distances(0, 2)
