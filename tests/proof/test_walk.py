"""The walk over all boxes judges as a list of all boxes does."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.proof.check import numbers_of_tuples
from shoal.proof.prices import price_column
from shoal.proof.walk import count_broken
from shoal.release.witness import rounded
from tests.contract.test_bounds import MEASURES, demanding, random_table
from tests.naive.boxes import is_feasible
from tests.proof.cases import case_of_problem


@settings(deadline=None, max_examples=100)
@given(seed=st.integers(0, 10**9), measure=st.sampled_from(MEASURES))
def test_any_prices_are_judged_as_all_boxes_judge_them(seed: int, measure: str) -> None:
    rng = np.random.default_rng(seed)
    problem = random_table(rng, measure)
    if rng.random() < 0.5:
        problem = demanding(rng, problem)
    prices = rng.random(problem.n_tuples) * problem.price_of_suppression * rng.choice([0.2, 0.6, 1.0])
    case, proof = case_of_problem(problem), rounded(problem, prices)
    if case.different is None:  # not even all rows together have so many values: nothing is counted on
        problem = replace(problem, demands=(), sensitive=())
    columns = [price_column(ladder, case.measure, proof.shift) for ladder in case.ladders]
    broken = count_broken(case.codes, case.rows, proof.prices[numbers_of_tuples(case, proof)], columns, problem.k, case.different)
    assert (broken == 0) == is_feasible(problem, prices.tolist(), 1e-7)
