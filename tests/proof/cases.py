"""The case of a problem that was made without a table: what the checker is told in tests and benchmarks."""

from __future__ import annotations

import numpy as np

from shoal.judge.measures.base import RecountedMeasure, definition_of
from shoal.problem import Problem, QuasiIdentifier
from shoal.proof.case import Case, Different, Ladder


def case_of_problem(problem: Problem, measure: RecountedMeasure | None = None) -> Case:
    """What a proof about this problem has to prove, by the judge's half of its measure; None: the one in the catalog."""
    measure = measure or definition_of(problem.measure.name)
    ladders = tuple(ladder_of(column) for column in problem.columns)
    codes = problem.codes.astype(np.int64)
    leaving = (problem.max_withheld, problem.deletion)
    return Case(problem.k, measure, ladders, codes, problem.weight, *leaving, different=different_of(problem))


def different_of(problem: Problem) -> Different | None:
    """The distinct l-diversity that is asked for, of one column."""
    for demand, value in zip(problem.demands, problem.sensitive, strict=True):
        of_tuple: list[set[int]] = [set() for _ in range(problem.n_tuples)]
        for t, v in zip(problem.tuple_of_unit.tolist(), value.tolist(), strict=True):
            of_tuple[t] |= {v} - {demand.missing}
        if len(set().union(*of_tuple)) >= demand.parameters["l"]:
            start = np.cumsum([0, *(len(values) for values in of_tuple)])
            return Different(int(demand.parameters["l"]), start, np.array([v for s in of_tuple for v in sorted(s)], dtype=np.int64))
    return None


def ladder_of(column: QuasiIdentifier) -> Ladder:
    tree = column.tree
    blocks = tuple(tree.cut(level).astype(np.int64) for level in range(tree.height + 1))
    return Ladder(column.name, tree.labels[: tree.n_leaves], blocks, tree.bounds, column.count, column.weight, None, column.free)
