"""Clusters of at least r rows from clusters of any size: first by sharing rows, then by making the clusters disjoint."""

from __future__ import annotations

import numpy as np

from shoal.clustering.points import Floats, Found, Ints, Longs, Points


def shared(points: Points, centre: Ints, label: Ints, r: int) -> list[Longs]:
    """The rows of each cluster together with the r rows nearest to its centre, whichever cluster these belong to.

    ``label`` is the cluster of each row, −1 for an outlier; an outlier near a centre comes back.
    """
    order = np.argsort(label, kind="stable")
    start = np.searchsorted(label[order], np.arange(len(centre) + 1))
    at, _ = points.space.nearest(min(r, points.space.n), centre)
    lists = []
    for c in range(len(centre)):
        near = [points.rows[points.first[p] : points.first[p + 1]] for p in at[c] if p >= 0]
        own = order[start[c] : start[c + 1]]
        lists.append(np.union1d(own, np.concatenate(near)[:r]))
    return lists


def disjoint(points: Points, centre: Ints, lists: list[Longs], r: int) -> Found:
    """Every row in one cluster. Clusters with r rows of their own open by rising radius; each other one is attached to an open one.

    A cluster that cannot open has a row that an earlier one took; it is attached to that one. Clusters attached to an open one are put
    together until they have r rows. What is left over is filled up from the open cluster, or joins it completely.
    """
    radius = _radii(points, centre, lists)
    label = np.full(points.n_rows, -1, dtype=np.int32)
    opened: list[int] = []
    hangs_on: dict[int, list[int]] = {}
    for c in np.lexsort((np.arange(len(centre)), radius)):
        free = lists[c][label[lists[c]] < 0]
        if len(free) >= r:
            label[free] = len(opened)
            opened.append(int(c))
        else:
            host = label[lists[c]]
            hangs_on.setdefault(int(host[host >= 0][0]), []).append(int(c))
    left_to = _leftovers(lists, label, [c for below in hangs_on.values() for c in below])
    centres = [int(centre[c]) for c in opened]
    for host, below in hangs_on.items():
        _group(label, centres, host, [left_to[c] for c in below if len(left_to[c])], r)
    return Found(label, np.array(centres, dtype=np.int32)).without_gaps()


def _radii(points: Points, centre: Ints, lists: list[Longs]) -> Floats:
    return np.array([points.space.distances(points.of_row[rows], v).max() for v, rows in zip(centre, lists, strict=True)])


def _leftovers(lists: list[Longs], label: Ints, waiting: list[int]) -> dict[int, Longs]:
    """Each row that no open cluster took, in one of the waiting clusters that hold it."""
    taken = label >= 0
    left_to = {}
    for c in waiting:
        rows = lists[c][~taken[lists[c]]]
        taken[rows] = True
        left_to[c] = rows
    return left_to


def _group(label: Ints, centres: list[int], host: int, below: list[Longs], r: int) -> None:
    """Cut one open cluster, with those attached to it, into clusters of at least r rows, all around its centre."""
    waiting: list[Longs] = []
    weight = 0
    for rows in below:
        waiting.append(rows)
        weight += len(rows)
        if weight >= r:
            label[np.concatenate(waiting)] = len(centres)
            centres.append(centres[host])
            waiting, weight = [], 0
    if not weight:
        return
    first_level = np.flatnonzero(label == host)
    if weight + len(first_level) >= 2 * r:
        waiting.append(first_level[: r - weight])
        label[np.concatenate(waiting)] = len(centres)
        centres.append(centres[host])
    else:
        label[np.concatenate(waiting)] = host
