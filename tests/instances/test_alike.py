"""Tables whose graphs are alike and whose optima are not."""

from __future__ import annotations

import numpy as np
import pytest

from shoal import instances
from tests.instances.graphs import optimum_of


@pytest.mark.parametrize("k", range(2, 7))
def test_alike_graphs_with_optima_of_another_order(k: int) -> None:
    apart, together = instances.alike_apart(k), instances.alike_together(k)
    for instance in (apart, together):
        rows = np.array(instance.rows)
        distance = (rows[:, None, :] != rows[None, :, :]).sum(axis=2)
        assert (distance[~np.eye(k, dtype=bool)] == 2 ** (k - 1)).all()
        assert optimum_of(instance) == [instance.threshold]
    l = 2 ** (k - 2)
    assert apart.threshold == k * k * l
    assert together.threshold == k * (4 * l - 2)
    assert apart.threshold / together.threshold > k / 4
