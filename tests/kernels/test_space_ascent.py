"""Prices that rise by events, as the naive ascent has them."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.kernels.space import Coordinates, Space
from shoal.kernels.space_ascent import ascend


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
