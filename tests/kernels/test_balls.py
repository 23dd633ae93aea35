"""The cover by balls and the top-down cuts, against the obvious way."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.algorithms.meyerson_williams import partition
from tests.naive import balls


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_balls_are_taken_in_the_order_of_their_price(k: int) -> None:
    rng = np.random.default_rng(k)
    for _ in range(15):
        places = rng.normal(size=(int(rng.integers(max(k, 2), 20)), 2))
        distance = np.sqrt(((places[:, None] - places) ** 2).sum(axis=2))
        group = partition(distance, len(places), k)
        expected = balls.cover_by_balls(distance, k)
        assert {frozenset(np.flatnonzero(group == g).tolist()) for g in range(group.max() + 1)} == {
            frozenset(s) for s in expected
        }
