"""The cover by balls, looking at every ball at every step."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def cover_by_balls(distance: NDArray[np.float64], k: int) -> list[set[int]]:
    """The least radius per newly covered row first; a row leaves its group if that has more than k, else the new rows join the nearest one's."""
    n = len(distance)
    groups: list[set[int]] = []
    open_rows = set(range(n))
    while open_rows:
        best: tuple[float, int, float, list[int]] | None = None
        for centre in range(n):
            reach = float(np.sort(distance[centre])[k - 1])
            nearest = sorted(open_rows, key=lambda i: (distance[centre, i], i))[: 2 * k - 1]
            for j in range(1, len(nearest) + 1):
                radius = max(reach, float(distance[centre, nearest[j - 1]]))
                if best is None or radius / j < best[0]:
                    best = (radius / j, centre, radius, nearest[:j])
        assert best is not None
        _, centre, radius, fresh = best
        open_rows -= set(fresh)
        add(groups, fresh, [int(i) for i in np.argsort(distance[centre]) if distance[centre, i] <= radius], k)
    return groups


def add(groups: list[set[int]], fresh: list[int], ball: list[int], k: int) -> None:
    if len(fresh) >= k:
        groups.append(set(fresh))
        return
    fillers: list[int] = []
    taken = [0] * len(groups)
    for row in ball:
        for g, members in enumerate(groups):
            if row in members and len(members) - taken[g] > k and len(fillers) < k - len(fresh):
                fillers.append(row)
                taken[g] += 1
    if len(fillers) == k - len(fresh):
        for members in groups:
            members.difference_update(fillers)
        groups.append(set(fresh) | set(fillers))
        return
    for row in ball:
        for members in groups:
            if row in members and len(members) + len(fresh) <= 2 * k - 1:
                members.update(fresh)
                return
    raise AssertionError("one of the two is always possible")
