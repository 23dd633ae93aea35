"""The case of a problem that was made without a table: what the checker is told in tests and benchmarks."""

from __future__ import annotations

import numpy as np

from shoal.problem import Problem, QuasiIdentifier
from shoal.release.proof_case import Case, Ladder


def case_of_problem(problem: Problem) -> Case:
    """All rows of the problem were released."""
    ladders = tuple(ladder_of(column) for column in problem.columns)
    return Case(problem.k, problem.measure, ladders, problem.codes.astype(np.int64), problem.weight, problem.n_rows)


def ladder_of(column: QuasiIdentifier) -> Ladder:
    tree = column.tree
    blocks = tuple(tree.cut(level).astype(np.int64) for level in range(tree.height + 1))
    labels = dict(enumerate(tree.labels))
    return Ladder(column.name, tree.labels[: tree.n_leaves], blocks, labels, tree.bounds, column.count, column.weight)
