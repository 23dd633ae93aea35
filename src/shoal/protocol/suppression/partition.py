"""Partitions of rows into groups of at least k from their pairwise distances alone. CATALOG: the choice is the miner's.

The distance of two rows is the number of columns in which they differ, which is the price in stars of what covers both:
so FOREST's and Meyerson–Williams's theorems hold for the starred cells (docs/guarantees.md).

A group's number of starred columns lies between its diameter and the sum of distances to any one member; the local
search works on the mean of the diameter and the cheapest such sum, which is exact wherever the two agree.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal import registry
from shoal.protocol.grouping import Distances, Grouping

CATALOG = {
    "local": "shoal.protocol.suppression.partition:LOCAL",
    "nearest": "shoal.protocol.suppression.partition:NEAREST",
    "meyerson-williams": "shoal.protocol.suppression.partition:MEYERSON_WILLIAMS",
    "forest": "shoal.protocol.suppression.partition:FOREST",
}


@dataclass(frozen=True)
class Partition(Grouping):
    """A way to form groups from distances."""

    make: Callable[[Distances, int], list[list[int]]]


def partition(name: str, distances: Distances, k: int) -> list[list[int]]:
    """Groups of row numbers, each of at least k, that together are all rows."""
    chosen: Partition = registry.find(CATALOG, name, "partition")
    groups = chosen.make(distances, k)
    return [sorted(int(i) for i in g) for g in sorted(groups, key=min)]


def nearest(distances: Distances, k: int) -> list[list[int]]:
    """Start at the row farthest from the last group, give it its k − 1 nearest, repeat; leftovers join where they cost
    least.
    """
    n = len(distances)
    free = np.ones(n, dtype=bool)
    seed = int(distances.sum(axis=1).argmax())
    groups: list[list[int]] = []
    while free.sum() >= 2 * k or (free.sum() >= k and not groups):
        group = [seed]
        free[seed] = False
        reach = distances[seed].copy()
        total = distances[seed].copy()
        while len(group) < k:
            score = np.where(free, reach * n * n + total, np.iinfo(np.int64).max)
            chosen = int(score.argmin())
            group.append(chosen)
            free[chosen] = False
            np.maximum(reach, distances[chosen], out=reach)
            total += distances[chosen]
        groups.append(group)
        seed = int(np.where(free, total, -1).argmax())
    rest = np.flatnonzero(free).tolist()
    if len(rest) >= k:
        groups.append(rest)
    else:
        for row in rest:
            best = min(
                range(len(groups)), key=lambda g: cost(distances, [*groups[g], row]) - cost(distances, groups[g])
            )
            groups[best].append(row)
    return groups


def cost(distances: Distances, group: Sequence[int]) -> float:
    """An estimate of the starred cells of a group: its size times the estimated number of starred columns."""
    inside = distances[np.ix_(group, group)]
    return float(len(group) * (inside.max() + inside.sum(axis=1).min() / max(len(group) - 1, 1)) / 2)


def local(distances: Distances, k: int, rounds: int = 20) -> list[list[int]]:
    """``nearest``, then moves and swaps of single rows while they lower the estimate; groups of 2k and more are
    split.
    """
    groups = nearest(distances, k)
    costs = [cost(distances, g) for g in groups]
    for _ in range(rounds):
        improved = [improve_row(distances, k, groups, costs, row) for row in range(len(distances))]
        if not any(improved):
            break
    return groups


def improve_row(distances: Distances, k: int, groups: list[list[int]], costs: list[float], row: int) -> bool:
    """Try to move one row to the groups of its near rows, or to swap it with one of theirs."""
    home = next(g for g, members in enumerate(groups) if row in members)
    group_of = {i: g for g, members in enumerate(groups) for i in members}
    near = np.argsort(distances[row], kind="stable")[: 4 * k]
    for other in dict.fromkeys(group_of[int(i)] for i in near):
        if other == home:
            continue
        if len(groups[home]) > k and attempt(distances, k, groups, costs, home, other, row, None):
            return True
        for guest in list(groups[other]):
            if attempt(distances, k, groups, costs, home, other, row, guest):
                return True
    return False


def attempt(
    distances: Distances,
    k: int,
    groups: list[list[int]],
    costs: list[float],
    home: int,
    other: int,
    row: int,
    guest: int | None,
) -> bool:
    """Carry out a move or swap if it lowers the estimate."""
    back = [] if guest is None else [guest]
    new_home = [i for i in groups[home] if i != row] + back
    new_other = [i for i in groups[other] if i != guest] + [row]
    a, b = cost(distances, new_home), cost(distances, new_other)
    if a + b >= costs[home] + costs[other] - 1e-9:
        return False
    groups[home], groups[other], costs[home], costs[other] = new_home, new_other, a, b
    return True


def meyerson_williams(distances: Distances, k: int) -> list[list[int]]:
    """The paper's choice: greedy cover by balls of small radius, turned into a partition."""
    from shoal.algorithms.meyerson_williams import partition as cover

    return by_label(cover(distances, len(distances), k))


def forest(distances: Distances, k: int) -> list[list[int]]:
    """FOREST and its decomposition: as for tables, here on the distances themselves."""
    from shoal import kernels

    n = len(distances)
    order = np.argsort(distances - np.eye(n, dtype=np.int64), axis=1, kind="stable")[:, 1:k]
    index = np.ascontiguousarray(order, dtype=np.int32)
    near = np.ascontiguousarray(np.take_along_axis(distances, order, axis=1), dtype=np.float64)
    to, length = kernels.grow_forest(np.ones(n, dtype=np.int64), k, index, near)
    return by_label(kernels.decompose(to, length, k))


def by_label(labels: NDArray[np.int32]) -> list[list[int]]:
    """Groups from the group number of each row."""
    return [np.flatnonzero(labels == g).tolist() for g in np.unique(labels)]


def factor_of_balls(k: int, columns: int) -> float:
    from shoal.algorithms.meyerson_williams import factor

    return factor(k)


def factor_of_forest(k: int, columns: int) -> float:
    from shoal.algorithms.forest import factor

    return float(factor(k))


LOCAL = Partition(
    "local",
    "Nearest rows, then moves and swaps",
    "ours",
    "none is known for moves and swaps of single rows",
    lambda k, columns: None,
    local,
)
NEAREST = Partition(
    "nearest",
    "A far row with its nearest, again and again",
    "ours",
    "none is known for groups of nearest rows",
    lambda k, columns: None,
    nearest,
)
MEYERSON_WILLIAMS = Partition(
    "meyerson-williams",
    "Cover by balls around rows",
    "Zhong, Yang and Wright 2005, section 5.1.2; Meyerson and Williams 2004, theorem 4.2",
    "(2k − 1)² / k · H(2k − 1) times the starred cells, k being the least size of a group",
    factor_of_balls,
    meyerson_williams,
)
FOREST = Partition(
    "forest",
    "Forest of nearest neighbours",
    "Aggarwal et al. 2005, section 4",
    "max(2k − 1, 3k − 5) times the starred cells, k being the least size of a group",
    factor_of_forest,
    forest,
)
