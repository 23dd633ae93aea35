"""From the dual ascent to clusters: clusters that are paid for are opened by falling radius, unless one of their points
has paid for another.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from shoal.clustering.points import Bools, Ints, Longs
from shoal.kernels.space import Space
from shoal.kernels.space_ascent import Ascent

BATCH = 512


@dataclass(frozen=True, eq=False)
class Opened:
    """Clusters that are open for good, and the cluster of each point."""

    centre: Ints
    label: Ints
    """−1 for a point that is left out."""


def open_clusters(space: Space, ascent: Ascent, present: Bools) -> Opened:
    """Open a cluster if all present points that paid for it are unassigned, and assign them; each other point follows
    its witness, the cluster that connected it.

    If that cluster stayed closed, one of its payers went to a cluster of at least its radius; the point goes there too.
    """
    order = np.lexsort((np.arange(len(ascent.radius)), -ascent.radius))
    goes_to = np.full(space.n, -1, dtype=np.int32)
    stands_for = np.full(len(order), -1, dtype=np.int32)
    centres: list[int] = []
    weight = np.where(present, space.weight, 0)
    for begin in range(0, len(order), BATCH):
        batch = order[begin : begin + BATCH]
        payers = _payers(space, ascent, batch, weight)
        for number, paid in zip(batch, payers, strict=True):
            before = goes_to[paid]
            taken = before[before >= 0]
            if len(taken):
                stands_for[number] = taken[0]
            elif len(paid):
                stands_for[number] = len(centres)
                goes_to[paid] = len(centres)
                centres.append(int(ascent.centre[number]))
    rest = np.flatnonzero(present & (goes_to < 0) & (ascent.witness >= 0))
    goes_to[rest] = stands_for[ascent.witness[rest]]
    return Opened(np.array(centres, dtype=np.int32), goes_to)


def _payers(space: Space, ascent: Ascent, batch: Longs, weight: Longs) -> list[Ints]:
    """For each cluster the present points with tight edges to it: within its radius, and offering at least that."""
    balls = space.balls(ascent.centre[batch], ascent.radius[batch], weight)
    tight = ascent.alpha[balls.at] >= np.repeat(ascent.radius[batch], np.diff(balls.first))
    first = np.concatenate([[0], np.cumsum(tight)])[balls.first]
    at = balls.at[tight]
    return [at[a:b] for a, b in pairwise(first)]
