"""The columns of a problem as the kernels price them: trees as they are, free columns by the sets that a release will show."""

from __future__ import annotations

import numpy as np

from shoal import kernels
from shoal.kernels import Columns, Formula, FreeColumn, TreeColumn
from shoal.kernels.columns import LARGEST_GRID
from shoal.measures.base import Measure, SetForm, Sets
from shoal.problem import Floats, Problem, QuasiIdentifier

FORMULAS = {
    "bits": Formula.BITS,
    "rows-bits": Formula.ROWS_BITS,
    "log-rows": Formula.LOG_ROWS,
    "root-rows": Formula.ROOT_ROWS,
    "leaves": Formula.LEAVES,
    "several": Formula.SEVERAL,
}
"""The forms that a measure may declare, as the kernels number them."""


def space_of(problem: Problem) -> Columns:
    """All columns of a problem, laid out for the search."""
    return kernels.make_columns([column_of(column, problem.measure) for column in problem.columns])


def column_of(column: QuasiIdentifier, measure: Measure) -> TreeColumn | FreeColumn:
    """A column as the search prices it; a free one by the form that the measure declares for sets.

    Without one, intervals of a few hundred leaves are priced one by one, and any other set as the smallest node around it.
    """
    n_leaves, weight = column.tree.n_leaves, column.count.astype(np.float64)
    sets = measure.set_form or SetForm(None)
    if column.free == "interval" and n_leaves <= LARGEST_GRID and (sets.form is None or column.has_missing):
        return FreeColumn(True, Formula.SEVERAL, 0.0, weight, grid=interval_prices(column, measure))
    if column.free is not None and sets.is_width and column.tree.bounds is not None:
        found = by_width(column)
        if found is not None:
            return found
    if column.free is None or sets.form is None:
        return TreeColumn(column.tree.parent, column.price, n_leaves)
    return FreeColumn(column.free == "interval", FORMULAS[sets.form], sets.scale(column.weight, column.tree, column.count), weight)


def by_width(column: QuasiIdentifier) -> FreeColumn | None:
    """A column of numbers, in which a set costs the width of the interval around it; None if its values do not lie on a line.

    A missing cell beside numbers costs the whole domain. Here it counts as one more greatest number: never too much, and a superset costs no less.
    """
    assert column.tree.bounds is not None
    low, high = column.tree.bounds[: column.tree.n_leaves].T.copy()
    if column.has_missing and len(low) > 1:
        low[-1] = high[-1] = high[:-1].max()
    if np.isnan(low).any() or (np.diff(low) < 0).any() or (np.diff(high) < 0).any():
        return None
    whole = float(column.tree.bounds[-1, 1] - column.tree.bounds[-1, 0])
    return FreeColumn(True, Formula.WIDTH, column.weight / whole if whole > 0 else 0.0, column.count.astype(np.float64), low, high)


def interval_prices(column: QuasiIdentifier, measure: Measure) -> Floats:
    """What a group pays whose values lie in each interval, at [low, high]."""
    n = column.tree.n_leaves
    low, high = (x.astype(np.int64) for x in np.triu_indices(n))
    start = np.concatenate([[0], np.cumsum(high - low + 1)])
    leaves = np.arange(start[-1]) - np.repeat(start[:-1] - low, high - low + 1)
    grid = np.zeros((n, n))
    grid[low, high] = column.weight * measure.set_price(column.tree, column.count, Sets(start, leaves.astype(np.int32)))
    if column.has_missing:  # beside others it shows the whole domain
        grid[: n - 1, n - 1] = grid[0, n - 1]
    return grid
