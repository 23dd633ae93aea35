"""Cuts along hierarchies and at medians."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from shoal.algorithms.mondrian import MONDRIAN
from shoal.hierarchies.rows import tree_from_rows
from shoal.problem import Problem, Watch, quasi_identifier
from tests.tables import make_problem, random_problem

TREE = tree_from_rows([["1", "a", "*"], ["2", "a", "*"], ["3", "b", "*"], ["4", "b", "*"], ["5", "c", "*"]])


def groups_of(problem: Problem) -> list[list[int]]:
    solution = MONDRIAN.solve(problem, Watch())
    return sorted(np.flatnonzero(solution.group == g).tolist() for g in range(solution.n_groups))


def test_a_group_is_cut_into_the_children_of_its_node() -> None:
    rows = [[v] for v in "112234345555"]
    assert groups_of(make_problem(rows, 2, [TREE], "tree")) == [[0, 1], [2, 3], [4, 6], [5, 7], [8, 9, 10, 11]]


def test_children_below_k_stay_together() -> None:
    rows = [[v] for v in "111235"]
    assert groups_of(make_problem(rows, 2, [TREE], "tree")) == [[0, 1, 2, 3], [4, 5]]  # 3 and 5 stay with the root


def test_the_smallest_child_joins_a_rest_below_k() -> None:
    rows = [[v] for v in "1113335"]
    assert groups_of(make_problem(rows, 3, [TREE], "tree")) == [[0, 1, 2, 6], [3, 4, 5]]


def test_the_cut_that_saves_most_is_made() -> None:
    rows = [["1", "x"], ["1", "y"], ["3", "x"], ["3", "y"]]
    heavy = make_problem(rows, 2, None, "stars", weights=[1.0, 5.0])
    assert groups_of(heavy) == [[0, 2], [1, 3]]


def test_a_free_interval_is_cut_at_its_median() -> None:
    problem = make_problem([[v] for v in ["1", "1", "2", "3", "4", "5", "5", "5"]], 2, [TREE], "lm")
    column = problem.columns[0]
    free = quasi_identifier("c0", column.tree, column.count, problem.measure, free="interval")
    assert groups_of(replace(problem, columns=(free,))) == [[0, 1], [2, 3], [4, 5, 6, 7]]


def test_the_dearest_groups_are_withheld() -> None:
    rows = [[v] for v in "111235"]
    solution = MONDRIAN.solve(make_problem(rows, 2, [TREE], "tree", max_withheld=2), Watch())
    assert solution.group.tolist() == [0, 0, 0, 0, -1, -1]


def test_it_scales_without_a_loop_over_groups() -> None:
    problem = random_problem(np.random.default_rng(1), 30_000, 4, 3, values=20, deep=True, measure="entropy")
    sizes = np.bincount(MONDRIAN.solve(problem, Watch()).group)
    assert sizes.min() >= 3
