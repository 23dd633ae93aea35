"""A problem as the kernel of improvement takes it."""

from __future__ import annotations

import numpy as np

from shoal.kernels import Rows
from shoal.problem import Problem
from shoal.search.neighbours import near_tuples
from shoal.search.promises import promises_of
from shoal.spaces import space_of


def rows_of(problem: Problem, leave: float | None = None) -> Rows:
    prices = None if leave is None else problem.offset_of_tuple + leave
    ones, worth = np.ones(problem.n_rows, dtype=np.int32), np.zeros(problem.n_tuples)
    return Rows(
        space_of(problem),
        problem.codes,
        near_tuples(problem),
        problem.tuple_of_unit,
        ones,
        worth,
        prices,
        promises_of(problem),
    )
