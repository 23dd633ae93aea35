"""Narrower clusters: better centres for given members, and centres for the points that are hardest to serve."""

from __future__ import annotations

import numpy as np

from shoal.kernels.native import doubles, ints, lib, longs
from shoal.kernels.space import Floats, Ints, Longs, Space


def recentre(space: Space, first: Longs, at: Ints, centre: Ints, most: int = 4096) -> tuple[Ints, Floats]:
    """For each cluster the member whose farthest fellow member is nearest, and that distance; the old centre where none is better.

    The members of cluster c are ``at[first[c] : first[c + 1]]``; only the ``most`` nearest to the old centre are tried as centres.
    """
    centre = np.ascontiguousarray(centre, dtype=np.int32).copy()
    if len(first) != len(centre) + 1 or first[-1] != len(at):
        raise ValueError("the lists do not fit the clusters")
    for points in (at, centre):
        if len(points) and (points.min() < 0 or points.max() >= space.n):
            raise IndexError("a point is out of range")
    radius = np.zeros(len(centre))
    if lib.shoal_space_recentre(space.pointer, longs(first), ints(at), len(centre), most, ints(centre), doubles(radius)) < 0:
        raise MemoryError
    return centre, radius


def spread(space: Space, order: Ints, centre_for: Ints, reach: float, weight: Longs) -> Ints:
    """Centres for all points of positive weight: in the given order, a point that none reaches yet gets ``centre_for`` it."""
    if len(centre_for) != space.n:
        raise ValueError("one favourite centre a point")
    for points in (order, centre_for):
        if len(points) and (points.min() < 0 or points.max() >= space.n):
            raise IndexError("a point is out of range")
    w, nodes = space.fresh(weight)
    centres = np.empty(max(len(order), 1), dtype=np.int32)
    n = lib.shoal_space_spread(
        space.pointer, longs(w), longs(nodes), ints(space.leaf_of), ints(order), len(order), ints(centre_for), reach, ints(centres)
    )
    if n < 0:
        raise MemoryError
    return centres[:n].copy()
