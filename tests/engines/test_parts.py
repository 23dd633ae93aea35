"""Solving in parts: every row once, groups that keep the promise, and a bound that no release of the whole table is below."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from shoal import algorithms, measures, registry
from shoal.algorithms.base import solve
from shoal.bounds import best
from shoal.engines import parts
from shoal.engines.driver import NOBODY
from shoal.engines.parts import answer_of, bound_of_columns, cut, joined, over_columns, part_of, sets_of_columns
from shoal.problem import Problem, close
from tests.tables import numbers_with_gaps, random_problem


def solved(problem: Problem, most: int, name: str = "mondrian"):  # type: ignore[no-untyped-def]
    algorithm = registry.find(algorithms.CATALOG, name)
    answers = [answer_of(solve(part_of(problem, units), algorithm, NOBODY)) for units in cut(problem, most)]
    return joined(problem, answers, most, NOBODY)


@pytest.mark.parametrize("measure", ["entropy", "lm", "root-share"])
def test_groups_of_parts_are_groups_of_the_whole(measure: str) -> None:
    problem = random_problem(np.random.default_rng(1), 3000, 4, 5, values=12, measure=measure, deep=True)
    pieces = cut(problem, 300)
    assert len(pieces) > 5
    assert sorted(np.concatenate(pieces).tolist()) == list(range(problem.n_units)), "every unit is in one part"
    assert all(len(units) <= 300 for units in pieces)
    solution = solved(problem, 300)
    assert solution.sizes.min() >= 5
    assert (solution.plan.count.sum(), solution.n_withheld) == (3000, 0)
    whole = close(solution.problem, solution.group)
    assert whole.loss == pytest.approx(solution.loss)
    assert solution.bound is not None
    assert 0 < solution.bound.value <= solution.loss
    assert "cutting cost at most" in solution.bound.name
    assert f"in {len(pieces)} parts" in solution.bound.note


def test_no_release_of_the_whole_is_below_the_bound_of_columns() -> None:
    """Beside the optimum of small tables, and of one whose columns show any interval or subset."""
    exact = registry.find(algorithms.CATALOG, "exact")
    tight = 0
    for seed in range(30):
        rng = np.random.default_rng(seed)
        measure = str(rng.choice(list(measures.CATALOG)))
        problem = random_problem(rng, 8, 3, 2, measure=measure, deep=seed % 2 == 0) if seed % 3 else numbers_with_gaps(rng, measure)
        optimum = solve(problem, exact, NOBODY).loss
        for most in (1, 3, 6, 100):
            value = bound_of_columns(problem, most, NOBODY).value
            assert value <= optimum + 1e-9, (seed, measure, most)
            tight += value >= 0.5 * optimum > 0
    assert tight, "it proves something"


def test_the_sum_of_the_parts_bounds_is_no_bound_of_the_whole() -> None:
    """Two rows that are equal but for the column that was cut: as parts both must be starred, as a whole they are a group."""
    rng = np.random.default_rng(3)
    problem = random_problem(rng, 40, 2, 2, values=12, measure="stars")
    parts_bound = sum(best(part_of(problem, units), NOBODY).value for units in (np.arange(0, 40, 2), np.arange(1, 40, 2)))
    assert parts_bound > best(problem, NOBODY).value
    assert parts_bound > solve(problem, registry.find(algorithms.CATALOG, "auto"), NOBODY).loss, "so it would have been a lie"


def test_withheld_rows_are_shared_out_and_never_more_than_allowed() -> None:
    problem = replace(random_problem(np.random.default_rng(2), 2000, 4, 6, values=9, measure="lm"), max_withheld=40)
    shares = [part_of(problem, units).max_withheld for units in cut(problem, 200)]
    assert 0 < sum(shares) <= 40
    solution = solved(problem, 200, "auto")
    assert solution.n_withheld <= 40


def test_a_part_that_could_not_be_released_is_not_cut_off() -> None:
    """Of 90 rows with k = 5 no part has fewer than 100, so nothing is cut."""
    problem = random_problem(np.random.default_rng(2), 90, 3, 5, values=6)
    assert len(cut(problem, 10)) == 1
    larger = random_problem(np.random.default_rng(2), 900, 3, 5, values=6)
    assert all(part_of(larger, units).n_rows >= parts.LEAST * 5 for units in cut(larger, 10))


def test_columns_are_put_into_sets_with_few_different_rows() -> None:
    problem = random_problem(np.random.default_rng(5), 2000, 5, 3, values=6)
    for most in (1, 6, 36, 216, 10_000):
        sets = sets_of_columns(problem, most)
        assert sorted(j for columns in sets for j in columns) == [0, 1, 2, 3, 4], "each column once"
        for columns in sets:
            assert len(columns) == 1 or over_columns(problem, columns).n_tuples <= most
    assert len(sets_of_columns(problem, 10_000)) == 1
    assert over_columns(problem, [1, 3]).n_rows == 2000
