"""Clusters of at least r rows from clusters of any size: first by sharing rows, then by making the clusters
disjoint.
"""

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


def overlapping(points: Points, centre: Ints, label: Ints, r: int) -> Found:
    """Clusters that share rows: each has its own, and the rows nearest to its centre until it has r.

    Beside them the rows of none.
    """
    lists = []
    for c, near in enumerate(shared(points, centre, label, r)):
        own, others = near[label[near] == c], near[label[near] != c]
        far = points.space.distances(points.of_row[others], int(centre[c]))
        lists.append(np.concatenate([own, others[np.argsort(far, kind="stable")[: max(r - len(own), 0)]]]))
    of_list = np.repeat(np.arange(len(lists), dtype=np.int32), [len(rows) for rows in lists])
    inside = np.concatenate(lists)
    outside = np.setdiff1d(np.arange(points.n_rows), inside)
    return Found(
        np.concatenate([of_list, np.full(len(outside), -1, dtype=np.int32)]), centre, np.concatenate([inside, outside])
    )


def lists_of(found: Found) -> list[Longs]:
    """The rows of each cluster of such a clustering."""
    assert found.rows is not None
    return [found.rows[found.label == c] for c in range(found.n_clusters)]


def disjoint(points: Points, centre: Ints, lists: list[Longs], r: int, setup: Floats) -> Found:
    """Every row in one cluster. Clusters with r rows of their own open by rising radius; each other one is attached to
    an open one.

    A cluster that cannot open has a row that an earlier one took; it is attached to that one. Clusters attached to an
    open one are put together until they have r rows. What is left over is filled up from the open cluster, or joins it
    completely. Clusters that were put together are around the open one's centre; where set-up costs differ, around that
    or one of their own, whichever costs least.
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
    candidates = [[int(centre[c])] for c in opened]
    for host, below in hangs_on.items():
        _group(label, candidates, host, [(int(centre[c]), left_to[c]) for c in below if len(left_to[c])], r)
    if setup.min() == setup.max():
        chosen = [around[0] for around in candidates]
    else:
        chosen = [_cheapest(points, np.flatnonzero(label == c), around, setup) for c, around in enumerate(candidates)]
    return Found(label, np.array(chosen, dtype=np.int32)).without_gaps()


def _cheapest(points: Points, rows: Longs, candidates: list[int], setup: Floats) -> int:
    """The centre around which these rows cost least."""
    at = points.of_row[rows]
    costs = [setup[v] + len(rows) * points.space.distances(at, v).max(initial=0.0) for v in candidates]
    return candidates[int(np.argmin(costs))]


def _radii(points: Points, centre: Ints, lists: list[Longs]) -> Floats:
    return np.array(
        [points.space.distances(points.of_row[rows], v).max() for v, rows in zip(centre, lists, strict=True)]
    )


def _leftovers(lists: list[Longs], label: Ints, waiting: list[int]) -> dict[int, Longs]:
    """Each row that no open cluster took, in one of the waiting clusters that hold it."""
    taken = label >= 0
    left_to = {}
    for c in waiting:
        rows = lists[c][~taken[lists[c]]]
        taken[rows] = True
        left_to[c] = rows
    return left_to


def _group(label: Ints, candidates: list[list[int]], host: int, below: list[tuple[int, Longs]], r: int) -> None:
    """Cut one open cluster, with those attached to it, into clusters of at least r rows; the first candidate for a
    centre is the open one's.
    """
    waiting: list[Longs] = []
    around: list[int] = []
    weight = 0

    def emit() -> None:
        label[np.concatenate(waiting)] = len(candidates)
        candidates.append([candidates[host][0], *around])

    for centre, rows in below:
        waiting.append(rows)
        around.append(centre)
        weight += len(rows)
        if weight >= r:
            emit()
            waiting, around, weight = [], [], 0
    if not weight:
        return
    first_level = np.flatnonzero(label == host)
    if weight + len(first_level) >= 2 * r:
        waiting.append(first_level[: r - weight])
        emit()
    else:
        label[np.concatenate(waiting)] = host
