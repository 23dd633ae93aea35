"""Problem and Solution: prices, offsets, closures and what each group shows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from shoal import measures, registry
from shoal.hierarchies.rows import tree_from_rows
from shoal.problem import Problem, close, quasi_identifier
from tests.tables import make_problem, random_problem

RARE = tree_from_rows([["a", "rare", "*"], ["b", "rare", "*"], ["c", "c", "*"]])
"""With counts 1, 1, 7 the pair of rare values has more bits than the whole column."""


def test_a_node_that_costs_more_than_one_above_it_is_shown_as_that() -> None:
    column = quasi_identifier("x", RARE, np.array([1, 1, 7]), registry.find(measures.CATALOG, "entropy"))
    rare = RARE.labels.index("rare")
    assert column.shown[rare] == RARE.root
    assert column.price[rare] == column.price[RARE.root]
    assert (column.price[RARE.parent[:-1]] >= column.price[:-1]).all()


def test_a_weight_multiplies_prices_and_offsets() -> None:
    measure = registry.find(measures.CATALOG, "non-uniform-entropy")
    one, five = (quasi_identifier("x", RARE, np.array([1, 1, 7]), measure, weight) for weight in (1.0, 5.0))
    assert five.price == pytest.approx(5 * one.price)
    assert five.offset == pytest.approx(5 * one.offset)


def test_a_missing_cell_that_is_to_be_starred_costs_a_star_even_alone() -> None:
    column = quasi_identifier("x", RARE, np.array([1, 1, 7]), registry.find(measures.CATALOG, "tree"), starred=0)
    assert column.shown[0] == RARE.root
    assert column.price[0] == column.price[RARE.root]


def test_equal_rows_are_one_tuple() -> None:
    problem = make_problem([["a", "x"], ["b", "y"], ["a", "x"]], 2)
    assert (problem.n_rows, problem.n_tuples, problem.n_columns) == (3, 2, 2)
    assert problem.tuple_of_unit[0] == problem.tuple_of_unit[2]
    assert problem.weight[problem.tuple_of_unit[problem.units_by_tuple]].tolist() == sorted([2, 2, 1], reverse=True)
    assert problem.price_of_suppression == 2.0


def test_a_group_shows_the_least_that_covers_its_rows_and_pays_for_each_of_them() -> None:
    problem = make_problem([["a"], ["b"], ["c"], ["c"]], 2, [RARE], "tree")
    solution = close(problem, [7, 7, 3, 3])
    assert [RARE.labels[node] for node in solution.nodes[:, 0]] == ["c", "rare"]
    assert solution.group.tolist() == [1, 1, 0, 0]
    assert solution.loss == pytest.approx(2 * problem.columns[0].price[RARE.labels.index("rare")])


def test_a_row_that_is_withheld_pays_nothing_and_has_no_group() -> None:
    problem = make_problem([["a"], ["b"], ["c"], ["c"]], 2, [RARE], "tree")
    solution = close(problem, [-1, -1, 0, 0])
    assert (solution.n_withheld, solution.n_groups, solution.loss) == (2, 1, 0.0)
    assert close(problem, [-1] * 4).n_groups == 0


def free(problem: Problem, kind: str) -> Problem:
    return replace(problem, columns=tuple(replace(c, free=kind) for c in problem.columns))


@pytest.mark.parametrize(("kind", "shown"), [("interval", [[0, 1, 2, 3], [1, 2]]), ("subset", [[0, 3], [1, 2]])])
def test_a_free_column_shows_its_own_values_or_all_between_them(kind: str, shown: list[list[int]]) -> None:
    problem = free(make_problem([["a"], ["d"], ["b"], ["c"]], 2), kind)
    assert not problem.is_laminar
    sets = close(problem, [0, 0, 1, 1]).sets[0]
    assert sets is not None
    assert [sets.leaves[a:b].tolist() for a, b in zip(sets.start[:-1], sets.start[1:], strict=True)] == shown


def test_some_of_the_rows_keep_the_prices_of_the_whole_table() -> None:
    problem = random_problem(np.random.default_rng(1), 20, 3, 3, 4, "entropy", deep=True)
    rows = np.arange(20) < 12
    part = problem.over(rows)
    assert part.n_rows == 12
    assert (part.codes[part.tuple_of_unit] == problem.codes[problem.tuple_of_unit[rows]]).all()
    assert all((a.price == b.price).all() for a, b in zip(part.columns, problem.columns, strict=True))
