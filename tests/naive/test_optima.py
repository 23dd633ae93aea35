"""The batched optimum against the plain one."""

import numpy as np
import pytest

from tests.naive.optima import optima
from tests.naive.optimum import optimum
from tests.tables import random_problem


@pytest.mark.parametrize("measure", ["stars", "tree", "entropy", "non-uniform-entropy"])
def test_batch_agrees_with_the_plain_program(measure: str) -> None:
    rng = np.random.default_rng(5)
    problems = [random_problem(rng, int(rng.integers(1, 8)), 3, int(rng.integers(1, 4)), 4, measure, deep=True) for _ in range(40)]
    assert optima(problems) == pytest.approx([optimum(p) for p in problems])
