"""The programs of the exact algorithm: their prices bound every release, and their releases are releases."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from shoal.facility import Facility
from shoal.kernels.closed_boxes import closed_boxes
from shoal.problem import Problem, Watch, close
from tests.naive.boxes import is_feasible
from tests.naive.optimum import optimum
from tests.tables import random_problem


def facility(problem: Problem) -> Facility:
    return Facility(problem, closed_boxes(problem.packed, problem.codes, problem.weight, problem.k, np.inf, 10**6, 10**7))


def table(seed: int, measure: str = "tree", **options: object) -> Problem:
    return replace(random_problem(np.random.default_rng(seed), 7, 3, 2, 3, measure, deep=True), **options)


def best_of(problem: Problem) -> float:
    """The least cost, by trying which rows to leave out."""
    if not problem.max_withheld and not problem.deletion:
        return optimum(problem)
    found = np.inf
    most = problem.n_rows if problem.deletion else problem.max_withheld
    for count in range(most + 1):
        for out in combinations(range(problem.n_rows), count):
            kept = np.ones(problem.n_rows, dtype=np.bool_)
            kept[list(out)] = False
            fee = count * problem.price_of_suppression if problem.deletion else 0.0
            if kept.sum() >= problem.k or not kept.any():
                found = min(found, fee + (optimum(problem.over(kept)) if kept.any() else 0.0))
    return found


@pytest.mark.parametrize("seed", range(6))
def test_no_box_violates_repaired_prices_and_they_bound_the_optimum(seed: int) -> None:
    problem = table(seed)
    found = facility(problem)
    prices = found.row_prices(Watch())
    assert prices is not None
    for y in (found.cheapest_prices(), found.repaired(prices), found.repaired(prices * 3)):
        assert is_feasible(problem, y.tolist())
        assert found.bound_of(y) <= optimum(problem) + 1e-9


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("options", [{}, {"max_withheld": 2}, {"deletion": True}], ids=str)
def test_the_integer_program_finds_the_optimum(seed: int, options: dict[str, object]) -> None:
    problem = table(seed, **options)
    found = facility(problem).integer(0.0, Watch())
    assert found.decided
    assert found.group is not None
    assert found.cost == pytest.approx(best_of(problem))
    sizes = np.bincount(found.group[found.group >= 0])
    assert sizes[sizes > 0].min(initial=problem.k) >= problem.k
    out = int((found.group < 0).sum())
    assert out <= (problem.max_withheld if not problem.deletion else problem.n_rows)
    assert close(problem, found.group).loss <= found.cost + 1e-9


@pytest.mark.parametrize("seed", range(6))
def test_what_a_release_near_the_bound_may_use_still_holds_the_optimum(seed: int) -> None:
    problem = table(seed)
    found = facility(problem)
    y = found.cheapest_prices()
    best = optimum(problem)
    part = found.within(y, best - found.bound_of(y) + 1e-9)
    assert part is not None
    assert len(part.boxes) <= len(found.boxes)
    assert part.integer(0.0, Watch()).cost == pytest.approx(best)


def test_where_nothing_may_be_used_for_a_row_there_is_no_program() -> None:
    problem = table(1)
    found = facility(problem)
    assert found.within(np.full(problem.n_tuples, -1e6), 0.0) is None
