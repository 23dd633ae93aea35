"""Every centre gets r rows within reach, or it is said that this cannot be."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from shoal.clustering.flow import assign
from tests.clustering.small import on_a_line, points_from
from tests.naive.clusterings import random_metric


def test_rows_go_to_the_nearest_centre_where_that_is_enough() -> None:
    points = on_a_line(0, 1, 2, 10, 11, 12, 13)
    found = assign(points, points.of_row[[1, 4]], 6.0, 3)
    assert found is not None
    assert found.label.tolist() == [0, 0, 0, 1, 1, 1, 1]


def test_a_centre_that_lacks_rows_gets_them_from_another() -> None:
    points = on_a_line(0, 1, 2, 3, 4, 10)
    found = assign(points, points.of_row[[0, 5]], 10.0, 3)
    assert found is not None
    assert found.label[0] == 0
    assert found.label[5] == 1
    assert found.sizes().tolist() == [3, 3]


def test_rows_of_one_point_may_be_shared_out() -> None:
    points = on_a_line(0, 5, 5, 5, 5, 10)
    found = assign(points, points.of_row[[0, 5]], 5.0, 3)
    assert found is not None
    assert found.sizes().tolist() == [3, 3]


def test_a_row_that_no_centre_reaches_stops_it_unless_it_is_left_out() -> None:
    points = on_a_line(0, 1, 50)
    centre = points.of_row[[0]]
    assert assign(points, centre, 5.0, 2) is None
    without = points.space.weight.copy()
    without[points.of_row[2]] = 0
    found = assign(points, centre, 5.0, 2, without)
    assert found is not None
    assert found.label.tolist() == [0, 0, -1]


@pytest.mark.parametrize("seed", range(60))
def test_it_succeeds_exactly_where_trying_everything_does(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 8))
    d, r = random_metric(rng, n), int(rng.integers(1, 4))
    centres = rng.choice(n, int(rng.integers(1, 3)), replace=False)
    reach = float(rng.choice(d.ravel()))
    points = points_from(d)
    found = assign(points, points.of_row[centres], reach, r)
    possible = any(
        all(d[row, centres[c]] <= reach for row, c in enumerate(given))
        and min(given.count(c) for c in range(len(centres))) >= r
        for given in product(range(len(centres)), repeat=n)
    )
    assert (found is not None) == possible
    if found is not None:
        assert (d[np.arange(n), centres[found.label]] <= reach).all()
        assert found.sizes().min() >= r
