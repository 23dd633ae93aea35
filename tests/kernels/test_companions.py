"""Distances to the k-th companion, by tables of pairs and by trees."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from shoal import kernels
from tests.tables import random_problem


def test_tables_of_pairs_agree_with_trees() -> None:
    for seed in range(10):
        problem = random_problem(np.random.default_rng(seed), 60, 3, 3, values=5, measure="tree", deep=True)
        tables = []
        for column in problem.columns:
            n = column.tree.n_leaves
            tables.append(np.array([[column.price[column.tree.join(a, b)] for b in range(n)] for a in range(n)]))
        for k in (1, 3, 100):
            found = kernels.companions_by_tables(tables, problem.codes, problem.weight, k)
            assert (found == kernels.companion_distances(problem.packed, problem.codes, problem.weight, k)).all()


@pytest.mark.parametrize("measure", ["stars", "entropy", "non-uniform-entropy"])
def test_where_a_scan_would_take_too_long_distances_are_bounded_from_the_right_side(measure, monkeypatch):
    problem = random_problem(np.random.default_rng(3), 400, 12, 3, values=4, measure=measure)
    rows = (problem.packed, problem.codes, problem.weight)
    exact = kernels.companion_distances(*rows, 2, method="scan")
    least, _ = kernels.cheapest_boxes(*rows, 3, np.full(problem.n_tuples, np.inf))
    monkeypatch.setattr(sys.modules["shoal.kernels.neighbours"], "MOST_SCAN", 0.0)
    assert not kernels.can_prune(problem.packed, problem.codes, 2, np.arange(problem.n_tuples, dtype=np.int32))
    assert (kernels.companion_distances(*rows, 2) <= exact + 1e-12).all()
    assert (kernels.covering_prices(*rows, 2) >= least - 1e-12).all()


@pytest.mark.parametrize("measure", ["tree", "entropy", "non-uniform-entropy"])
def test_where_the_tree_would_take_too_long_distances_are_bounded_from_the_right_side(measure, monkeypatch):
    """A column of many values that may only be starred: the tree left out more than half of the table, which of a
    million rows left hours.
    """
    problem = random_problem(np.random.default_rng(3), 400, 4, 3, values=6, measure=measure, deep=True)
    rows, some = (problem.packed, problem.codes, problem.weight), np.arange(problem.n_tuples, dtype=np.int32)
    assert kernels.can_prune(problem.packed, problem.codes, 2, some)
    exact, covering = kernels.companion_distances(*rows, 2), kernels.covering_prices(*rows, 2)
    root = sum(float(column.price[-1]) for column in problem.columns)
    monkeypatch.setattr(sys.modules["shoal.kernels.neighbours"], "MOST_TREE", 0.0)
    assert not kernels.can_prune(problem.packed, problem.codes, 2, some)
    assert (kernels.companion_distances(*rows, 2) <= exact + 1e-12).all()
    bounded = kernels.covering_prices(*rows, 2)
    least, _ = kernels.cheapest_boxes(*rows, 3, np.full(problem.n_tuples, np.inf))
    assert (bounded >= least - 1e-12).all()
    assert bounded.sum() < 0.9 * root * problem.n_tuples
    assert bounded.sum() < 2 * covering.sum()


def test_a_raised_flag_ends_the_look_at_all_pairs() -> None:
    problem = random_problem(np.random.default_rng(2), 60, 2, 3, values=5)
    tables, flag = [np.ones((5, 5))] * 2, kernels.Flag()
    assert len(kernels.companions_by_tables(tables, problem.codes, problem.weight, 2, flag)) == problem.n_tuples
    flag.set()
    with pytest.raises(InterruptedError):
        kernels.companions_by_tables(tables, problem.codes, problem.weight, 2, flag)
