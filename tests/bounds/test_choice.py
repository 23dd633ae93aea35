"""Which bound the effort allows: never worse with more of it, and never without an answer."""

from dataclasses import replace

import numpy as np
import pytest

from shoal.bounds import choice, dual, rank, rank_walk
from shoal.bounds.choice import choose
from shoal.bounds.linear import LINEAR
from shoal.budget import Budget
from shoal.problem import Bound, Problem, Watch
from tests.tables import random_problem


def problem_of(n: int = 200):
    return random_problem(np.random.default_rng(12), n, 3, 4, values=7, measure="tree", deep=True)


def test_more_effort_never_proves_less() -> None:
    problem = problem_of()
    found = [choose(problem, Watch(), effort) for effort in (0, 2, 12)]
    assert found[0].name == "box"
    assert found[2].name == "rank"
    assert found[2].value >= LINEAR.compute(problem, Watch()).value
    assert found[0].value <= found[1].value <= found[2].value * (1 + 1e-9)


def test_a_large_table_is_not_given_to_the_linear_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice, "FEW_TUPLES", 10)
    monkeypatch.setattr(choice, "FEW_FOR_CUTS", 10)
    monkeypatch.setattr(rank_walk, "SIZE_OF_BLOCK", {})
    assert choose(problem_of(), Watch()).name == "dual"


def test_cuts_take_no_more_than_their_share_of_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[float] = []

    def spy(problem: Problem, found: Bound, budget: Budget) -> None:
        asked.append(budget.left())

    monkeypatch.setattr(rank, "with_cuts", spy)
    choose(replace(problem_of(), time_limit=0.2), Watch(), 4)
    choose(replace(problem_of(), effort=2.0), Watch(), 4)
    assert asked == pytest.approx([0.3 * 0.2, 2.0 * 4 * choice.SECONDS_OF_CUTS])


def test_without_memory_a_weaker_bound_stands_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def exhausted(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(dual, "raise_prices", exhausted)
    monkeypatch.setattr(choice, "FEW_TUPLES", 0)
    found = choose(problem_of(), Watch())
    assert found.name == "neighbour"
    assert found.value > 0
    assert "no memory for a better bound" in found.note


def test_free_columns_are_walked_without_their_stand_in_hierarchies() -> None:
    problem = problem_of(40)
    free = replace(problem, columns=(replace(problem.columns[0], free="interval"), *problem.columns[1:]))
    found = choose(free, Watch())
    assert found.name in ("anchored", "neighbour")
    assert found.value >= max(choose(free, Watch(), 0).value, dual.prices(free, 4, Watch()).bound.value) - 1e-9


def test_where_boxes_are_too_many_sets_are_walked_instead(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two dozen quasi-identifiers: 0.1.0 gave up on the boxes and ended at distances."""
    problem = random_problem(np.random.default_rng(4), 300, 24, 4, values=3, measure="tree", deep=True)
    stuck = dual.RisingPrices(problem, most_work=1000)
    assert stuck.is_stuck
    found = choice.prices_of(problem, most_work=1000)
    assert found.name == "anchored"
    assert found.worth(found.best) >= stuck.worth(stuck.best)


def test_no_rows_cost_nothing() -> None:
    problem = problem_of(20)
    assert choose(problem.over(np.zeros(20, dtype=bool)), Watch()).value == 0.0
