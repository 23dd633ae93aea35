"""Distinct l-diversity counted in the bounds: boxes that no diverse group can show ask for nothing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from shoal.algorithms.exact import EXACT
from shoal.bounds import anchored, box, diversity, dual, linear, neighbour
from shoal.privacy.base import Demand
from shoal.privacy.distinct_l_diversity import DISTINCT_L_DIVERSITY
from shoal.problem import Problem, Watch
from tests.naive.boxes import is_feasible
from tests.naive.free import free_optimum
from tests.tables import make_problem, random_problem


def diverse(problem: Problem, value: list[int], l: int = 2, missing: int | None = None) -> Problem:
    return replace(
        problem,
        demands=(Demand(DISTINCT_L_DIVERSITY, "x", {"l": l}, missing),),
        sensitive=(np.array(value, dtype=np.int32),),
    )


def test_a_box_of_one_value_asks_for_nothing() -> None:
    """Four equal rows of one illness, and four others: without diversity nothing need be lost, with it every row pays a
    star.
    """
    problem = make_problem([["a"]] * 4 + [["b"]] * 4, 2)
    asked = diverse(problem, [0] * 4 + [1] * 4)
    for method in (neighbour.NEIGHBOUR, box.BOX, dual.DUAL, linear.LINEAR):
        assert method.compute(problem, Watch()).value == 0
        found = method.compute(asked, Watch())
        assert found.value == pytest.approx(8.0)
        assert "2 different values" in found.note


def test_a_missing_cell_is_not_a_value() -> None:
    """{hiv, missing} has one value."""
    problem = make_problem([["a"], ["a"], ["b"], ["b"]], 2)
    assert dual.DUAL.compute(diverse(problem, [0, 2, 1, 2], missing=2), Watch()).value == pytest.approx(4.0)
    assert dual.DUAL.compute(diverse(problem, [0, 2, 1, 2]), Watch()).value == 0


def test_where_all_rows_together_have_too_few_values_nothing_is_counted() -> None:
    problem = diverse(make_problem([["a"], ["a"], ["b"], ["c"]], 2), [0, 0, 0, 0])
    assert diversity.diversity_of(problem) is None
    assert "k-anonymity alone" in dual.DUAL.compute(problem, Watch()).note


def test_the_demand_that_asks_for_most_is_counted() -> None:
    problem = make_problem([["a"], ["a"], ["b"], ["b"]], 2)
    demands = tuple(Demand(DISTINCT_L_DIVERSITY, name, {"l": l}) for name, l in (("x", 2), ("y", 3)))
    values = tuple(np.array(v, dtype=np.int32) for v in ([0, 1, 0, 1], [0, 1, 2, 2]))
    found = diversity.diversity_of(replace(problem, demands=demands, sensitive=values))
    assert found is not None
    assert (found.l, found.start.tolist(), found.value.tolist()) == (3, [0, 2, 3], [0, 1, 2])


@pytest.mark.parametrize("measure", ["stars", "entropy", "root-share"])
def test_it_is_feasible_and_proves_more_than_k_alone(measure: str) -> None:
    rng = np.random.default_rng(8)
    problem = random_problem(rng, 120, 3, 3, values=4, measure=measure, deep=True)
    value = problem.codes[problem.tuple_of_unit, 0] // 2 * 2 + (rng.random(120) < 0.1)
    asked = diverse(problem, value.tolist(), l=2)
    alone, found = (dual.DUAL.compute(p, Watch()) for p in (problem, asked))
    assert found.value > 1.1 * alone.value
    assert found.prices is not None
    assert is_feasible(asked, found.prices.tolist())
    assert not is_feasible(problem, found.prices.tolist())


def test_it_meets_the_optimum_of_small_tables_more_often() -> None:
    """Never above the optimum of diverse groups, and on the whole much nearer to it than the bound of k alone."""
    rng = np.random.default_rng(9)
    near, far = [], []
    for _ in range(60):
        problem = random_problem(rng, 8, 2, 2, values=4, deep=True)
        asked = diverse(problem, (problem.codes[problem.tuple_of_unit, 0] % 2).tolist())
        best = free_optimum(asked)
        if not np.isfinite(best) or best == 0:
            continue
        found = EXACT.solve(asked, Watch())
        assert found.loss == pytest.approx(best)
        bound = dual.DUAL.compute(asked, Watch()).value
        assert bound <= best + 1e-9
        near.append(bound / best)
        far.append(dual.DUAL.compute(problem, Watch()).value / best)
    assert np.mean(near) > np.mean(far) + 0.2


def test_sets_of_rows_are_bounded_for_k_alone() -> None:
    problem = diverse(make_problem([["a"]] * 4 + [["b"]] * 4, 2), [0] * 4 + [1] * 4)
    assert anchored.ANCHORED.compute(problem, Watch()).value == 0
