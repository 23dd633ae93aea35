"""Demands on sensitive values: whether groups meet them, and how groups that do not are merged until they do.

Every criterion is closed under merging (two groups that satisfy it satisfy it together), so a group that breaks one is merged
with whatever costs least, again and again; if even the whole table breaks it, nothing can be released.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal import kernels
from shoal.errors import Infeasible
from shoal.privacy.base import histogram
from shoal.problem import Ints, Problem, Watch, sizes_of

CANDIDATES = 64
"""How many other groups are priced for one that must be merged."""


def are_met(problem: Problem, group: Ints) -> NDArray[np.bool_]:
    """Whether each group 0 … has at least k rows and satisfies every demand; groups must be numbered without gaps."""
    n_groups = int(group.max(initial=-1)) + 1
    fine = sizes_of(problem, group, n_groups) >= problem.k
    for demand, value in zip(problem.demands, problem.sensitive, strict=True):
        fine &= demand.is_met(histogram(group, value, n_groups, rows=problem.rows_of_unit))
    return fine


def check_whole(problem: Problem) -> None:
    """Raise :class:`Infeasible` if the whole table as one group breaks a demand: then every release does."""
    one = np.zeros(problem.n_units, dtype=np.int32)
    for demand, value in zip(problem.demands, problem.sensitive, strict=True):
        counts = histogram(one, value, 1, rows=problem.rows_of_unit)
        if problem.n_rows and not demand.is_met(counts)[0]:
            reached = float(demand.reached(counts)[0])
            raise Infeasible(
                f"The whole table of {problem.n_rows} rows, as one group, reaches only {reached:.4g} of {demand.text()}, "
                f"with {len(counts.value)} different values: no release can do better. Ask for less, or leave this demand out."
            )


def satisfy(problem: Problem, group: Ints, watch: Watch) -> Ints:
    """Merge groups below k or against a demand with the group that makes it cheapest, until all are met.

    Rows that were withheld (−1) stay so. Raises :class:`Infeasible` if the whole table breaks a demand.
    """
    check_whole(problem)
    kept = group >= 0
    if not kept.any():
        return group
    labels = numbered(group)
    while True:
        fine = are_met(problem, labels)
        n_groups = len(fine)
        if fine.all() or n_groups == 1:
            break
        watch.tell("demands", float(fine.mean()))
        labels = merge_once(problem, labels, fine)
    if not fine.all():  # the rows kept are too few for what all rows together reach
        labels = np.where(labels < 0, 0, labels).astype(np.int32)
    return labels


def numbered(group: Ints) -> Ints:
    """Groups numbered without gaps, −1 kept."""
    out = np.full(len(group), -1, dtype=np.int32)
    kept = group >= 0
    out[kept] = np.unique(group[kept], return_inverse=True)[1]
    return out


def merge_once(problem: Problem, group: Ints, fine: NDArray[np.bool_]) -> Ints:
    """Each group that breaks a demand joins the candidate that adds least; chains of such joins become one group."""
    n_groups = len(fine)
    kept = np.flatnonzero(group >= 0)
    nodes = kernels.closures(problem.packed, problem.codes, problem.tuple_of_unit[kept], group[kept], n_groups)
    size = sizes_of(problem, group, n_groups)
    order = np.lexsort(nodes.T)
    place = np.empty(n_groups, dtype=np.int64)
    place[order] = np.arange(n_groups)
    rng = np.random.default_rng(problem.seed)
    target = np.arange(n_groups)
    for g in np.flatnonzero(~fine):
        beside = order[np.unique(np.clip(place[g] + np.arange(-CANDIDATES // 4, CANDIDATES // 4 + 1), 0, n_groups - 1))]
        others = np.unique(np.concatenate([beside, rng.integers(0, n_groups, CANDIDATES // 2)]))
        others = others[others != g]
        if len(others):
            target[g] = others[np.argmin(added(problem, nodes, size, int(g), others))]
    return numbered(
        roots(target)[group].astype(np.int32) if (group >= 0).all() else np.where(group < 0, -1, roots(target)[group]).astype(np.int32)
    )


def added(problem: Problem, nodes: Ints, size: NDArray[np.int64], g: int, others: NDArray[np.int64]) -> NDArray[np.float64]:
    """What merging a group with each of some others adds to the loss."""
    pair = np.concatenate([np.repeat(g, len(others)), others]).astype(np.int32)
    label = np.tile(np.arange(len(others), dtype=np.int32), 2)
    joined = kernels.closures(problem.packed, nodes, pair, label, len(others))
    total = np.zeros(len(others))
    for j, column in enumerate(problem.columns):
        both = column.price[joined[:, j]]
        total += (size[g] + size[others]) * both - size[others] * column.price[nodes[others, j]]
    return total


def roots(target: NDArray[np.int64]) -> NDArray[np.int64]:
    """The smallest group that each chain of joins leads to; two groups that join each other become one."""
    label = np.arange(len(target))
    while True:
        low = np.minimum(label, label[target])
        np.minimum.at(low, target, label)
        low = low[low]
        if (low == label).all():
            return label
        label = low
