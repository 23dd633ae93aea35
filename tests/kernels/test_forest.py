"""Groups without one of their rows, against closing each again."""

from __future__ import annotations

import numpy as np

from shoal import kernels
from tests.naive.optimum import group_price
from tests.tables import random_problem


def test_leave_one_out_agrees_with_closing_anew() -> None:
    for seed in range(20):
        problem = random_problem(np.random.default_rng(seed), 30, 3, 3, values=5, measure="entropy", deep=True)
        rows = np.random.default_rng(seed).permutation(30)
        start = np.array([0, 7, 8, 19, 30], dtype=np.int64)
        whole, without = kernels.leave_one_out(problem.packed, problem.codes, problem.tuple_of_unit[rows], start)
        for g in range(4):
            members = rows[start[g] : start[g + 1]].tolist()
            assert np.isclose(whole[g] * len(members), group_price(problem, members))
            for i, row in enumerate(members):
                others = [r for r in members if r != row]
                expected = group_price(problem, others) / len(others) if others else 0.0
                assert np.isclose(without[start[g] + i], expected)
