"""What a group shows: the lowest node that covers all its rows, in every column."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.kernels.closures import cheapest_ancestors, closures
from tests.measures.columns import columns
from tests.tables import random_problem


@given(st.integers(0, 10**6))
def test_closures_are_joins_of_all_rows(seed: int) -> None:
    rng = np.random.default_rng(seed)
    problem = random_problem(rng, 30, 3, 3, values=6, deep=True)
    group = rng.integers(0, 5, problem.n_rows).astype(np.int32)
    found = closures(problem.packed, problem.codes, problem.tuple_of_unit, group, 6)
    for g in range(6):
        rows = problem.codes[problem.tuple_of_unit[group == g]]
        for j, column in enumerate(problem.columns):
            if len(rows) == 0:
                assert found[g, j] == -1, "an empty group shows nothing"
                continue
            node = int(rows[0, j])
            for leaf in rows[:, j].tolist():
                node = column.tree.join(node, leaf)
            assert found[g, j] == node


@given(columns(), st.integers(0, 10**6))
def test_a_node_may_be_shown_as_its_cheapest_ancestor(column, seed: int) -> None:
    tree, _ = column
    price = np.random.default_rng(seed).integers(0, 5, tree.n_nodes).astype(float)
    best, which = cheapest_ancestors(tree.parent, price)
    for v in range(tree.n_nodes):
        way, node = [v], v
        while node != tree.root:
            node = int(tree.parent[node])
            way.append(node)
        assert best[v] == min(price[u] for u in way)
        assert which[v] == next(u for u in way if price[u] == best[v]), "the lowest among equals"


def test_rows_that_do_not_exist_never_reach_the_kernel() -> None:
    problem = random_problem(np.random.default_rng(1), 10, 2, 2)
    rows = problem.tuple_of_unit
    for tuples, group in (
        (rows, rows[:-1]),
        (rows, np.full(10, 9, dtype=np.int32)),
        (np.full(10, 99, dtype=np.int32), np.zeros(10, dtype=np.int32)),
    ):
        with pytest.raises((ValueError, IndexError)):
            closures(problem.packed, problem.codes, tuples, group, 2)
