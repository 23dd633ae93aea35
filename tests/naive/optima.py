"""The optima of many small tables at once: the same subset program as :mod:`tests.naive.optimum`, run over a batch by numpy.

All tables of a batch have the same number of rows and the same k. On a tree with monotone prices the closure of a group costs,
per column, what the most expensive pair of its first row with another one costs; so a table is told by its prices of pairs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from shoal.problem import Problem

Floats = NDArray[np.float64]


def pair_prices(problem: Problem) -> Floats:
    """What each pair of rows costs in each column, shape (n_columns, n_rows, n_rows)."""
    n = problem.n_rows
    prices = np.empty((problem.n_columns, n, n))
    for j, column in enumerate(problem.columns):
        leaves = problem.codes[problem.tuple_of_unit, j]
        used = np.unique(leaves)
        of_leaves = {(int(a), int(b)): float(column.price[column.tree.join(int(a), int(b))]) for a in used for b in used}
        prices[j] = [[of_leaves[int(a), int(b)] for b in leaves] for a in leaves]
    return prices


def optima(problems: Sequence[Problem]) -> Floats:
    """The least loss of each problem; laminar hierarchies only. Problems of one size are solved together."""
    found = np.empty(len(problems))
    batches: dict[tuple[int, int], list[int]] = defaultdict(list)
    for i, problem in enumerate(problems):
        assert problem.is_laminar
        batches[problem.n_rows, problem.k].append(i)
    for (n, k), members in batches.items():
        width = max(problems[i].n_columns for i in members)
        prices = np.zeros((width, n, n, len(members)))
        for at, i in enumerate(members):
            prices[: problems[i].n_columns, :, :, at] = pair_prices(problems[i])
        offsets = [float(problems[i].offset_of_tuple[problems[i].tuple_of_unit].sum()) for i in members]
        found[members] = _solve(prices, n, k) - np.array(offsets)
    return found


def _solve(prices: Floats, n: int, k: int) -> Floats:
    """Dynamic programming over sets of rows, each numpy operation over the whole batch."""
    batch = prices.shape[-1]
    best: dict[int, Floats] = {0: np.zeros(batch)}
    group: dict[tuple[int, ...], Floats] = {}
    for size in range(k, 2 * k):
        for rows in combinations(range(n), size):
            group[rows] = prices[:, rows[0], list(rows), :].max(axis=1).sum(axis=0) * size
    for mask in range(1, 1 << n):
        rows = [i for i in range(n) if mask >> i & 1]
        if len(rows) < k:
            continue
        least = np.full(batch, np.inf)
        for size in range(k, min(2 * k - 1, len(rows)) + 1):
            for others in combinations(rows[1:], size - 1):
                rest = mask ^ sum(1 << i for i in (rows[0], *others))
                if rest in best:
                    np.minimum(least, group[rows[0], *others] + best[rest], out=least)
        best[mask] = least
    return best[(1 << n) - 1] if n >= k else np.full(batch, np.inf)
