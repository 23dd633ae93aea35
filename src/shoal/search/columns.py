"""The columns of a problem as the search prices them: trees as they are, free columns by the sets that a release will show."""

from __future__ import annotations

import numpy as np

from shoal import kernels
from shoal.kernels import Formula, FreeColumn, Space, TreeColumn
from shoal.problem import Problem, QuasiIdentifier

FORMULAS = {
    "entropy": Formula.ENTROPY,
    "monotone-entropy": Formula.MONOTONE,
    "non-uniform-entropy": Formula.LOG,
    "lm": Formula.COUNT,
    "stars": Formula.STARS,
}
"""Measures whose price of a set follows from its rows or its leaves. Others are searched on the stand-in tree."""


def space_of(problem: Problem) -> Space:
    """All columns of a problem, laid out for the search."""
    return kernels.make_space([column_of(problem, column) for column in problem.columns])


def column_of(problem: Problem, column: QuasiIdentifier) -> TreeColumn | FreeColumn:
    formula = FORMULAS.get(problem.measure.name)
    if column.free is None or formula is None:
        return TreeColumn(column.tree.parent, column.price, column.tree.n_leaves)
    n_leaves = column.tree.n_leaves
    weight = column.count.astype(np.float64)
    is_interval = column.free == "interval"
    if formula is Formula.COUNT and column.tree.bounds is not None:
        low, high = column.tree.bounds[:n_leaves].T
        whole = float(column.tree.bounds[-1, 1] - column.tree.bounds[-1, 0])
        on_a_line = not np.isnan(low).any() and (np.diff(low) >= 0).all() and (np.diff(high) >= 0).all()
        if on_a_line and whole > 0:  # the width of a set is that of the interval around it
            return FreeColumn(True, Formula.WIDTH, column.weight / whole, weight, low.copy(), high.copy())
    scale = column.weight
    if formula is Formula.MONOTONE:
        scale /= max(float(weight.sum()), 1.0)
    elif formula is Formula.COUNT:
        scale /= max(n_leaves - 1, 1)
    return FreeColumn(is_interval, formula, scale, weight)
