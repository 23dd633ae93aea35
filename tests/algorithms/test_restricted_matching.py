"""Restricted 2-anonymity: exact for even and odd numbers of rows, and what is not an instance is refused."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.algorithms.restricted_matching import RESTRICTED_MATCHING, refuses, solve
from shoal.errors import Infeasible, Refused
from shoal.problem import Problem, Watch
from tests.naive.optimum import optimum
from tests.naive.released import least_paid, paid
from tests.tables import make_problem


def instance(
    rng: np.random.Generator, n: int, m: int, measure: str = "stars", weighted: bool = False, **options: object
) -> Problem:
    table = np.ones((n, m), dtype=int)
    for j in range(m):
        table[rng.choice(n, 2, replace=False), j] = 0
    weights = [float(w) for w in rng.choice([0.5, 1.0, 2.0], m)] if weighted else None
    return make_problem([[str(v) for v in row] for row in table], 2, None, measure, weights, **options)


@pytest.mark.parametrize("n", range(3, 10))
@pytest.mark.parametrize("weighted", [False, True])
def test_it_finds_the_optimum(n: int, weighted: bool) -> None:
    rng = np.random.default_rng(n)
    for case in range(15):
        problem = instance(rng, n, int(rng.integers(1, 9)), "entropy" if case % 4 == 0 else "stars", weighted)
        solution = solve(problem, Watch())
        assert solution.loss == pytest.approx(optimum(problem), abs=1e-6)
        assert solution.guarantee == 1.0
        assert np.bincount(solution.group).min() >= 2


@pytest.mark.parametrize("n", [3, 5, 6, 7])
def test_it_finds_the_optimum_with_row_deletion_too(n: int) -> None:
    rng = np.random.default_rng(n)
    for _ in range(10):
        problem = instance(rng, n, int(rng.integers(1, 7)), deletion=True)
        assert paid(problem, solve(problem, Watch())) == pytest.approx(least_paid(problem))


def test_printed_algorithm_never_loses_less() -> None:
    rng = np.random.default_rng(1)
    for _ in range(60):
        problem = instance(rng, int(rng.integers(4, 9)), int(rng.integers(2, 9)))
        assert solve(problem, Watch(), as_printed=True).loss >= solve(problem, Watch()).loss


def test_a_large_odd_instance_is_quick() -> None:
    problem = instance(np.random.default_rng(2), 301, 200)
    assert solve(problem, Watch()).loss > 0


@pytest.mark.parametrize(
    ("rows", "k", "words"),
    [
        (["00", "00", "11", "11"], 3, "k = 2 alone"),
        (["00", "01", "12", "10"], 2, "'c1' has 3 values"),
        (["00", "01", "10", "10", "10"], 2, "'c1' has its values in 1 and 4 rows"),
        (["01", "01", "11", "11"], 2, "'c1' has 1 values"),
    ],
)
def test_refuses_what_is_no_instance_and_names_the_column(rows: list[str], k: int, words: str) -> None:
    problem = make_problem([list(row) for row in rows], k)
    reason = refuses(problem)
    assert reason is not None
    assert words in reason
    assert "Take --algorithm" in reason
    with pytest.raises(Refused):
        RESTRICTED_MATCHING.solve(problem, Watch())


def test_one_row_is_infeasible() -> None:
    with pytest.raises(Infeasible):
        solve(make_problem([["0"]], 2), Watch())
