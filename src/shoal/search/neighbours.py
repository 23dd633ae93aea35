"""The near tuples of each tuple: exactly where that is quick, else those that stand near in several sorted orders."""

from __future__ import annotations

import numpy as np

from shoal import kernels
from shoal.kernels import Flag
from shoal.problem import Ints, Problem

NEAR, MOST_NEAR = 30, 100
"""Near tuples of a tuple; for larger groups twice k of them, up to so many: the nearest ones lie in a few groups then,
and others are never met.
"""
FEW, MANY = 200_000, 2_000_000
"""Up to so many tuples larger groups get more of them; beyond the other number all get fewer, for memory."""
MOST_PAIRS = 20_000_000_000
"""Cells of all pairs, up to which exact neighbours are quick even where the index cannot leave any out."""
SAMPLE = 512


def near_tuples(problem: Problem, seed: int = 0, stop: Flag | None = None) -> Ints:
    """For each tuple 30 near ones or more, nearest first, padded with −1. InterruptedError once ``stop`` is set."""
    n = problem.n_tuples
    count = min(number_of_near(n, problem.k), n - 1)
    if count < 1:
        return np.full((n, 1), -1, dtype=np.int32)
    if float(n) * n * problem.n_columns <= MOST_PAIRS or can_prune(problem, count, stop):
        return kernels.nearest(problem.packed, problem.codes, count, stop)
    return near_in_orders(problem, count, seed)


def number_of_near(n_tuples: int, k: int) -> int:
    """How many near tuples each tuple of a table gets."""
    if n_tuples > MANY:
        return 12
    return min(max(NEAR, 2 * k), MOST_NEAR) if n_tuples <= FEW else NEAR


def can_prune(problem: Problem, count: int, stop: Flag | None = None) -> bool:
    """Whether the index beats a scan of all pairs, counted (not timed) on a sample of the tuples."""
    step = problem.n_tuples // SAMPLE + 1
    sample = np.arange(0, problem.n_tuples, step, dtype=np.int32)
    return kernels.can_prune(problem.packed, problem.codes, count, sample, stop)


def near_in_orders(problem: Problem, count: int, seed: int) -> Ints:
    """Sort the tuples by the columns in several orders; those that stand beside a tuple in one of them are taken as
    near.
    """
    rng = np.random.default_rng(seed)
    n, q = problem.codes.shape
    each = max(count // 6, 1)
    near = []
    for _ in range(3):
        order = np.lexsort(problem.codes[:, rng.permutation(q)].T).astype(np.int32)
        place = np.empty(n, dtype=np.int64)
        place[order] = np.arange(n)
        for shift in [*range(1, each + 1), *range(-each, 0)]:
            near.append(order[(place + shift) % n])
    return np.ascontiguousarray(np.stack(near, axis=1))
