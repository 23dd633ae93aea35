"""Farthest first, better centres, rows spread evenly."""

from __future__ import annotations

import numpy as np

from shoal.kernels.space import Coordinates, Space
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


def test_farthest_first_recentring_and_spreading_agree_with_all_distances() -> None:
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
