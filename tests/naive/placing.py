"""Where rows stand cheapest while every group keeps its cells: a linear program, solved by HiGHS as it stands."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linprog

from shoal.hierarchies.tree import Tree
from shoal.problem import Ints, Problem


def cells_of(problem: Problem, group: Ints) -> list[list[set[int]]]:
    """The leaves that each group's cell of each column holds."""
    codes, cells = problem.codes[problem.tuple_of_unit], []
    for g in range(int(group.max()) + 1):
        row = []
        for j, column in enumerate(problem.columns):
            leaves = {int(v) for v in codes[group == g, j]}
            if column.free == "interval":
                leaves = set(range(min(leaves), max(leaves) + 1))
            elif column.free is None:
                node = closure(column.tree, leaves)
                leaves = {v for v in range(column.tree.n_leaves) if column.tree.join(node, v) == node}
            row.append(leaves)
        cells.append(row)
    return cells


def closure(tree: Tree, leaves: set[int]) -> int:
    """The smallest node that holds all of them."""
    node = min(leaves)
    for leaf in leaves:
        node = tree.join(node, leaf)
    return node


def holders(problem: Problem, group: Ints) -> np.ndarray:
    """Whether the cells of a group (column) hold a row (row)."""
    codes, cells = problem.codes[problem.tuple_of_unit], cells_of(problem, group)
    return np.array([[all(int(v) in cell for v, cell in zip(row, of_group, strict=True)) for of_group in cells] for row in codes])


def least_cost(problem: Problem, group: Ints) -> float:
    """The least that the rows can pay in the cells of their groups, each of which keeps k rows. Hierarchies only; before offsets."""
    codes = problem.codes[problem.tuple_of_unit]
    price = np.array(
        [
            sum(float(c.price[closure(c.tree, {int(v) for v in codes[group == g, j]})]) for j, c in enumerate(problem.columns))
            for g in range(int(group.max()) + 1)
        ]
    )
    allowed = holders(problem, group)
    n, m = allowed.shape
    each_once = np.kron(np.eye(n), np.ones(m))
    at_least_k = -np.kron(np.ones(n), np.eye(m))
    bounds = [(0, 1 if ok else 0) for ok in allowed.ravel()]
    found = linprog(np.tile(price, n), at_least_k, -problem.k * np.ones(m), each_once, np.ones(n), bounds, method="highs")
    assert found.success
    return float(found.fun)
