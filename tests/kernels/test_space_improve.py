"""Farthest first, better centres, rows spread evenly."""

from __future__ import annotations

import numpy as np

from shoal.kernels.space_improve import recentre, spread
from tests.kernels.spaces import all_distances, mixed_space


def test_farthest_first_recentring_and_spreading_agree_with_all_distances() -> None:
    space = mixed_space(np.random.default_rng(5), 50)
    d = all_distances(space)
    centres, apart, nearest, far = space.farthest_first(6)
    assert (far == d[:, centres].min(axis=1)).all()
    assert (d[np.arange(50), centres[nearest]] == far).all()
    assert all(apart[i] == d[centres[i], centres[:i]].min() for i in range(1, len(centres)))
    order = np.argsort(nearest, kind="stable").astype(np.int32)
    first = np.searchsorted(nearest[order], np.arange(len(centres) + 1)).astype(np.int64)
    better, radius = recentre(space, first, order, centres)
    for c in range(len(centres)):
        own = order[first[c] : first[c + 1]]
        assert radius[c] == d[np.ix_(own, own)].max(axis=1).min()
        assert d[better[c], own].max() == radius[c]
    value, favourite = space.cheapest_ball(space.rth_distance(3))
    reach = float(value.max())
    chosen = spread(space, np.arange(50, dtype=np.int32), favourite, reach, space.weight)
    assert (d[:, chosen].min(axis=1) <= reach).all()
