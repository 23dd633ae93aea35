"""The greedy cover, kept a partition."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.kernels.set_cover import SetCover
from tests.naive.boxes import all_boxes
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
        open_rows = np.bincount(problem.tuple_of_unit[problem.units_by_tuple][cover.groups() < 0], minlength=problem.n_tuples)
        for price, inside in boxes:
            new = min(int(open_rows[inside].sum()), 2 * problem.k - 1)
            if new:
                assert price * max(new, problem.k) / new >= limit - 1e-9


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
