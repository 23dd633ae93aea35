"""One row and its group: whom it hides among, and why its cells could not be finer."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.hierarchies.tree import Tree
from shoal.release.release import Release

Longs = NDArray[np.int64]
MOST_SHOWN = 4


@dataclass(frozen=True)
class Why:
    """A column that became coarser in this group."""

    column: str
    label: str
    words: str


@dataclass(frozen=True)
class Hiding:
    """The rows that look like one row."""

    row: int
    n_rows: int
    k: int
    why: tuple[Why, ...]
    others: tuple[tuple[str, tuple[tuple[str, int], ...]], ...]
    """For each sensitive column, its values in the group and how many rows have each."""
    members: tuple[int, ...]
    """Some rows of the group, by their place in the table."""


def group_of(release: Release, row: int, most: int = 20) -> Hiding | None:
    """The group of a row of the original; None if it was withheld."""
    at = int(np.searchsorted(release.rows, row))
    if at >= len(release.rows) or release.rows[at] != row:
        return None
    inside = np.flatnonzero(release.groups == release.groups[at])
    rows = release.rows[inside]
    why = [found for j in range(release.problem.n_columns) if (found := _why(release, j, at, rows)) is not None]
    watched = []
    for name in release.policy.named("sensitive"):
        counted = Counter(
            "(missing)" if v is None else str(v) for v in release.original.column(name).gather(rows[:100_000]).to_list()
        )
        watched.append((name, tuple(counted.most_common(8))))
    return Hiding(row, len(rows), release.problem.k, tuple(why), tuple(watched), tuple(rows[:most].tolist()))


def _why(release: Release, j: int, at: int, rows: Longs) -> Why | None:
    """What would happen to the group if this column were one step finer; None where the cell is as it was."""
    column = release.problem.columns[j]
    label = release.frame.get_column(column.name)[at]
    leaves = release.problem.codes[release.problem.tuple_of_unit[release.kinds[rows]], j]
    if label is None or (len(np.unique(leaves)) == 1 and str(label) == column.tree.labels[int(leaves[0])]):
        return None
    if column.free is not None:
        return Why(
            column.name,
            str(label),
            f"its {len(rows):,} rows hold {len(np.unique(leaves)):,} different values, and anything narrower leaves "
            "some of them out",
        )
    parts = Counter(_below(column.tree, leaves, str(label)).tolist())
    return Why(column.name, str(label), _words(column.tree, parts, release.problem.k, len(rows)))


def _below(tree: Tree, leaves: NDArray[np.int32], label: str) -> NDArray[np.int32]:
    """For each leaf, the node one step below the node of this label."""
    node = leaves.astype(np.int32)
    while True:
        up = tree.parent[node]
        is_there = np.array([tree.labels[v] == label for v in up.tolist()]) | (up == tree.root)
        if is_there.all():
            return node
        node = np.where(is_there, node, up)


def _words(tree: Tree, parts: Counter[int], k: int, n_rows: int) -> str:
    if len(parts) == 1:
        return "a finer label would hold the same rows; the search chose this one, or a promise asks for it"
    shown = ", ".join(
        f"{'(missing)' if tree.labels[v] is None else tree.labels[v]}: {n:,}" for v, n in parts.most_common(MOST_SHOWN)
    )
    more = f" and {len(parts) - MOST_SHOWN:,} more" if len(parts) > MOST_SHOWN else ""
    small = [n for n in parts.values() if n < k]
    split = f"one step finer, the {n_rows:,} rows fall apart ({shown}{more})"
    if small:
        return f"{split}: {'one part' if len(small) == 1 else f'{len(small):,} parts'} of fewer than {k}"
    return f"{split}; each part would be large enough by itself, but the search found nothing that costs less in all"
