"""Values that clusters show, and the rows that may have them.

The attack is in ``tests/attacks/test_doctored_clusters.py``.
"""

from __future__ import annotations

import numpy as np
import pytest

from shoal.clustering.shown import can_flow, is_within


@pytest.mark.parametrize(
    ("room", "fits"), [([2, 1], True), ([1, 2], True), ([0, 3], True), ([3, 0], False), ([2, 2], False)]
)
def test_rows_flow_into_clusters_that_hold_them(room, fits):
    """Two rows at the first point, one at the second; the first may go to both clusters, the second to the second
    alone.
    """
    at, to = np.array([0, 0, 1]), np.array([0, 1, 1])
    assert can_flow(np.array([2, 1]), np.array(room), at, to) is fits


def test_rounding_leaves_a_row_on_the_edge_inside():
    apart = np.array([[0.1 + 0.2, 1.0]])
    assert is_within(apart, np.array([0.3, 0.5])).tolist() == [[True, False]]
