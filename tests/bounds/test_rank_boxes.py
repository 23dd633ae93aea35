"""All boxes of a small table: what overcharges, and what lies inside of what, against counting by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.bounds.rank_boxes import AllBoxes, all_boxes
from shoal.problem import Problem
from tests.contract.test_bounds import MEASURES, random_table
from tests.tables import random_problem


def tuples_of(boxes: AllBoxes, b: int) -> list[int]:
    return boxes.boxes.tuples[boxes.boxes.start[b] : boxes.boxes.start[b + 1]].tolist()


def made(problem: Problem) -> AllBoxes:
    found = all_boxes(problem, np.zeros(problem.n_tuples))
    assert found is not None
    return found


@settings(deadline=None, max_examples=60)
@given(seed=st.integers(0, 10**9), measure=st.sampled_from(MEASURES))
def test_no_rows_exceed_by_more_than_the_dearest(seed: int, measure: str) -> None:
    rng = np.random.default_rng(seed)
    problem = random_table(rng, measure)
    boxes = made(problem)
    prices = rng.random(problem.n_tuples) * problem.price_of_suppression * rng.choice([0.5, 1.0, 2.0])
    allowed = rng.random(len(boxes)) * rng.choice([0.0, 1.0])
    found = boxes.dearest(prices, allowed)
    for b in range(len(boxes)):
        rows = sorted((prices[t] for t in tuples_of(boxes, b) for _ in range(problem.weight[t])), reverse=True)
        sizes = range(problem.k, min(2 * problem.k - 1, len(rows)) + 1)
        most = max(sum(rows[:m]) - m * boxes.boxes.price[b] for m in sizes) - allowed[b]
        assert found.excess[b] == pytest.approx(most) if np.isfinite(found.excess[b]) else most <= 1e-12
        assert np.isinf(found.excess[b]) or found.rows[b] in sizes


@settings(deadline=None, max_examples=40)
@given(seed=st.integers(0, 10**9), measure=st.sampled_from(MEASURES))
def test_divided_prices_exceed_by_no_more_than_is_said(seed: int, measure: str) -> None:
    rng = np.random.default_rng(seed)
    problem = random_table(rng, measure)
    boxes = made(problem)
    allowed = rng.random(len(boxes))
    net, left = boxes.divided(rng.random(problem.n_tuples) * 3.0 * problem.price_of_suppression, allowed)
    assert (net >= 0).all()
    assert boxes.dearest(net, allowed).excess.max() <= left


def test_what_lies_inside_of_what() -> None:
    problem = random_problem(np.random.default_rng(4), 40, 2, 3, values=4, measure="tree", deep=True)
    boxes = made(problem)
    every = np.arange(len(boxes))
    inside = boxes.inside(every, every).toarray()
    for a in every.tolist():
        for b in every.tolist():
            assert inside[a, b] == (set(tuples_of(boxes, a)) <= set(tuples_of(boxes, b)))


def test_more_groups_than_fit() -> None:
    problem = random_problem(np.random.default_rng(4), 40, 2, 3, values=4, measure="tree", deep=True)
    boxes = made(problem)
    inside = boxes.inside(np.arange(len(boxes)), np.arange(len(boxes))).toarray()
    share = np.random.default_rng(1).random(len(boxes))
    found = boxes.too_many_groups(np.arange(len(boxes)), share)
    assert found == pytest.approx(inside.T @ share - boxes.n_rows // 3)
