"""The columns of a problem as the search prices them: trees as they are, free columns by the sets that a release will show."""

from __future__ import annotations

import numpy as np

from shoal import kernels
from shoal.kernels import Formula, FreeColumn, Space, TreeColumn
from shoal.kernels.columns import LARGEST_GRID
from shoal.measures.base import SetForm
from shoal.problem import Floats, Problem, QuasiIdentifier

FORMULAS = {
    "bits": Formula.BITS,
    "rows-bits": Formula.ROWS_BITS,
    "log-rows": Formula.LOG_ROWS,
    "leaves": Formula.LEAVES,
    "several": Formula.SEVERAL,
}
"""The forms that a measure may declare, as the kernels number them."""


def space_of(problem: Problem) -> Space:
    """All columns of a problem, laid out for the search."""
    return kernels.make_space([column_of(column, problem.measure.set_form) for column in problem.columns])


def column_of(column: QuasiIdentifier, sets: SetForm | None) -> TreeColumn | FreeColumn:
    """A column as the search prices it; a free one by the form that the measure declares for sets."""
    n_leaves, weight = column.tree.n_leaves, column.count.astype(np.float64)
    if column.free == "interval" and sets is None and n_leaves <= LARGEST_GRID:
        return FreeColumn(True, Formula.SEVERAL, 0.0, weight, grid=interval_prices(column))
    if column.free is None or sets is None:
        return TreeColumn(column.tree.parent, column.price, n_leaves)
    if sets.is_width and column.tree.bounds is not None:
        low, high = column.tree.bounds[:n_leaves].T
        whole = float(column.tree.bounds[-1, 1] - column.tree.bounds[-1, 0])
        on_a_line = not np.isnan(low).any() and (np.diff(low) >= 0).all() and (np.diff(high) >= 0).all()
        if on_a_line and whole > 0:  # the width of a set is that of the interval around it
            return FreeColumn(True, Formula.WIDTH, column.weight / whole, weight, low.copy(), high.copy())
    return FreeColumn(column.free == "interval", FORMULAS[sets.form], sets.scale(column.weight, column.tree, column.count), weight)


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
