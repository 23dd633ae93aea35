"""Top-down cuts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from shoal.algorithms.mondrian import MONDRIAN
from shoal.problem import Watch, quasi_identifier
from tests.contract.test_algorithms import random_table
from tests.naive import mondrian


@pytest.mark.parametrize("free", [None, "interval"])
def test_cuts_are_made_where_they_save_most(free: str | None) -> None:
    rng = np.random.default_rng(1)
    for measure in ("tree", "entropy", "lm"):
        for k in (2, 3):
            problem = random_table(rng, measure, k, n=40)
            freed = tuple(
                quasi_identifier(c.name, c.tree, c.count, problem.measure, c.weight, free=free if j == 0 else None)  # type: ignore[arg-type]
                for j, c in enumerate(problem.columns)
            )
            problem = replace(problem, columns=freed)
            group = MONDRIAN.solve(problem, Watch()).group
            expected = mondrian.cut(problem, list(range(problem.n_tuples)))
            made = {frozenset(problem.tuple_of_unit[group == g].tolist()) for g in range(group.max() + 1)}
            assert made == {frozenset(g) for g in expected}
