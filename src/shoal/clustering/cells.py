"""Cells near the lower bound: local search from the guaranteed clustering, and from cells chosen along the prices."""

from __future__ import annotations

import numpy as np

from shoal.clustering.base import Task
from shoal.clustering.points import Floats, Found, Ints, Longs
from shoal.kernels.space_cells import greedy_cells, improve_cells

NEIGHBOURS = 24
ROUNDS = 12
WORTH = (0.0, 0.45)
"""Cells are chosen while their rows' prices are this share of their cost."""


def searched(task: Task, setup: Floats, first: Found, y: Floats) -> Found:
    """The cheapest clustering that local search reaches; never more expensive than ``first``."""
    points, space = task.points, task.points.space
    near, _ = space.nearest(min(NEIGHBOURS, space.n))
    starts = [first]
    starts += [one for worth in WORTH if (one := along_prices(task, setup, y, worth)) is not None]
    best, least = first, _cost(task, first, setup)
    for start in starts:
        label, centre = improve_cells(
            space,
            points.of_row,
            near,
            points.first,
            points.rows,
            setup,
            task.r,
            task.max_outliers - int((start.label < 0).sum()),
            start.label,
            start.centre,
            ROUNDS,
        )
        found = Found(label, centre).without_gaps()
        here = _cost(task, found, setup)
        if here < least:
            best, least = found, here
    return best


def _cost(task: Task, found: Found, setup: Floats) -> float:
    return float(setup[found.centre].sum() + (found.sizes() * found.radii(task.points)).sum())


def along_prices(task: Task, setup: Floats, y: Floats, worth: float) -> Found | None:
    """The most expensive rows are left out, r nearest rows at a time form a cell where their prices go furthest, the
    rest joins the nearest.
    """
    points, space = task.points, task.points.space
    out = _dearest(y, space.weight, task.max_outliers)
    weight = space.weight - out
    centre, taken = greedy_cells(space, y, setup, task.r, weight, worth)
    if not len(centre):
        return None
    count = taken.d.astype(np.int64)
    left = weight - np.bincount(taken.at, weights=count, minlength=space.n).astype(np.int64)
    rest = np.flatnonzero(left).astype(np.int32)
    at_centre = np.zeros(space.n, dtype=np.int64)
    at_centre[centre] = 1
    number = np.zeros(space.n, dtype=np.int32)
    number[centre[::-1]] = np.arange(len(centre), dtype=np.int32)[::-1]
    nearest, _ = space.nearest(1, rest, at_centre)
    everything = np.arange(space.n, dtype=np.int32)
    label = points.label_rows(
        np.concatenate([taken.at, rest, everything]),
        np.concatenate([taken.owner(), number[nearest[:, 0]], np.full(space.n, -1, dtype=np.int32)]),
        np.concatenate([count, left[rest], out]),
    )
    return Found(label, centre)


def _dearest(y: Floats, weight: Longs, most: int) -> Longs:
    """How many rows of each point are among the ``most`` most expensive."""
    turn: Ints = np.argsort(-y, kind="stable").astype(np.int32)
    out = np.zeros(len(y), dtype=np.int64)
    out[turn] = np.diff(np.minimum(np.cumsum(weight[turn]), most), prepend=0)
    return out
