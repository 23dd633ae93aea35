"""Ranks of keys."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.kernels import rank_keys


@pytest.mark.parametrize("most", [1, 3, 2**12, 2**62])
@pytest.mark.parametrize("n", [1, 2, 1000])
def test_ranks_agree_with_numpy(n: int, most: int) -> None:
    rng = np.random.default_rng(2)
    key = rng.integers(0, most, size=n)
    first, count, rank = rank_keys(rng.choice(key, n))
    again = rank_keys(key)
    _, index, inverse, counts = np.unique(key, return_index=True, return_inverse=True, return_counts=True)
    assert (again[0] == index).all()
    assert (again[1] == counts).all()
    assert (again[2] == inverse).all()
    assert count.sum() == n
    assert len(first) == rank.max() + 1


def test_no_keys_have_no_ranks() -> None:
    assert [len(found) for found in rank_keys(np.empty(0, dtype=np.int64))] == [0, 0, 0]


def test_negative_keys_are_refused() -> None:
    with pytest.raises(ValueError):
        rank_keys(np.array([-1]))
