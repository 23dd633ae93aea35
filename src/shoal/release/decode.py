"""From a Solution back to a table: codes become texts, rows and untouched columns stay as they came."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from shoal.hierarchies.tree import Tree
from shoal.measures.base import Sets
from shoal.problem import Ints, QuasiIdentifier, Solution
from shoal.table import Table
from shoal.table.once import once
from shoal.text.labels import interval_label, set_label


def decode(table: Table, solution: Solution, groups: Ints, identifiers: Sequence[str]) -> pl.DataFrame:
    """The released table: quasi-identifiers generalized, identifiers dropped, withheld rows left out, all else as it was.

    ``groups`` has the group of each row of the table; −1 where it is withheld.
    """
    kept = np.flatnonzero(groups >= 0)
    group = pl.Series(groups[kept])
    shown = {column.name: column for column in shown_by_groups(solution).iter_columns()}
    rows = table.frame if len(kept) == table.n_rows else table.frame[kept]
    return pl.DataFrame(
        [shown[name].gather(group) if name in shown else rows[name] for name in table.columns if name not in set(identifiers)]
    )


def shown_by_groups(solution: Solution) -> pl.DataFrame:
    """What each group shows, as texts: a row for each group, a column for each quasi-identifier."""
    columns = solution.problem.columns
    return once(solution, ("shown",), lambda: pl.DataFrame([_cells(column, solution, j) for j, column in enumerate(columns)]))


def classes_of_groups(solution: Solution) -> Ints:
    """A number for each group, the same for groups that show the same: to a reader they are one."""
    shown = shown_by_groups(solution)
    if not shown.width:
        return np.zeros(shown.height, dtype=np.int32)
    return shown.select(pl.struct(pl.all()).rank("dense")).to_series().to_numpy().astype(np.int32) - 1


def _cells(column: QuasiIdentifier, solution: Solution, j: int) -> pl.Series:
    sets = solution.sets[j]
    labels: Sequence[str | None]
    if sets is None:
        used, where = np.unique(solution.nodes[:, j], return_inverse=True)
        labels = [column.tree.labels[node] for node in used]
        per_group = where.reshape(-1).astype(np.int32)
    else:
        labels, per_group = _set_labels(column, sets), solution.nodes[:, j]
    return pl.Series(column.name, labels, dtype=pl.String).gather(pl.Series(per_group))


def _set_labels(column: QuasiIdentifier, sets: Sets) -> list[str | None]:
    label = _interval_label if column.free == "interval" else _subset_label
    made: dict[bytes, str | None] = {}
    return [_remember(made, leaves, label, column.tree) for leaves in (sets[i] for i in range(len(sets)))]


def _remember(made: dict[bytes, str | None], leaves: np.ndarray, label: object, tree: Tree) -> str | None:
    key = leaves.tobytes()
    if key not in made:
        if len(leaves) == 1:
            made[key] = tree.labels[int(leaves[0])]
        elif len(leaves) == tree.n_leaves:
            made[key] = "*"
        else:
            made[key] = label(tree, leaves)  # type: ignore[operator]
    return made[key]


def _interval_label(tree: Tree, leaves: np.ndarray) -> str:
    return interval_label(str(tree.labels[int(leaves[0])]), str(tree.labels[int(leaves[-1])]), closed=True)


def _subset_label(tree: Tree, leaves: np.ndarray) -> str:
    return set_label([str(tree.labels[int(leaf)]) for leaf in leaves])
