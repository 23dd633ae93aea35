"""What an analyst loses: how strongly pairs of columns go together, before and after."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.problem import QuasiIdentifier
from shoal.reader.reading import Reading
from shoal.release.release import Release
from shoal.report.together import associations, names_of_pairs

Floats = NDArray[np.float64]


def pair_table(release: Release, reading: Reading) -> list[dict[str, Any]]:
    """For each pair of quasi-identifiers and sensitive columns: Cramér's V, the error of their table of counts, and the correlation of numbers."""
    names = names_of_pairs(release)
    numbers_before = {name: values for name in names if (values := _numbers(release, name)) is not None}
    numbers_after = {name: _numbers_after(release, name, values) for name, values in numbers_before.items()}
    table = []
    for row in associations(release, reading, for_owner=True):
        a, b = row["a"], row["b"]
        if a in numbers_before and b in numbers_before:
            row["correlation"] = {
                "before": correlation(numbers_before[a], numbers_before[b]),
                "after": correlation(numbers_after[a], numbers_after[b]),
            }
        table.append(row)
    return table


def correlation(a: Floats, b: Floats) -> float | None:
    """Pearson's correlation; None where a column is constant."""
    known = ~(np.isnan(a) | np.isnan(b))
    a, b = a[known], b[known]
    if len(a) < 2 or a.std() == 0 or b.std() == 0:
        return None
    return float(np.corrcoef(a, b)[0, 1])


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
