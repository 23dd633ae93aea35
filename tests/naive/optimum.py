"""The optimum of a small table, by dynamic programming over subsets of rows."""

from __future__ import annotations

from functools import cache

from shoal.problem import Problem


def group_price(problem: Problem, rows: list[int]) -> float:
    """What a group costs: the cheapest superset of its closure in each column, for each of its rows."""
    total = 0.0
    for j, column in enumerate(problem.columns):
        leaves = [int(problem.codes[problem.tuple_of_unit[i], j]) for i in rows]
        node = leaves[0]
        for leaf in leaves[1:]:
            node = column.tree.join(node, leaf)
        total += float(column.price[node]) * len(rows) - float(sum(column.offset[leaf] for leaf in leaves))
    return total


def optimum(problem: Problem) -> float:
    """The least loss of a k-anonymous release: groups of k to 2k − 1 rows suffice, as prices are monotone."""
    n, k = problem.n_rows, problem.k

    @cache
    def price(mask: int) -> float:
        return group_price(problem, [i for i in range(n) if mask >> i & 1])

    @cache
    def best(mask: int) -> float:
        if not mask:
            return 0.0
        if mask.bit_count() < k:
            return float("inf")
        first = mask & -mask
        rest, found, part = mask ^ first, float("inf"), mask ^ first
        while True:  # every subset `part` of `rest`, joined to the first row
            size = part.bit_count() + 1
            if k <= size <= 2 * k - 1:
                found = min(found, price(part | first) + best(rest ^ part))
            if not part:
                return found
            part = (part - 1) & rest

    return best((1 << n) - 1)
