"""All partitions of a few rows, compared by the checker: never above the optimum that trying everything finds, and nearly always at it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from shoal.errors import NotAnonymous
from shoal.problem import Problem, quasi_identifier
from shoal.proof.check import check_claim
from shoal.proof.file import Partitions
from shoal.proof.partitions import MOST_ROWS, cheapest, disjoint_pairs, least_partition
from shoal.proof.prices import LARGEST
from shoal.release.witness import finest_shift
from tests.contract.test_bounds import MEASURES
from tests.naive.free import free_optimum
from tests.naive.optimum import optimum
from tests.proof.cases import case_of_problem
from tests.tables import make_problem, random_problem


def least(problem: Problem) -> float:
    shift = finest_shift(problem)
    return least_partition(case_of_problem(problem), shift) / 2.0**shift


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("k", [2, 3])
def test_it_is_the_optimum(measure: str, k: int) -> None:
    rng = np.random.default_rng(k)
    for _ in range(3):
        problem = random_problem(rng, 8, 3, k, values=4, measure=measure, deep=True)
        assert least(problem) == pytest.approx(optimum(problem), abs=1e-6)
        assert least(problem) <= optimum(problem) + 1e-12


@pytest.mark.parametrize("measure", MEASURES)
def test_it_counts_with_the_cheapest_set_of_a_free_column(measure: str) -> None:
    """Ten a, one b and one c: in some measures all three cost less than the two rare ones."""
    problem = make_problem([["a"]] * 6 + [["b"], ["c"]], 2, None, measure)
    column = problem.columns[0]
    problem = replace(problem, columns=(quasi_identifier("c0", column.tree, column.count, problem.measure, free="subset"),))
    shift = finest_shift(problem)
    case = case_of_problem(problem)
    case = replace(case, ladders=tuple(replace(ladder, free="subset") for ladder in case.ladders))
    assert least_partition(case, shift) / 2.0**shift == pytest.approx(free_optimum(problem), abs=1e-6)


def test_a_claim_of_one_unit_more_is_refused() -> None:
    problem = random_problem(np.random.default_rng(3), 9, 3, 3, values=4, measure="tree", deep=True)
    case, shift = case_of_problem(problem), finest_shift(problem)
    units = least_partition(case, shift)
    assert check_claim(case, Partitions(units, shift)) == pytest.approx(optimum(problem), abs=1e-6)
    with pytest.raises(NotAnonymous, match="some partition"):
        check_claim(case, Partitions(units + 1, shift))


def test_more_rows_than_can_be_compared_are_refused() -> None:
    problem = random_problem(np.random.default_rng(3), MOST_ROWS + 1, 2, 3, values=4)
    with pytest.raises(NotAnonymous, match="up to 12 rows"):
        least_partition(case_of_problem(problem), 30)


def test_the_cheapest_partition_of_four_things() -> None:
    """Pairs cost the sum of their two numbers, squared; 0 with 3 and 1 with 2 is the best, in any order."""
    cost = np.full(16, LARGEST, dtype=np.int64)
    for i, j in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]:
        cost[1 << i | 1 << j] = (i + j) ** 2
    assert cheapest(cost, 4)[15] == 18
    one, other = disjoint_pairs(3)
    assert len(one) == 27
    assert not (one & other).any()
