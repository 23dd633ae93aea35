"""Joins of leaves, by a table or by climbing."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.kernels import Effort
from shoal.kernels.columns import join_table
from shoal.search.constructions import runs
from tests.kernels.problems import rows_of
from tests.tables import random_problem


def test_join_tables_are_joins() -> None:
    problem = random_problem(np.random.default_rng(1), 30, 1, 2, 9, deep=True)
    tree = problem.columns[0].tree
    table = join_table(tree.parent, tree.n_leaves)
    for node in range(tree.n_nodes):
        for leaf in range(tree.n_leaves):
            assert table[node, leaf] == tree.join(node, leaf)


def test_climbing_gives_what_tables_give(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = random_problem(np.random.default_rng(7), 200, 4, 3, 7, "entropy", deep=True)
    part, effort = np.arange(200, dtype=np.int32), Effort(work=100_000, hot=1.0, cold=0.1)
    tabled = rows_of(problem).improve(runs(problem), part, 3, effort)
    monkeypatch.setattr("shoal.kernels.columns.LARGEST_TABLE", 0)
    climbed = rows_of(problem).improve(runs(problem), part, 3, effort)
    assert (tabled.group == climbed.group).all()
