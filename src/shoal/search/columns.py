"""The columns of a problem as the search prices them: trees as they are, free columns by the sets that a release will show."""

from __future__ import annotations

import numpy as np

from shoal import kernels
from shoal.kernels import Formula, FreeColumn, Space, TreeColumn
from shoal.kernels.columns import LARGEST_GRID
from shoal.measures.information_share import per_bit
from shoal.problem import Floats, Problem, QuasiIdentifier

FORMULAS = {
    "entropy": Formula.ENTROPY,
    "monotone-entropy": Formula.MONOTONE,
    "non-uniform-entropy": Formula.LOG,
    "information-share": Formula.LOG,
    "lm": Formula.COUNT,
    "stars": Formula.STARS,
}
"""Measures whose price of a set follows from its rows or its leaves. Under others a set costs what the node around it does."""


def space_of(problem: Problem) -> Space:
    """All columns of a problem, laid out for the search."""
    return kernels.make_space([column_of(problem, column) for column in problem.columns])


def column_of(problem: Problem, column: QuasiIdentifier) -> TreeColumn | FreeColumn:
    formula = FORMULAS.get(problem.measure.name)
    n_leaves = column.tree.n_leaves
    if column.free == "interval" and formula is None and n_leaves <= LARGEST_GRID:
        return FreeColumn(True, Formula.STARS, 0.0, column.count.astype(np.float64), grid=interval_prices(column))
    if column.free is None or formula is None:
        return TreeColumn(column.tree.parent, column.price, n_leaves)
    weight = column.count.astype(np.float64)
    is_interval = column.free == "interval"
    if formula is Formula.COUNT and column.tree.bounds is not None:
        low, high = column.tree.bounds[:n_leaves].T
        whole = float(column.tree.bounds[-1, 1] - column.tree.bounds[-1, 0])
        on_a_line = not np.isnan(low).any() and (np.diff(low) >= 0).all() and (np.diff(high) >= 0).all()
        if on_a_line and whole > 0:  # the width of a set is that of the interval around it
            return FreeColumn(True, Formula.WIDTH, column.weight / whole, weight, low.copy(), high.copy())
    scale = column.weight
    if problem.measure.name == "information-share":
        scale *= per_bit(column.count)
    if formula is Formula.MONOTONE:
        scale /= max(float(weight.sum()), 1.0)
    elif formula is Formula.COUNT:
        scale /= max(n_leaves - 1, 1)
    return FreeColumn(is_interval, formula, scale, weight)


def interval_prices(column: QuasiIdentifier) -> Floats:
    """The price of the smallest node around each interval, at [low, high]."""
    n_leaves, tree = column.tree.n_leaves, column.tree
    grid = np.zeros((n_leaves, n_leaves))
    for low in range(n_leaves):
        node = low
        for high in range(low, n_leaves):
            node = tree.join(node, high)
            grid[low, high] = column.price[node]
    return grid
