"""The optimum of a small table whose columns may show any interval or any subset: cheapest supersets included, with every demand."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import numpy as np

from shoal.measures.base import Sets
from shoal.problem import Problem, QuasiIdentifier
from tests.naive.released import meets_demands, price_of_leaving_out


def cheapest_superset(problem: Problem, column: QuasiIdentifier, leaves: frozenset[int]) -> float:
    """The least price of an allowed set that holds these leaves. A missing cell stands alone, or in the whole domain."""
    n = column.tree.n_leaves
    missing = {v for v in range(n) if column.tree.labels[v] is None}
    if column.free == "interval":
        allowed = [list(range(a, b + 1)) for a in range(min(leaves) + 1) for b in range(max(leaves), n)]
    else:
        others = [v for v in range(n) if v not in leaves]
        allowed = [sorted([*leaves, *more]) for size in range(len(others) + 1) for more in combinations(others, size)]
    allowed = [a for a in allowed if len(a) in (1, n) or not missing & set(a)] or [list(range(n))]
    start = np.concatenate([[0], np.cumsum([len(a) for a in allowed])]).astype(np.int64)
    sets = Sets(start, np.concatenate(allowed).astype(np.int32))
    return float(column.weight * problem.measure.set_price(column.tree, column.count, sets).min())


def free_optimum(problem: Problem) -> float:
    """The least loss over all choices of rows to leave out; infinite where no groups keep every demand."""
    n, k = problem.n_rows, problem.k
    codes = problem.codes[problem.tuple_of_unit]

    @cache
    def price(j: int, leaves: frozenset[int]) -> float:
        column = problem.columns[j]
        if column.free is not None:
            return cheapest_superset(problem, column, leaves)
        node = min(leaves)
        for leaf in leaves:
            node = column.tree.join(node, leaf)
        return float(column.price[node])

    @cache
    def best(mask: int) -> float:
        if not mask:
            return 0.0
        first = mask & -mask
        rest, found, part = mask ^ first, float("inf"), mask ^ first
        while True:
            rows = [i for i in range(n) if (part | first) >> i & 1]
            if len(rows) >= k and meets_demands(problem, rows):
                group = sum(price(j, frozenset(codes[rows, j].tolist())) for j in range(problem.n_columns))
                found = min(found, group * len(rows) + best(rest ^ part))
            if not part:
                return found
            part = (part - 1) & rest

    offset = problem.offset_of_tuple[problem.tuple_of_unit]
    found = float("inf")
    for kept in range(1, 1 << n):
        rows = [i for i in range(n) if kept >> i & 1]
        away = price_of_leaving_out(problem, [i for i in range(n) if not kept >> i & 1])
        if away < found and len(rows) >= k:
            found = min(found, best(kept) - float(offset[rows].sum()) + away)
    return found
