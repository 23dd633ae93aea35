from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from shoal.problem import Watch, close
from shoal.search.constructions import runs
from shoal.search.neighbours import near_tuples
from shoal.search.withholding import bring_back, withhold
from tests.tables import random_problem


@pytest.mark.parametrize("measure", ["entropy", "non-uniform-entropy", "tree"])
@pytest.mark.parametrize("budget", [0, 1, 5, 40])
def test_withholds_within_the_budget_and_never_loses(measure: str, budget: int) -> None:
    problem = replace(random_problem(np.random.default_rng(1), 120, 3, 4, 6, measure, deep=True), max_withheld=budget)
    group = runs(problem)
    out = withhold(problem, group, Watch())
    assert (out < 0).sum() <= budget
    assert np.bincount(out[out >= 0])[np.unique(out[out >= 0])].min() >= 4
    assert close(problem, out).loss <= close(problem, group).loss + 1e-9
    if budget >= 5:
        assert close(problem, out).loss < close(problem, group).loss


def test_one_row_is_the_best_one() -> None:
    problem = replace(random_problem(np.random.default_rng(2), 9, 3, 4, 5, "tree", deep=True), max_withheld=1)
    group = np.zeros(9, dtype=np.int32)
    out = withhold(problem, group, Watch())
    by_hand = []
    for (row,) in combinations(range(9), 1):
        one = group.copy()
        one[row] = -1
        by_hand.append(close(problem, one).loss)
    assert close(problem, out).loss == pytest.approx(min(by_hand))


def test_deletion_has_its_price() -> None:
    problem = replace(random_problem(np.random.default_rng(3), 60, 3, 4, 6, "stars"), deletion=True)
    out = withhold(problem, runs(problem), Watch())
    deleted = int((out < 0).sum()) * problem.price_of_suppression
    assert close(problem, out).loss + deleted <= close(problem, runs(problem)).loss + 1e-9


def test_rows_come_back() -> None:
    problem = random_problem(np.random.default_rng(4), 80, 3, 4, 6, "entropy", deep=True)
    group = runs(problem)
    group[group % 3 == 0] = -1
    away = int((group < 0).sum())
    out = bring_back(problem, group, near_tuples(problem), away - 5)
    assert (out < 0).sum() == 5
    assert (out[group >= 0] == group[group >= 0]).all()
    everybody = bring_back(problem, np.full(80, -1, dtype=np.int32), near_tuples(problem), 80)
    assert (everybody == 0).all()
