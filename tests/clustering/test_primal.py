"""Clusters that are opened after the ascent: nobody pays for two, and everybody who is connected has one."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.clustering import primal
from shoal.clustering.primal import open_clusters
from shoal.kernels.space_ascent import ascend
from tests.kernels.spaces import all_distances, mixed_space


@pytest.mark.parametrize("batch", [1, 512])
@pytest.mark.parametrize("seed", range(6))
def test_no_point_pays_for_two_open_clusters_and_every_point_has_one(
    seed: int, batch: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(primal, "BATCH", batch)
    space = mixed_space(np.random.default_rng(seed), 40)
    d, setup = all_distances(space), np.full(space.n, 0.3)
    ascent = ascend(space, np.zeros(space.n), setup, 0.0)
    opened = open_clusters(space, ascent, np.ones(space.n, dtype=np.bool_))
    assert (opened.label >= 0).all()
    radius = {int(v): float(x) for v, x in zip(ascent.centre, ascent.radius, strict=True)}
    pays = np.array([(d[v] <= radius[int(v)]) & (ascent.alpha >= radius[int(v)]) for v in opened.centre])
    assert pays.sum(axis=0).max() <= 1
    for number, payers in enumerate(pays):
        assert (opened.label[payers] == number).all()


def test_a_point_that_is_absent_pays_for_nothing() -> None:
    space = mixed_space(np.random.default_rng(3), 30)
    ascent = ascend(space, np.zeros(space.n), np.full(space.n, 0.3), 0.0)
    present = np.ones(space.n, dtype=np.bool_)
    present[::3] = False
    opened = open_clusters(space, ascent, present)
    assert (opened.label[~present] < 0).all()
    assert (opened.label[present] >= 0).all()
