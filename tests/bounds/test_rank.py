"""Prices with cuts: more than any prices prove, and never more than is true."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.algorithms.auto import AUTO
from shoal.bounds import choice, dual, rank
from shoal.bounds.linear import LINEAR
from shoal.bounds.rank import RANK, with_cuts
from shoal.budget import Budget
from shoal.errors import Refused
from shoal.problem import Problem, Watch
from tests.contract.test_bounds import MEASURES, demanding, random_table, with_missing
from tests.naive.boxes import is_feasible
from tests.naive.optimum import optimum
from tests.naive.program import best_with_cuts
from tests.tables import flat_tree, make_problem, random_problem


def three_rows() -> Problem:
    """Each of three rows has a cheap companion, but only two of them can have one."""
    return make_problem([["0", "0"], ["0", "1"], ["1", "0"]], 2, [flat_tree("01")] * 2, "stars")


def test_three_rows_of_which_only_two_can_be_a_pair() -> None:
    """Prices prove 4 stars at most, and 6 are needed: at most one pair fits into three rows."""
    problem = three_rows()
    assert optimum(problem) == 6
    assert LINEAR.compute(problem, Watch()).value == pytest.approx(4, rel=1e-3)
    found = RANK.compute(problem, Watch())
    assert found.value == pytest.approx(6)
    assert found.name == "rank"
    assert is_feasible(problem, found.prices.tolist(), cuts=found.cuts)


@settings(deadline=None, max_examples=60)
@given(seed=st.integers(0, 10**9), measure=st.sampled_from(MEASURES))
def test_between_what_prices_prove_and_the_optimum(seed: int, measure: str) -> None:
    rng = np.random.default_rng(seed)
    problem = random_table(rng, measure)
    if rng.random() < 0.3:
        problem = with_missing(rng, problem)
    found = RANK.compute(problem, Watch())
    assert dual.DUAL.compute(problem, Watch()).value <= found.value + 1e-9
    assert found.value <= optimum(problem) + 1e-9


def test_it_is_the_optimum_of_the_obvious_program() -> None:
    """All boxes as cuts, solved by scipy: nothing above it, and nearly all of it."""
    more = 0
    for seed in range(6):
        problem = random_problem(
            np.random.default_rng(300 + seed), 26, 2, 3, values=4, measure=("tree", "entropy")[seed % 2], deep=True
        )
        best = best_with_cuts(problem)
        found = RANK.compute(problem, Watch())
        assert 0.995 * best <= found.value <= best + 1e-9
        more += found.value > 1.001 * LINEAR.compute(problem, Watch()).value
    assert more >= 1


class Impatient(Watch):
    def wants_stop(self) -> bool:
        return True


def test_stopped_at_once_it_proves_what_dual_proves() -> None:
    problem = random_problem(np.random.default_rng(11), 60, 3, 4, values=6, measure="tree", deep=True)
    stopped = RANK.compute(problem, Impatient())
    assert stopped.value > 0
    assert is_feasible(problem, stopped.prices.tolist(), cuts=stopped.cuts)


@pytest.mark.parametrize("seconds", [0.0, 0.001, 0.02, 5.0])
def test_with_any_limit_what_is_returned_is_proved(seconds: float) -> None:
    """Whatever the solver had when its steps were over."""
    problem = random_problem(np.random.default_rng(5), 90, 3, 4, values=5, measure="entropy", deep=True)
    first = dual.prices(problem, 2, Watch()).bound
    budget = Budget(seconds, Watch())
    found = with_cuts(problem, first, budget)
    if found is not None:
        assert found.value > first.value
        assert is_feasible(problem, found.prices.tolist(), cuts=found.cuts)
    again = with_cuts(problem, first, Budget(seconds, Watch()))
    assert (found is None) == (again is None)
    assert found is None or found.value == again.value


def test_it_refuses_what_it_cannot_do() -> None:
    problem = random_problem(np.random.default_rng(7), 60, 2, 3, values=5)
    free = replace(problem, columns=(replace(problem.columns[0], free="interval"), *problem.columns[1:]))
    with pytest.raises(Refused, match="take 'anchored'"):
        RANK.compute(free, Watch())
    with pytest.raises(Refused, match="take 'dual'"):
        RANK.compute(demanding(np.random.default_rng(2), problem), Watch())
    with pytest.raises(Refused, match="k up to 10"):
        RANK.compute(replace(problem, k=11), Watch())
    with pytest.raises(Refused, match="distinct rows"):
        RANK.compute(random_problem(np.random.default_rng(7), 6000, 6, 3, values=9), Watch())


def test_where_boxes_are_too_many_what_prices_prove_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shoal.bounds.rank_boxes.MOST_BOXES", 3)
    problem = random_problem(np.random.default_rng(7), 60, 2, 3, values=5, deep=True)
    assert RANK.compute(problem, Watch()).name == "dual"


@pytest.mark.usual_effort
def test_auto_proves_more_with_cuts_and_releases_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = replace(
        random_problem(np.random.default_rng(3), 320, 4, 3, values=4, measure="entropy", deep=True), effort=1.0
    )
    found = AUTO.solve(problem, Watch())
    assert found.bound.name == "rank"
    assert found.bound.value <= found.loss
    monkeypatch.setattr(choice, "FEW_FOR_CUTS", 0)
    without = AUTO.solve(problem, Watch())
    assert (found.group == without.group).all()
    assert found.bound.value > without.bound.value
    assert rank.MOST_TUPLES == 2_000
