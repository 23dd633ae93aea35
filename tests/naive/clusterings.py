"""The obvious slow way of clustering: every partition of a few points, by dynamic programming over their subsets."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]


def random_metric(rng: np.random.Generator, n: int) -> Matrix:
    """A small metric of some kind: on a line, in the plane, of a graph, of words, or of any distances made to fit."""
    kind = rng.integers(0, 6)
    if kind == 0:
        x = rng.integers(0, 12, n).astype(float)
        return np.abs(x[:, None] - x[None, :])
    if kind == 1:
        x = rng.random((n, 2))
        return np.sqrt(((x[:, None] - x[None, :]) ** 2).sum(-1))
    if kind == 2:
        words = rng.integers(0, 3, (n, 4))
        return (words[:, None] != words[None, :]).sum(-1).astype(float)
    if kind == 3:
        d = np.where(rng.random((n, n)) < 0.4, 1.0, 2.0)
    elif kind == 4:
        d = rng.integers(1, 10, (n, n)).astype(float)
    else:
        d = np.where(rng.random((n, n)) < 0.45, 1.0, 50.0)
    return closed(np.minimum(d, d.T))


def closed(d: Matrix) -> Matrix:
    """The shortest ways."""
    d = d.copy()
    np.fill_diagonal(d, 0)
    for k in range(len(d)):
        d = np.minimum(d, d[:, k : k + 1] + d[k : k + 1, :])
    return d


def row_radius(d: Matrix, members: list[int]) -> float:
    """The least radius of a cluster around any of all rows."""
    return float(d[:, members].max(axis=1).min())


def half_diameter(d: Matrix, members: list[int]) -> float:
    """No centre in any space is nearer to all of them."""
    return float(d[np.ix_(members, members)].max() / 2)


def optimum(
    d: Matrix,
    r: int,
    cost: Callable[[list[int]], float],
    *,
    total: bool,
    most_outliers: int = 0,
    most_clusters: int | None = None,
) -> float:
    """The least largest (or summed) cost of clusters of at least r points, with so many points left out and so many clusters at most."""
    n = len(d)
    full = 1 << n
    price = [np.inf] * full
    for mask in range(1, full):
        if mask.bit_count() >= r:
            price[mask] = cost([i for i in range(n) if mask >> i & 1])
    limit = min(most_clusters if most_clusters is not None else n, n // max(r, 1) + 1)
    best = [0.0] + [np.inf] * (full - 1)
    answer = np.inf
    for _ in range(limit):
        after = best[:]
        for mask in range(1, full):
            low = mask & -mask
            rest = mask ^ low
            part = rest
            found = after[mask]
            while True:
                one, other = price[part | low], best[rest ^ part]
                value = one + other if total else (one if one > other else other)
                if value < found:
                    found = value
                if not part:
                    break
                part = (part - 1) & rest
            after[mask] = found
        if after == best:
            break
        best = after
    for mask in range(full):
        if n - mask.bit_count() <= most_outliers and (mask or n <= most_outliers):
            answer = min(answer, best[mask])
    return float(answer)


def shared_optimum(d: Matrix, r: int, cost: Callable[[list[int]], float], *, most_outliers: int = 0) -> float:
    """The least summed cost of clusters of at least r points that may have points in common, with so many points in none at most."""
    n = len(d)
    prices = {mask: cost([i for i in range(n) if mask >> i & 1]) for mask in range(1, 1 << n) if mask.bit_count() >= r}
    best = [0.0] + [np.inf] * ((1 << n) - 1)
    for covered in range(1 << n):
        for mask, price in prices.items():
            best[covered | mask] = min(best[covered | mask], best[covered] + price)
    return float(min(value for covered, value in enumerate(best) if n - covered.bit_count() <= most_outliers))
