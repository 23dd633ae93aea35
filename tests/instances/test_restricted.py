"""Restricted tables."""

from __future__ import annotations

import numpy as np

from shoal import instances
from shoal.algorithms.restricted_matching import solve as match
from shoal.problem import Watch
from tests.instances.graphs import random_edges
from tests.naive.optima import optima
from tests.tables import make_problem


def test_graphs_become_restricted_tables_and_back() -> None:
    rng = np.random.default_rng(15)
    for _ in range(30):
        n = int(rng.integers(3, 8))
        edges = random_edges(rng, n, int(rng.integers(1, n)))
        instance = instances.restricted_from_graph(n, edges)
        assert instances.graph_of_restricted(instance.rows) == edges
        problem = make_problem(instance.rows, 2)
        assert match(problem, Watch()).loss == optima([problem])[0]


def test_a_table_is_made_restricted() -> None:
    rng = np.random.default_rng(16)
    for _ in range(30):
        rows = [[str(v) for v in row] for row in rng.integers(0, 2, size=(4, 5))]
        made = instances.restricted_from_table(rows, 4)
        assert [list(row) for row in made.rows[:4]] == rows
        assert all(column.count("0") == 4 for column in zip(*made.rows, strict=True))
