"""Neighbours the obvious way: every pair."""

from __future__ import annotations

from shoal.problem import Problem


def distance(problem: Problem, u: int, v: int) -> float:
    """The price of the nodes that cover both tuples."""
    total = 0.0
    for j, column in enumerate(problem.columns):
        total += float(column.price[column.tree.join(int(problem.codes[u, j]), int(problem.codes[v, j]))])
    return total


def companions(problem: Problem, u: int, folded: bool) -> list[float]:
    """The distances of all other rows (or tuples) from tuple u, nearest first."""
    found = [distance(problem, u, u)] * (int(problem.weight[u]) - 1) if folded else []
    for v in range(problem.n_tuples):
        if v != u:
            found += [distance(problem, u, v)] * (int(problem.weight[v]) if folded else 1)
    return sorted(found)
