"""Partitions from distances alone: groups of at least k, all rows, near ones together."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.errors import ShoalError
from shoal.protocol.suppression.partition import CATALOG, cost, nearest, partition


def distances(rows: np.ndarray) -> np.ndarray:
    return (rows[:, None, :] != rows[None, :, :]).sum(axis=2).astype(np.int64)


@pytest.mark.parametrize("name", CATALOG)
@pytest.mark.parametrize("seed", range(6))
def test_every_row_is_in_one_group_of_at_least_k(name: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    k = int(rng.integers(2, 5))
    n = int(rng.integers(k, 12))
    groups = partition(name, distances(rng.integers(0, 3, (n, 4))), k)
    assert sorted(row for group in groups for row in group) == list(range(n))
    assert min(map(len, groups)) >= k


@pytest.mark.parametrize("name", CATALOG)
def test_equal_rows_stay_together_where_that_is_free(name: str) -> None:
    rows = np.array([[0, 0], [1, 1], [0, 0], [1, 1], [0, 0], [1, 1]])
    assert partition(name, distances(rows), 3) == [[0, 2, 4], [1, 3, 5]]


@pytest.mark.parametrize("seed", range(6))
def test_local_search_never_makes_the_estimate_worse(seed: int) -> None:
    d = distances(np.random.default_rng(seed).integers(0, 3, (20, 5)))
    before = sum(cost(d, group) for group in nearest(d, 3))
    assert sum(cost(d, group) for group in partition("local", d, 3)) <= before + 1e-9


def test_the_estimate_is_exact_for_two_rows() -> None:
    assert cost(distances(np.array([[0, 0, 0], [0, 1, 1]])), [0, 1]) == 2 * 2


def test_a_partition_that_there_is_not_is_named() -> None:
    with pytest.raises(ShoalError, match="magic"):
        partition("magic", np.zeros((3, 3), dtype=np.int64), 3)
