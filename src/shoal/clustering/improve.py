"""Narrowing a clustering whose cost is its largest radius, after the guaranteed phase. The radius never grows.

Three moves, each kept only where it helps: centres move to the middle of their clusters; rows are assigned again to the
same centres at the smallest radius at which every centre still gets its r rows (a flow); and, where the number of
clusters is free, centres are chosen again for a smaller target radius, the points that are hardest to serve first.
"""

from __future__ import annotations

import numpy as np

from shoal.clustering import flow
from shoal.clustering.base import Task
from shoal.clustering.diversity import Diverse, rth_distance
from shoal.clustering.points import Floats, Found, Ints, Longs, Points
from shoal.kernels.space_improve import recentre, spread

ROUNDS = 12
TARGETS = 10


def members(points: Points, found: Found) -> tuple[Longs, Ints]:
    """The distinct points of each cluster, end to end."""
    kept = np.flatnonzero(found.label >= 0)
    key = np.unique(found.label[kept].astype(np.int64) * points.space.n + points.of_row[kept])
    cluster, at = np.divmod(key, points.space.n)
    return np.searchsorted(cluster, np.arange(found.n_clusters + 1)).astype(np.int64), at.astype(np.int32)


def centred(points: Points, found: Found) -> Found:
    """The same clusters around their best members."""
    first, at = members(points, found)
    centre, _ = recentre(points.space, first, at, found.centre)
    return Found(found.label, centre)


def kept_weight(points: Points, found: Found) -> Longs:
    """How many rows of each point are clustered."""
    return np.bincount(points.of_row[found.label >= 0], minlength=points.space.n).astype(np.int64)


def narrower(points: Points, found: Found, r: int, diverse: Diverse | None = None) -> Found:
    """Recentre and assign again until the largest radius stops falling."""
    best = centred(points, found)
    radius = best.radius(points)
    for _ in range(ROUNDS):
        again = _assign_anew(points, best, r, radius, diverse)
        if again is None:
            return best
        again = centred(points, again)
        smaller = again.radius(points)
        if smaller >= radius:
            return best
        best, radius = again, smaller
    return best


def _assign_anew(points: Points, found: Found, r: int, radius: float, diverse: Diverse | None) -> Found | None:
    """The same centres and rows at the smallest radius below the present one; None if there is none."""
    weight = kept_weight(points, found)
    centres = np.unique(found.centre)
    if len(centres) < found.n_clusters or radius == 0:
        return None
    edges = points.space.balls(centres, radius, weight)
    to_centre = np.full(points.space.n, np.inf)
    np.minimum.at(to_centre, edges.at, edges.d)
    least = max(float(to_centre[weight > 0].max()), float(rth_distance(points, r, diverse, centres, weight).max()))
    steps = np.unique(edges.d[(edges.d >= least) & (edges.d < radius)])
    low, high, best = 0, len(steps), None
    while low < high:
        middle = low if best is None and low == 0 else (low + high) // 2
        again = flow.assign(points, centres, float(steps[middle]), r, weight, diverse)
        if again is None:
            low = middle + 1
        else:
            high, best = middle, again
    return best


def spread_anew(task: Task, value: Floats, favourite: Ints, least: float, radius: float) -> Found | None:
    """Centres chosen again for a radius from ``least`` up, below ``radius``; None if none is found.

    ``value`` is the radius of the cheapest ball that holds each point and r rows, ``favourite`` its centre. At a target
    radius the points of larger value are outliers.
    """
    points, space = task.points, task.points.space
    most = task.max_clusters or space.n
    order = np.argsort(-value, kind="stable").astype(np.int32)
    steps = np.unique(value[(value >= least) & (value < radius)])
    if len(steps) > 64:
        steps = steps[np.unique(np.linspace(0, len(steps) - 1, 64).astype(np.int64))]
    extra = np.linspace(least, radius, 9)[1:-1]
    steps = np.unique(np.concatenate([steps, extra]))
    low, high, best = 0, len(steps), None
    for turn in range(TARGETS):
        if low >= high:
            break
        middle = low if turn == 0 else (low + high) // 2
        target = float(steps[middle])
        weight = np.where(value <= target, space.weight, 0)
        again = None
        if space.total - int(weight.sum()) <= task.max_outliers:
            centres = np.unique(spread(space, order, favourite, target, weight))
            again = flow.assign(points, centres, target, task.r, weight, task.diverse) if len(centres) <= most else None
        if again is None:
            low = middle + 1
        else:
            high, best = middle, again
    return best
