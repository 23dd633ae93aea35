"""First groups, quickly: top-down along the hierarchies, or runs of sorted rows."""

from __future__ import annotations

import numpy as np

from shoal import kernels
from shoal.problem import Ints, Problem


def top_down(problem: Problem) -> Ints:
    """Begin with one group; let each open the column that saves most, until none does. A group for each row."""
    of_tuple, _ = kernels.split(problem.packed, problem.codes, problem.weight, problem.k)
    return np.ascontiguousarray(of_tuple[problem.tuple_of_row])


def runs(problem: Problem) -> Ints:
    """Sort the rows by what costs most to suppress, and cut them into runs of k."""
    dear_last = sorted(range(problem.n_columns), key=lambda j: float(problem.columns[j].price[-1]))
    order = np.lexsort([problem.codes[problem.tuple_of_row, j] for j in dear_last])
    n, k = problem.n_rows, problem.k
    group = np.empty(n, dtype=np.int32)
    group[order] = np.minimum(np.arange(n) // k, n // k - 1)
    return group
