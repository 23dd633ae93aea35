"""The greedy cover, kept a partition."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from shoal.kernels.set_cover import SetCover, Unequal
from shoal.problem import Problem
from tests.naive.boxes import all_boxes
from tests.naive.optimum import group_price
from tests.tables import random_problem


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("room", [40, 1 << 24])
def test_every_row_is_in_a_group_of_k_to_2k_minus_1(seed: int, room: int) -> None:
    rng = np.random.default_rng(seed)
    k = int(rng.integers(2, 5))
    problem = random_problem(rng, 40, 3, k, 4, "tree", deep=True)
    cover = SetCover(problem.packed, problem.codes, problem.weight, k, room=room)
    limit, before = 1e-9, 0.0
    while cover.n_open and limit < 1e9:
        done, least, _ = cover.round(limit)
        assert done >= before
        before, limit = done, max(least, limit) * 1.5
    cover.finish()
    sizes = np.bincount(cover.groups())
    assert cover.n_open == 0
    assert sizes.sum() == problem.n_rows
    assert k <= sizes.min()
    assert sizes.max() < 2 * k or problem.weight.max() >= k


@pytest.mark.parametrize("seed", range(6))
def test_a_round_ends_where_no_box_costs_less_per_new_row(seed: int) -> None:
    problem = random_problem(np.random.default_rng(seed), 30, 3, 3, 5, "tree", deep=True)
    cover = SetCover(problem.packed, problem.codes, problem.weight, problem.k)
    boxes = [(price, np.isin(np.arange(problem.n_tuples), tuples)) for price, tuples in all_boxes(problem).values()]
    for limit in (0.3, 0.6, 1.0, 1.5):
        cover.round(limit)
        open_rows = np.bincount(
            problem.tuple_of_unit[problem.units_by_tuple][cover.groups() < 0], minlength=problem.n_tuples
        )
        for price, inside in boxes:
            new = min(int(open_rows[inside].sum()), 2 * problem.k - 1)
            if new:
                assert price * max(new, problem.k) / new >= limit - 1e-9


def unequal_of(problem: Problem, deletion: float = np.inf) -> Unequal:
    offset = [np.append(c.offset, np.zeros(c.tree.n_nodes - c.tree.n_leaves)) for c in problem.columns]
    return Unequal(np.concatenate(offset), problem.offset_of_tuple, deletion)


@pytest.mark.parametrize("room", [1, 1 << 20])
@pytest.mark.parametrize("k", [2, 3])
def test_where_rows_pay_differently_a_round_ends_where_no_set_costs_less_per_new_row(k: int, room: int) -> None:
    """Against all sets of k to 2k − 1 rows, each at what its rows pay together; and no row that could be deleted for
    less is open.
    """
    rng = np.random.default_rng(k)
    for deletion in (np.inf, 1.2):
        problem = random_problem(rng, 9, 2, k, 4, "root-share", deep=True)
        n = problem.n_rows
        cover = SetCover(
            problem.packed, problem.codes, problem.weight, k, room=room, unequal=unequal_of(problem, deletion)
        )
        sets = [rows for size in range(k, 2 * k) for rows in combinations(range(n), size)]
        price = [group_price(problem, list(rows)) for rows in sets]
        own = problem.offset_of_tuple[problem.tuple_of_unit]
        for limit in (1e-9, 0.2, 0.5, 0.8, 1.2, 2.0):
            done = cover.round(limit).done
            assert done <= limit
            group = np.empty(n, dtype=np.int32)
            group[problem.units_by_tuple] = cover.groups()
            if np.isfinite(deletion):
                group[(group < 0) & (deletion - own < done)] = n  # deleted: of a tuple all rows that were open are
            assert cover.n_open == (group < 0).sum()
            for rows, paid in zip(sets, price, strict=True):
                new = int((group[list(rows)] < 0).sum())
                assert new == 0 or paid / new >= done - 1e-9
        cover.finish()
        assert cover.n_open == 0


def test_what_does_not_fit_is_refused() -> None:
    problem = random_problem(np.random.default_rng(5), 10, 2, 3)
    for codes, weight, k in (
        (problem.codes[:, :1], problem.weight, 3),
        (problem.codes, problem.weight * 0, 3),
        (problem.codes, problem.weight, 11),
        (problem.codes, problem.weight, 0),
    ):
        with pytest.raises(ValueError):
            SetCover(problem.packed, codes, weight, k)
    with pytest.raises(ValueError):
        SetCover(problem.packed, problem.codes, problem.weight, 3, most=6)
    with pytest.raises(ValueError, match="each node"):
        SetCover(
            problem.packed, problem.codes, problem.weight, 3, unequal=Unequal(np.zeros(1), problem.offset_of_tuple)
        )
