"""The cheapest box with the row and k rows; less, and said so, where the boxes are too many."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from shoal.bounds import box
from shoal.problem import Watch
from tests.naive.boxes import all_boxes
from tests.tables import make_problem, random_problem


def test_only_cheaper_boxes_walked_still_bounds() -> None:
    problem = random_problem(np.random.default_rng(6), 300, 5, 3, values=6, measure="tree", deep=True)
    exact, _ = box.prices(problem)
    seen = set()
    for work in (3_000, 30_000, 60_000, 100_000, 200_000, 400_000, 800_000, 10_000_000):
        found, remark = box.prices(problem, most_work=work)
        seen.add(remark)
        assert (found <= exact + 1e-12).all()
    assert len(seen) == 3


def test_each_row_counts_with_the_cheapest_of_all_boxes_that_hold_it() -> None:
    """Every box is listed here, and the least price taken."""
    for seed in range(6):
        problem = random_problem(np.random.default_rng(seed), 40, 3, 3, values=5, measure="tree", deep=True)
        found, remark = box.prices(problem)
        least = np.full(problem.n_tuples, np.inf)
        for price, tuples in all_boxes(problem).values():
            for t in tuples:
                least[t] = min(least[t], price)
        assert found == pytest.approx(least)
        assert remark == ""


def test_rows_that_stand_k_times_cost_nothing() -> None:
    assert box.BOX.compute(make_problem([["a", "x"]] * 3 + [["b", "y"]] * 3, 3), Watch()).value == 0.0


def test_the_same_prices_where_companions_take_too_long_to_find(monkeypatch: pytest.MonkeyPatch) -> None:
    """They only say where the walk over the boxes may begin: another beginning ends at the same prices."""
    problem = random_problem(np.random.default_rng(4), 300, 3, 4, values=6, measure="entropy", deep=True)
    exact, _ = box.prices(problem)
    monkeypatch.setattr(sys.modules["shoal.kernels.neighbours"], "MOST_TREE", 0.0)
    monkeypatch.setattr(sys.modules["shoal.kernels.neighbours"], "MOST_SCAN", 0.0)
    found, remark = box.prices(problem)
    assert found == pytest.approx(exact)
    assert remark == ""
