"""Prices with cuts on a large table: more than prices prove, never more than is true, whatever the blocks and the
budget.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.algorithms.auto import AUTO
from shoal.bounds import choice, dual, rank_walk
from shoal.bounds.linear import LINEAR
from shoal.bounds.rank import with_cuts
from shoal.bounds.rank_walk import with_walked_cuts
from shoal.budget import Budget
from shoal.problem import Bound, Problem, Watch
from tests.bounds.test_rank import Impatient, three_rows
from tests.contract.test_bounds import MEASURES, demanding, random_table, with_missing
from tests.naive.boxes import is_feasible
from tests.naive.optimum import optimum
from tests.tables import random_problem


def walked(
    problem: Problem, seconds: float = 100.0, watch: Watch | None = None, turns: int = 3
) -> tuple[Bound, Bound | None]:
    first = dual.prices(problem, turns, Watch()).bound
    return first, with_walked_cuts(problem, first, Budget(seconds, watch or Watch()))


def test_three_rows_of_which_only_two_can_be_a_pair() -> None:
    problem = three_rows()
    _, found = walked(problem, turns=12)
    assert found is not None
    assert optimum(problem) == 6
    assert found.value == pytest.approx(6, rel=1e-3)
    assert found.name == "rank"


@settings(deadline=None, max_examples=80)
@given(seed=st.integers(0, 10**9), measure=st.sampled_from(MEASURES), size=st.sampled_from([1, 3, 1000]))
def test_between_what_prices_prove_and_the_optimum(seed: int, measure: str, size: int) -> None:
    """Whatever blocks the programs are solved on."""
    rng = np.random.default_rng(seed)
    problem = random_table(rng, measure)
    if rng.random() < 0.2:
        problem = with_missing(rng, problem)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rank_walk, "SIZE_OF_BLOCK", dict.fromkeys(range(2, 6), size))
        first, found = walked(problem, turns=int(rng.integers(0, 4)))
    if found is not None:
        assert first.value < found.value <= optimum(problem) + 1e-9
        assert is_feasible(problem, found.prices.tolist(), cuts=found.cuts)


@pytest.mark.parametrize("k", [2, 3, 4])
def test_it_proves_nearly_what_cuts_for_all_boxes_prove(k: int) -> None:
    problem = random_problem(np.random.default_rng(2), 260, 4, k, values=5, measure="entropy", deep=True)
    first, found = walked(problem, turns=12)
    every = with_cuts(problem, first, Budget(100.0, Watch()))
    assert found is not None
    assert every is not None
    assert found.value > LINEAR.compute(problem, Watch()).value
    assert found.value - first.value >= 0.5 * (every.value - first.value)


@pytest.mark.parametrize("seconds", [0.0, 0.001, 0.02, 100.0])
def test_with_any_limit_what_is_returned_is_proved_and_always_the_same(
    seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rank_walk, "WORTH_SECONDS", dict.fromkeys(range(2, 6), 0.0))
    problem = random_problem(np.random.default_rng(5), 90, 3, 3, values=5, measure="entropy", deep=True)
    first, found = walked(problem, seconds)
    _, again = walked(problem, seconds)
    assert (found is None) == (again is None)
    if found is not None and again is not None:
        assert found.value > first.value
        assert is_feasible(problem, found.prices.tolist(), cuts=found.cuts)
        assert found.value == again.value


def test_where_it_does_not_apply_there_is_none() -> None:
    problem = random_problem(np.random.default_rng(7), 60, 2, 2, values=5, deep=True)
    assert walked(problem, watch=Impatient())[1] is None
    assert walked(demanding(np.random.default_rng(2), problem))[1] is None
    assert walked(replace(problem, k=6))[1] is None
    free = replace(problem, columns=(replace(problem.columns[0], free="interval"), *problem.columns[1:]))
    assert walked(free)[1] is None


def test_a_walk_that_is_too_long_leaves_what_prices_prove(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rank_walk, "MOST_WORK", 10)
    assert walked(random_problem(np.random.default_rng(7), 200, 3, 2, values=5, deep=True))[1] is None


@pytest.mark.usual_effort
def test_auto_proves_more_on_a_table_with_too_many_boxes_to_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice, "FEW_FOR_CUTS", 0)
    monkeypatch.setattr("shoal.search.rounds.FEW_FOR_CUTS", 0)
    problem = replace(
        random_problem(np.random.default_rng(3), 320, 4, 2, values=4, measure="entropy", deep=True), effort=1.0
    )
    found = AUTO.solve(problem, Watch())
    monkeypatch.setattr(rank_walk, "SIZE_OF_BLOCK", {})
    without = AUTO.solve(problem, Watch())
    assert found.bound.name == "rank"
    assert without.bound.value < found.bound.value <= found.loss
    assert found.loss == pytest.approx(without.loss)
