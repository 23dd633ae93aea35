"""Prices that rise by events, as the naive ascent has them."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.kernels.space_ascent import ascend
from tests.kernels.spaces import all_distances, mixed_space


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
