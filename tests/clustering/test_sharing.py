"""From clusters of any size to clusters of at least r rows."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.clustering.sharing import disjoint, shared
from tests.clustering.small import folded, on_a_line, points_from
from tests.naive.clusterings import random_metric


def test_a_small_cluster_is_filled_up_with_the_rows_nearest_to_its_centre() -> None:
    points = on_a_line(0, 1, 2, 3, 50)
    lists = shared(points, points.of_row[[4, 0]], np.array([1, 1, 1, 1, 0], dtype=np.int32), 3)
    assert sorted(lists[0].tolist()) == [2, 3, 4]
    assert sorted(lists[1].tolist()) == [0, 1, 2, 3]


def test_an_outlier_near_a_centre_comes_back() -> None:
    points = on_a_line(0, 1, 2)
    assert shared(points, points.of_row[[0]], np.array([0, -1, 0], dtype=np.int32), 2)[0].tolist() == [0, 1, 2]


@pytest.mark.parametrize("seed", range(80))
def test_every_row_of_a_list_ends_in_one_cluster_of_at_least_r(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 16))
    d = random_metric(rng, n)
    d, points = folded(rng, d) if seed % 2 else (d, points_from(d))
    r = int(rng.integers(1, n // 2 + 1))
    centre = points.of_row[rng.choice(n, int(rng.integers(1, 5)), replace=False)]
    label = rng.integers(-1, len(centre), n).astype(np.int32)
    lists = shared(points, centre, label, r)
    assert all(len(rows) >= r for rows in lists)
    assert all(set(np.flatnonzero(label == c)) <= set(rows) for c, rows in enumerate(lists))
    found = disjoint(points, centre, lists, r)
    assert set(np.flatnonzero(found.label >= 0)) == {int(row) for rows in lists for row in rows}
    assert found.sizes().min() >= r
    assert set(found.centre) <= set(centre)
