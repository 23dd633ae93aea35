"""The greedy cover: its order, its cost against the best cover, and its partition."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from shoal import kernels
from shoal.algorithms.base import harmonic
from shoal.algorithms.set_cover import SET_COVER, cover, unequal
from shoal.budget import Budget
from shoal.problem import Problem, Watch, close
from tests.algorithms.test_base import diverse
from tests.contract.test_algorithms import random_table
from tests.naive.optimum import group_price
from tests.naive.released import least_paid
from tests.tables import PAID_BY_OWN_VALUE, make_problem, random_problem


def set_price(problem: Problem, rows: tuple[int, ...]) -> float:
    return group_price(problem, list(rows)) / len(rows)


def least_cover(problem: Problem) -> float:
    """The cheapest cover by sets of k to 2k − 1 rows, by dynamic programming over what is covered."""
    n, k = problem.n_rows, problem.k
    sets = [
        (sum(1 << i for i in rows), set_price(problem, rows))
        for size in range(k, 2 * k)
        for rows in combinations(range(n), size)
    ]
    best = [0.0] + [float("inf")] * ((1 << n) - 1)
    for mask in range(1, 1 << n):
        best[mask] = min(best[mask & ~members] + price for members, price in sets if members & mask & -mask)
    return best[-1]


@pytest.mark.parametrize("room", [1, 40, 1 << 20])
@pytest.mark.parametrize("k", [2, 3])
def test_the_groups_cost_no_more_than_the_greedy_cover_may(k: int, room: int) -> None:
    """(24) with H(2k − 1), and d(γ⁰) ≤ d(γ): whatever room the boxes of a round have."""
    rng = np.random.default_rng(k)
    for _ in range(12):
        problem = random_problem(rng, 8, 3, k, values=3, deep=True, measure="tree")
        cover = kernels.SetCover(problem.packed, problem.codes, problem.weight, k, room=room)
        limit = 1e-9
        while cover.n_open:
            reached = cover.round(limit)
            limit = 1.7 * max(reached.done, 1e-9)
        group = np.empty(8, dtype=np.int32)
        group[problem.units_by_tuple] = cover.groups()
        made = close(problem, group)
        members = [tuple(np.flatnonzero(made.group == g)) for g in range(made.n_groups)]
        assert all(k <= len(m) <= 2 * k - 1 for m in members)
        assert sum(set_price(problem, m) for m in members) <= harmonic(2 * k - 1) * least_cover(problem) + 1e-9


def test_equal_rows_stay_as_they_are() -> None:
    problem = make_problem([["a", "x"]] * 7 + [["b", "y"]] * 3, 3)
    solution = SET_COVER.solve(problem, Watch())
    assert solution.loss == 0
    assert solution.n_groups >= 3


def test_a_lone_row_is_deleted_rather_than_dragging_others_along() -> None:
    rows = [["a", "x", "1"]] * 4 + [["b", "y", "2"]] * 4 + [["c", "z", "3"]]
    kept = SET_COVER.solve(make_problem(rows, 4), Watch())
    deleted = SET_COVER.solve(make_problem(rows, 4, deletion=True), Watch())
    assert kept.loss == 3 * 5
    assert deleted.loss == 3
    assert deleted.group.tolist()[-1] == -1


def test_the_dearest_rows_are_withheld() -> None:
    rows = [["a", "x", "1"]] * 4 + [["b", "y", "2"]] * 4 + [["c", "z", "3"]]
    solution = SET_COVER.solve(make_problem(rows, 4, max_withheld=1), Watch())
    assert (solution.loss, solution.n_withheld) == (0, 1)


@pytest.mark.parametrize("measure", PAID_BY_OWN_VALUE)
def test_rows_that_pay_differently_lose_no_more_than_the_factor_allows(measure: str) -> None:
    """Against exhaustive optima, the priced sets by themselves: 400 tables, with row deletion in every second one."""
    rng = np.random.default_rng(len(measure))
    for i in range(400):
        k = 2 + i % 3
        problem = random_table(rng, measure, k, n=int(rng.integers(k, 9)), deletion=i % 2 == 1)
        group, whole = cover(problem, k, Budget(None, Watch()), unequal(problem))
        made, factor = close(problem, group), (2 * k - 1) * harmonic(2 * k - 1)
        assert whole
        assert all(made.sizes >= k)
        assert problem.deletion or made.n_withheld == 0
        assert made.loss <= factor * least_paid(problem) + 1e-9


def test_where_rows_pay_differently_the_factor_says_so() -> None:
    problem = random_problem(np.random.default_rng(3), 20, 2, 3, values=4, measure="non-uniform-entropy")
    solution = SET_COVER.solve(problem, Watch())
    assert solution.guarantee == pytest.approx(5 * harmonic(5))
    assert "(2k − 1) · H(2k − 1)" in solution.note
    for other in (replace(problem, max_withheld=2), diverse(problem, [i % 3 for i in range(20)], 2.0)):
        assert SET_COVER.solve(other, Watch()).guarantee is None


def test_priced_sets_are_the_price_of_a_release_without_loss() -> None:
    """Rows that fit together for nothing are put together, which a cover that counts all rows alike may miss."""
    problem = make_problem([["a", "x"]] * 5 + [["b", "y"]] * 2 + [["b", "z"]] * 3, 2, measure="root-share")
    group, _ = cover(problem, 2, Budget(None, Watch()), unequal(problem))
    assert close(problem, group).loss == 0


def test_a_row_that_pays_much_is_deleted_and_may_be_taken_back_to_fill_a_group() -> None:
    rows = [["a", "x", "1"]] * 4 + [["b", "y", "2"]] * 4 + [["c", "z", "3"]]
    problem = make_problem(rows, 4, measure="root-share", deletion=True)
    deleted = SET_COVER.solve(problem, Watch())
    assert deleted.group.tolist()[-1] == -1
    assert deleted.loss == pytest.approx(least_paid(problem))


def test_a_limit_of_time_ends_the_run_with_whole_groups() -> None:
    problem = random_problem(np.random.default_rng(4), 200, 3, 4, values=5)
    solution = SET_COVER.solve(replace(problem, time_limit=0.0), Watch())
    assert np.bincount(solution.group).min() >= 4
    assert solution.guarantee is None


def test_a_lattice_too_large_is_refused_by_name() -> None:
    rng = np.random.default_rng(0)
    problem = make_problem([[str(v) for v in row] for row in rng.integers(0, 2, size=(64, 36))], 2)
    reason = SET_COVER.refuses(problem)
    assert reason is not None
    assert "'auto'" in reason
