"""Entropy as it is recounted, and the floor that proofs take."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.judge.measures.entropy import superset_floor
from shoal.judge.measures.exact import Known
from tests.judge.measures.labels import cost, floor_of


def test_two_values_that_occur_alike_cost_a_bit() -> None:
    assert cost("entropy", [2, 2, 4], "a") == pytest.approx(1.0)
    assert float(floor_of("entropy", [2, 2])) == 1.0


@given(st.lists(st.integers(1, 30), min_size=1, max_size=3), st.lists(st.integers(0, 30), max_size=5))
def test_no_superset_costs_less_than_the_floor_that_proofs_take(held: list[int], others: list[int]) -> None:
    """Every set of the others that may be added is tried."""
    falling = sorted(others, reverse=True)
    known = Known(np.array(held), sum(held) + sum(others), len(held) + len(others), 1, 2, None)
    floor = superset_floor(known, np.array(falling, dtype=np.int64))
    found = []
    for size in range(len(others) + 1):
        for more in combinations(others, size):
            share = np.array([c for c in [*held, *more] if c]) / sum([*held, *more])
            found.append(float(-(share * np.log2(share)).sum()))
    assert float(floor) <= min(found) + 1e-12
    assert float(floor) == pytest.approx(min(found), abs=1e-9)
