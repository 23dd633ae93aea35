from __future__ import annotations

import numpy as np
import pytest

from shoal import kernels
from tests.naive.split import split
from tests.tables import random_problem


@pytest.mark.parametrize("seed", range(40))
def test_agrees_with_its_naive_twin(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(6, 120)), int(rng.integers(1, 7))
    problem = random_problem(
        rng, n, int(rng.integers(1, 5)), k, int(rng.integers(2, 8)), "entropy", deep=bool(rng.integers(2))
    )
    group, n_groups = kernels.split(problem.packed, problem.codes, problem.weight, k)
    assert (np.bincount(group, weights=problem.weight, minlength=n_groups) >= k).all()
    found = {frozenset(np.flatnonzero(group == g).tolist()) for g in range(n_groups)}
    assert found == split(problem)


def test_refuses_what_does_not_fit() -> None:
    problem = random_problem(np.random.default_rng(0), 10, 2, 3)
    with pytest.raises(ValueError, match="at least k"):
        kernels.split(problem.packed, problem.codes, problem.weight, 11)
    with pytest.raises(ValueError, match="one weight per tuple"):
        kernels.split(problem.packed, problem.codes, problem.weight[1:], 3)
    with pytest.raises(IndexError):
        kernels.split(problem.packed, problem.codes + 1000, problem.weight, 3)
