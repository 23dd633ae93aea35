"""Joins of leaves, by a table or by climbing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from shoal.hierarchies.rows import tree_from_rows
from shoal.kernels import Effort
from shoal.kernels.columns import join_table
from shoal.search.constructions import runs
from tests.kernels.problems import rows_of
from tests.tables import make_problem, random_problem


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


@pytest.mark.parametrize("k", [3, 9])
def test_a_look_gives_what_a_join_gives(monkeypatch: pytest.MonkeyPatch, k: int) -> None:
    """Whole prices, so that a sum does not depend on its order: some columns priced by one look, some not, all, or
    none.
    """
    rng, sizes = np.random.default_rng(3), (3, 40, 5, 17, 4, 60)
    rows = [[str(rng.integers(size)) for size in sizes] for _ in range(300)]
    trees = [tree_from_rows([[str(v), f"g{v % 3}", "*"] for v in range(size)]) for size in sizes]
    problem = make_problem(rows, k, trees, "tree")
    columns = [replace(c, price=np.round(24 * c.price)) for c in problem.columns]
    problem = replace(problem, columns=tuple(columns))
    part, effort = np.arange(300, dtype=np.int32), Effort(work=300_000, hot=20.0, cold=2.0)
    found = []
    for largest in (1 << 16, 500, 0):
        monkeypatch.setattr("shoal.kernels.columns.LARGEST_JOINED", largest)
        found.append(rows_of(problem).improve(runs(problem), part, k, effort))
    assert found[0].accepted > 50
    for other in found[1:]:
        assert (other.group == found[0].group).all()
        assert (other.cost, other.work) == (found[0].cost, found[0].work)
