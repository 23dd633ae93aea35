"""Narrower clusters: better centres for given members, and centres for the points that are hardest to serve."""

from __future__ import annotations

import numpy as np

from shoal.kernels.native import check, doubles, ints, lib, longs
from shoal.kernels.space import Floats, Ints, Longs, Space, points


def recentre(space: Space, first: Longs, at: Ints, centre: Ints, most: int = 4096) -> tuple[Ints, Floats]:
    """For each cluster the member whose farthest other member is nearest, and that distance; the old centre where none
    is better.

    The members of cluster c are ``at[first[c] : first[c + 1]]``; only the ``most`` nearest to the old centre are tried
    as centres.
    """
    centre = np.ascontiguousarray(centre, dtype=np.int32).copy()
    if len(first) != len(centre) + 1 or first[-1] != len(at):
        raise ValueError("the lists do not fit the clusters")
    for some in (at, centre):
        if len(some) and (some.min() < 0 or some.max() >= space.n):
            raise IndexError("a point is out of range")
    radius = np.zeros(len(centre))
    given = (longs(first), ints(at), len(centre), most)
    check(lib.shoal_space_recentre(space.pointer, *given, ints(centre), doubles(radius)), "the centres")
    return centre, radius


def spread(space: Space, order: Ints, centre_for: Ints, reach: float, weight: Longs) -> Ints:
    """Centres for all points of positive weight: in the given order, a point that none reaches yet gets ``centre_for``
    it.
    """
    if len(centre_for) != space.n:
        raise ValueError("one favourite centre per point")
    for some in (order, centre_for):
        if len(some) and (some.min() < 0 or some.max() >= space.n):
            raise IndexError("a point is out of range")
    load, centres = space.load(weight), np.empty(max(len(order), 1), dtype=np.int32)
    made = lib.shoal_space_spread(space.pointer, load.pointer, points(order), ints(centre_for), reach, ints(centres))
    return centres[: check(made, "the centres")].copy()
