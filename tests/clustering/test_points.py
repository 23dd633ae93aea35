"""Rows as points: equal rows lie on one, and clusters are counted in rows."""

from __future__ import annotations

import numpy as np

from shoal.clustering.points import Found
from tests.clustering.small import on_a_line


def test_equal_rows_are_one_point_of_their_weight() -> None:
    points = on_a_line(5, 1, 5, 5, 9)
    assert points.n_rows == 5
    assert points.space.n == 3
    assert points.of_row[0] == points.of_row[2] == points.of_row[3]
    assert points.space.weight[points.of_row[0]] == 3


def test_the_first_row_of_each_point_lies_on_it() -> None:
    points = on_a_line(5, 1, 5, 5, 9)
    assert points.of_row[points.a_row].tolist() == [0, 1, 2]
    assert sorted(points.a_row.tolist()) == [0, 1, 4]


def test_rows_of_one_point_may_go_to_several_clusters() -> None:
    points = on_a_line(5, 1, 5, 5, 9)
    fives, one, nine = points.of_row[0], points.of_row[1], points.of_row[4]
    label = points.label_rows(np.array([fives, one, fives, nine]), np.array([0, 0, 1, 1]), np.array([2, 1, 1, 1]))
    assert label[1] == 0
    assert label[4] == 1
    assert sorted(label[[0, 2, 3]].tolist()) == [0, 0, 1]


def test_sizes_and_radii_count_rows_and_leave_outliers_out() -> None:
    points = on_a_line(0, 1, 3, 10, 99)
    found = Found(np.array([0, 0, 0, 1, -1], dtype=np.int32), points.of_row[[1, 3]])
    assert found.sizes().tolist() == [3, 1]
    assert found.radii(points).tolist() == [2.0, 0.0]
    assert found.radius(points) == 2.0


def test_a_clustering_without_clusters_has_no_radius() -> None:
    assert Found(np.full(2, -1, dtype=np.int32), np.empty(0, dtype=np.int32)).radius(on_a_line(0, 1)) == 0.0


def test_clusters_without_rows_are_left_out_and_the_others_renumbered() -> None:
    points = on_a_line(0, 1, 2)
    found = Found(np.array([2, -1, 2], dtype=np.int32), points.of_row[[0, 1, 2]]).without_gaps()
    assert found.label.tolist() == [0, -1, 0]
    assert found.centre.tolist() == [points.of_row[2]]
