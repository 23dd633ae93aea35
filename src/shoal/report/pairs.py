"""What an analyst loses: how strongly pairs of columns go together, before and after."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from shoal.problem import QuasiIdentifier
from shoal.release.release import Release
from shoal.table.fold import fold

if TYPE_CHECKING:
    from scipy import sparse

MOST_COLUMNS = 12
LARGEST_TABLE = 250_000

Longs = NDArray[np.int64]
Floats = NDArray[np.float64]


def pair_table(release: Release) -> list[dict[str, Any]]:
    """For each pair of quasi-identifiers and sensitive columns: Cramér's V, the error of their table of counts, and the correlation of numbers."""
    names = [c.name for c in release.problem.columns][:MOST_COLUMNS]
    names += [name for name in release.policy.named("sensitive") if len(names) < MOST_COLUMNS]
    before = {name: release.original.coded(name).codes[release.rows].astype(np.int64) for name in names}
    after = {name: _codes(release, name) for name in names}
    numbers_before = {name: values for name in names if (values := _numbers(release, name)) is not None}
    numbers_after = {name: _numbers_after(release, name, values) for name, values in numbers_before.items()}
    spreads = {name: spread(release, name) for name in names}
    table = []
    for a, b in combinations(names, 2):
        row: dict[str, Any] = {
            "a": a,
            "b": b,
            "association": {"before": cramers_v(before[a], before[b]), "after": cramers_v(after[a], after[b])},
            "misplaced": misplaced(spreads[a], spreads[b]),
        }
        if a in numbers_before and b in numbers_before:
            row["correlation"] = {
                "before": correlation(numbers_before[a], numbers_before[b]),
                "after": correlation(numbers_after[a], numbers_after[b]),
            }
        table.append(row)
    return table


def cramers_v(a: Longs, b: Longs) -> float:
    """Cramér's V with the bias correction of Bergsma (2013): 0 for independent columns, 1 where one decides the other."""
    n = len(a)
    if n < 2:
        return 0.0
    pairs, weight, _ = fold([a, b])
    rows, row_of = np.unique(pairs[:, 0], return_inverse=True)
    columns, column_of = np.unique(pairs[:, 1], return_inverse=True)
    r, c = len(rows), len(columns)
    in_row, in_column = np.bincount(row_of, weights=weight), np.bincount(column_of, weights=weight)
    phi2 = float((weight.astype(float) ** 2 / (in_row[row_of] * in_column[column_of])).sum()) - 1.0
    phi2 = max(phi2 - (r - 1) * (c - 1) / (n - 1), 0.0)
    least = min(r - (r - 1) ** 2 / (n - 1), c - (c - 1) ** 2 / (n - 1)) - 1.0
    return float(np.sqrt(min(phi2 / least, 1.0))) if least > 0 else 0.0


@dataclass(frozen=True, eq=False)
class Spread:
    """How an analyst reads a column: each row shows ``shown``, and each thing shown stands for values with these shares."""

    own: Longs
    """The value that each row has."""
    shown: Longs
    shares: sparse.csr_array


def spread(release: Release, name: str) -> Spread:
    """A released column over the original's values: a generalized cell as the values it stands for, as often as they occur."""
    from scipy import sparse

    j = next((j for j, c in enumerate(release.problem.columns) if c.name == name), None)
    if j is None:
        codes = release.original.coded(name).codes[release.rows].astype(np.int64) + 1
        return Spread(codes, codes, sparse.eye_array(int(codes.max(initial=0)) + 1, format="csr"))
    column, sets = release.problem.columns[j], release.solution.sets[j]
    if sets is None:
        of, leaf = _below(column)
        n_shown = column.tree.n_nodes
    else:
        of, leaf = np.repeat(np.arange(len(sets.start) - 1), np.diff(sets.start)), sets.leaves.astype(np.int64)
        n_shown = len(sets.start) - 1
    weight = column.count[leaf].astype(float)
    total = np.bincount(of, weights=weight, minlength=n_shown)
    shares = sparse.csr_array((weight / np.maximum(total[of], 1.0), (of, leaf)), shape=(n_shown, column.tree.n_leaves))
    own = release.problem.codes[release.tuples, j].astype(np.int64)
    return Spread(own, release.solution.nodes[:, j].astype(np.int64)[release.groups], shares)


def _below(column: QuasiIdentifier) -> tuple[Longs, Longs]:
    """Every node with every leaf below it."""
    leaves = np.arange(column.tree.n_leaves, dtype=np.int64)
    of, leaf, up = [leaves], [leaves], leaves
    alive = leaves
    while len(alive):
        parent = column.tree.parent[up].astype(np.int64)
        moved = parent != up
        alive, up = alive[moved], parent[moved]
        of.append(up)
        leaf.append(alive)
    return np.concatenate(of), np.concatenate(leaf)


def misplaced(a: Spread, b: Spread) -> float | None:
    """The share of rows in the wrong cell of the two columns' table of counts, if the release is read as :class:`Spread` reads it.

    None where that table would be too large to be of use.
    """
    from scipy import sparse

    n, size = len(a.own), (a.shares.shape[1], b.shares.shape[1])
    if n == 0 or size[0] * size[1] > LARGEST_TABLE:
        return None
    ones = np.ones(n)
    shown = sparse.csr_array((ones, (a.shown, b.shown)), shape=(a.shares.shape[0], b.shares.shape[0]))
    read = (a.shares.T @ shown @ b.shares).toarray()
    true = sparse.csr_array((ones, (a.own, b.own)), shape=size).toarray()
    return float(np.abs(read - true).sum() / (2 * n))


def correlation(a: Floats, b: Floats) -> float | None:
    """Pearson's correlation; None where a column is constant."""
    known = ~(np.isnan(a) | np.isnan(b))
    a, b = a[known], b[known]
    if len(a) < 2 or a.std() == 0 or b.std() == 0:
        return None
    return float(np.corrcoef(a, b)[0, 1])


def _codes(release: Release, name: str) -> Longs:
    from shoal.table.coded import code

    return code(release.frame[name]).codes.astype(np.int64)


def _numbers(release: Release, name: str) -> Floats | None:
    """A column of the original as numbers, NaN where missing; None if it is not of numbers."""
    coded = release.original.coded(name)
    values = coded.values.cast(float, strict=False)
    if len(values) == 0 or values.null_count():
        return None
    return np.append(values.to_numpy(), np.nan)[coded.codes[release.rows]]


def _numbers_after(release: Release, name: str, before: Floats) -> Floats:
    """What an analyst would put for a generalized number: the mean of the original values below its node."""
    column = next((j for j, c in enumerate(release.problem.columns) if c.name == name), None)
    if column is None:
        return before
    means = _means(release.problem.columns[column], release, column)
    return means[release.groups]


def _means(column: QuasiIdentifier, release: Release, j: int) -> Floats:
    """The mean over the values that each group's cell stands for, weighted by how often they occur."""
    leaf = np.array([_number(label) for label in column.tree.labels[: column.tree.n_leaves]])
    known = ~np.isnan(leaf)
    value = np.where(known, leaf, 0.0)
    sets = release.solution.sets[j]
    if sets is None:
        count = column.tree.sum_up(np.where(known, column.count, 0))
        total = np.zeros(column.tree.n_nodes)
        total[: column.tree.n_leaves] = value * np.where(known, column.count, 0)
        for level in column.tree.levels:
            here = np.flatnonzero(column.tree.level[:-1] == level)
            np.add.at(total, column.tree.parent[here], total[here])
    else:
        weight = np.where(known, column.count, 0)[sets.leaves]
        count = np.add.reduceat(weight, sets.start[:-1])
        total = np.add.reduceat(weight * value[sets.leaves], sets.start[:-1])
    mean = np.full(len(count), np.nan)
    np.divide(total, count, out=mean, where=count > 0)
    return mean[release.solution.nodes[:, j]]


def _number(label: str | None) -> float:
    try:
        return float(label) if label is not None else float("nan")
    except ValueError:
        return float("nan")
