"""Near tuples: exact, or those that stand beside a tuple in a sorted order."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.search import neighbours
from shoal.search.neighbours import near_in_orders, near_tuples, number_of_near
from tests.tables import make_problem, random_problem


def test_the_nearest_come_first() -> None:
    problem = make_problem([["a", "x"], ["a", "y"], ["b", "z"]], 2)
    near = near_tuples(problem)
    first = {tuple(problem.codes[t]): tuple(problem.codes[near[t, 0]]) for t in range(3)}
    assert first[0, 0] == (0, 1)
    assert first[0, 1] == (0, 0)


def test_a_table_of_one_tuple_has_no_neighbours() -> None:
    assert near_tuples(make_problem([["a"], ["a"]], 2)).tolist() == [[-1]]


@pytest.mark.parametrize("seed", range(4))
def test_in_sorted_orders_every_near_tuple_is_another_and_most_agree_in_a_column(seed: int) -> None:
    problem = random_problem(np.random.default_rng(seed), 300, 3, 3, 8, "tree", deep=True)
    near = near_in_orders(problem, 12, seed)
    own = np.arange(problem.n_tuples)[:, None]
    assert near.shape[0] == problem.n_tuples
    assert (near != own).all()
    alike = (problem.codes[near] == problem.codes[:, None, :]).any(axis=2)
    assert alike.mean() > 0.8


def test_where_exact_neighbours_would_take_too_long_orders_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = random_problem(np.random.default_rng(1), 200, 3, 3, 6, "tree", deep=True)
    monkeypatch.setattr(neighbours, "MOST_PAIRS", 0)
    monkeypatch.setattr(neighbours, "can_prune", lambda *given: False)
    near = near_tuples(problem, 5)
    assert (near == near_in_orders(problem, min(30, problem.n_tuples - 1), 5)).all()


def test_larger_groups_get_more_near_tuples_where_memory_allows_it() -> None:
    """At k = 50 the 30 nearest tuples lie in a few groups, and the search never met the others."""
    assert [number_of_near(1_000, k) for k in (2, 15, 20, 50, 1_000)] == [30, 30, 40, 100, 100]
    assert [number_of_near(n, 50) for n in (200_000, 200_001, 2_000_001)] == [100, 30, 12]
