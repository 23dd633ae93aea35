"""What an analyst loses: how strongly pairs of columns go together, before and after."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.problem import QuasiIdentifier
from shoal.reader.reading import Reading
from shoal.release.counted import CountedRelease
from shoal.release.release import Release
from shoal.report.once import coded_after, coded_before
from shoal.report.together import associations, names_of_pairs
from shoal.table import Coded
from shoal.text.numbers import has_leading_zeros

Floats = NDArray[np.float64]


def pair_table(release: Release | CountedRelease, reading: Reading) -> list[dict[str, Any]]:
    """For each pair of quasi-identifiers and sensitive columns:

    Cramér's V, the error of their table of counts, and the correlation of numbers.
    """
    names = names_of_pairs(release)
    times = coded_before(release, names[0]).rows if names else None
    numbers_before = {name: values for name in names if (values := _numbers(coded_before(release, name))) is not None}
    numbers_after = {name: _numbers_after(release, name) for name in numbers_before}
    table = []
    for row in associations(release, reading, for_owner=True):
        a, b = row["a"], row["b"]
        if a in numbers_before and b in numbers_before:
            row["correlation"] = {
                "before": correlation(numbers_before[a], numbers_before[b], times),
                "after": correlation(numbers_after[a], numbers_after[b], release.times),
            }
        table.append(row)
    return table


def correlation(a: Floats, b: Floats, times: NDArray[np.int64] | None = None) -> float | None:
    """Pearson's correlation; None where a column is constant. With ``times``, each entry stands for so many rows."""
    known = ~(np.isnan(a) | np.isnan(b))
    a, b = a[known], b[known]
    if len(a) < 2 or a.std() == 0 or b.std() == 0:
        return None
    found = np.cov(a, b, fweights=None if times is None else times[known])
    return float(found[0, 1] / np.sqrt(found[0, 0] * found[1, 1]))


def _numbers(coded: Coded) -> Floats | None:
    """A column as numbers, NaN where missing; None if it is not of numbers.

    Codes with zeros in front are no numbers.
    """
    if has_leading_zeros(coded.values):
        return None
    values = coded.values.cast(float, strict=False)
    if len(values) == 0 or values.null_count():
        return None
    return np.append(values.to_numpy(), np.nan)[coded.codes]


def _numbers_after(release: Release | CountedRelease, name: str) -> Floats:
    """What an analyst would put for a generalized number: the mean of the original values below its node.

    A column that is kept has its numbers.
    """
    column = next((j for j, c in enumerate(release.problem.columns) if c.name == name), None)
    if column is None:
        found = _numbers(coded_after(release, name))
        assert found is not None
        return found
    means = _means(release.problem.columns[column], release, column)
    return means[release.groups]


def _means(column: QuasiIdentifier, release: Release | CountedRelease, j: int) -> Floats:
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
