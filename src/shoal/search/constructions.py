"""First groups, quickly: top-down along the hierarchies, runs of sorted rows, or a cover along prices."""

from __future__ import annotations

import numpy as np

from shoal import kernels
from shoal.budget import stoppable
from shoal.kernels.boxes import Boxes
from shoal.problem import Floats, Ints, Problem, Watch
from shoal.search.anchors import set_anchors_free
from shoal.search.withholding import bring_back


def top_down(problem: Problem) -> Ints:
    """Begin with one group; let each open the column that saves most, until none does. A group for each unit."""
    of_tuple, _ = kernels.split(problem.packed, problem.codes, problem.weight, problem.k)
    return set_anchors_free(problem, np.ascontiguousarray(of_tuple[problem.tuple_of_unit]))


def runs(problem: Problem) -> Ints:
    """Sort single rows by what costs most to suppress, and cut them into runs of k."""
    dear_last = sorted(range(problem.n_columns), key=lambda j: float(problem.columns[j].price[-1]))
    order = np.lexsort([problem.codes[problem.tuple_of_unit, j] for j in dear_last])
    n, k = problem.n_rows, problem.k
    group = np.empty(n, dtype=np.int32)
    group[order] = np.minimum(np.arange(n) // k, n // k - 1)
    return group


def cover(problem: Problem, prices: Floats, own: Floats | None, boxes: Boxes, near: Ints, watch: Watch | None = None) -> Ints | None:
    """Make groups of the k dearest rows in tight boxes, best first; what remains joins the group where it costs least.

    Prices come without what a tuple's own values cost. ``near`` lists near tuples of each tuple. Only single rows are taken; anchors are groups by themselves. Demands are not looked at.
    None if the watch asked to stop before the groups were made.
    """
    loose = np.flatnonzero(problem.rows_of_unit == 1)
    singles = loose[np.argsort(problem.tuple_of_unit[loose], kind="stable")]
    weight = np.bincount(problem.tuple_of_unit[loose], minlength=problem.n_tuples).astype(np.int64)
    try:
        with stoppable(watch or Watch()) as stop:
            found = kernels.cover_along_prices(problem.packed, problem.codes, weight, problem.k, prices, boxes, own, stop)
    except InterruptedError:
        return None
    tuples, count, of_group = found
    if len(tuples) == 0:
        return top_down(problem) if len(loose) < problem.n_units else np.zeros(problem.n_units, dtype=np.int32)
    group = np.full(problem.n_units, -1, dtype=np.int32)
    anchors = np.flatnonzero(problem.rows_of_unit > 1)
    group[anchors] = int(of_group.max()) + 1 + np.arange(len(anchors))
    by_tuple = np.argsort(tuples, kind="stable")
    first = np.concatenate([[0], np.cumsum(weight)])
    taken = count[by_tuple]
    before = np.cumsum(taken) - taken
    starts = np.flatnonzero(np.concatenate([[True], np.diff(tuples[by_tuple]) > 0]))
    within = before - np.repeat(before[starts], np.diff(np.concatenate([starts, [len(taken)]])))
    begin = first[tuples[by_tuple]] + within
    spread = np.arange(int(taken.sum())) - np.repeat(before, taken) + np.repeat(begin, taken)
    group[singles[spread]] = np.repeat(of_group[by_tuple], taken)
    return bring_back(problem, group, near, int((group < 0).sum()))
