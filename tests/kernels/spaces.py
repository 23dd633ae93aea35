"""A space with every kind of coordinate, and its distances."""

from __future__ import annotations

import numpy as np

from shoal.kernels.space import Coordinates, Space


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
