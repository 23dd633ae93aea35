"""The audit of a clustering that somebody published: its sizes and radii against the original, and its bound against a proof.

Who is in which cluster is not published. What is checked is that it can be true: that rows can be placed into the clusters so that each has
the size, and lies within the radius, that it shows.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from shoal import clustering, io, registry
from shoal.clustering.asked import ask, setup_costs
from shoal.clustering.base import Method, Task
from shoal.clustering.points import Floats, Longs
from shoal.clustering.proof import case_of, most_bytes, points_of_rows
from shoal.clustering.proof_check import Case, check
from shoal.clustering.publish import own_names
from shoal.clustering.run import place
from shoal.clustering.shown import NEAR, can_flow, check_shown, is_within
from shoal.clustering.verify import distance
from shoal.errors import DataError, NotAnonymous
from shoal.release.proof_file import unpack_prices
from shoal.table.text import as_text


@dataclass(frozen=True)
class Audited:
    """What the audit of a clustering found."""

    n_rows: int
    n_clusters: int
    smallest_cluster: int
    n_outliers: int
    cost: float
    """By the sizes and radii that it shows; for the largest radius, the least one that its centres allow."""
    lower_bound: float | None
    """What the proof proves, where one was given."""

    @property
    def ratio(self) -> float | None:
        if self.lower_bound is None or (self.lower_bound <= 0 and self.cost > 0):
            return None
        return self.cost / self.lower_bound if self.lower_bound > 0 else 1.0


def verify_clustering(
    original: Any,
    published: Any,
    *,
    method: str = "gather",
    r: int | None = None,
    max_clusters: int | None = None,
    outliers: Any = None,
    centers: str | None = None,
    setup_cost: Any = None,
    quasi_identifiers: Any = None,
    metric: Any = None,
    hierarchies: Any = None,
    policy: Any = None,
    proof: str | Path | None = None,
) -> Audited:
    """Check a table of clusters against its original, with what it was made by; and the bound, where there is a ``proof``.

    Raises :class:`shoal.NotAnonymous` where it cannot be true. Nothing but prices is taken from a proof.
    """
    chosen: Method = registry.find(clustering.CATALOG, method, "method")
    table, after = io.read(original), io.read(published)
    asked = ask(table, chosen, r, max_clusters, outliers, centers, policy, quasi_identifiers, None, None, "list")
    placed = place(table, asked, metric, None, hierarchies)
    n = placed.points.n_rows
    setup = setup_costs(table, placed, chosen, asked, setup_cost)
    task = Task(placed.points, asked.r, asked.centres, max_clusters, asked.most_outliers(n), setup)
    case = case_of(placed, task, chosen.name == "cellular")
    own = own_names([*asked.qi, *(c for c in after.columns if c in table.columns and c not in asked.qi)])
    sizes = _whole_numbers(after.frame, own["size"])
    _check_sizes(sizes, task, n)
    apart = _to_centres(case, after.frame)
    if not case.any_centre and (apart > 0).all(axis=0).any():
        raise NotAnonymous("The clusters cannot be true: centres were to be rows of the original, and a cluster shows what no row has.")
    radii = _numbers(after.frame, own["radius"]) if chosen.publishes_radius else np.full(len(sizes), _least_radius(case, apart, sizes))
    if not _can_be_placed(case, apart, sizes, radii):
        raise NotAnonymous("The clusters cannot be true: the rows of the original do not fit into clusters of these sizes and radii.")
    shared = [name for name in after.columns if name in table.columns and name not in asked.qi]
    ours = {*asked.qi, *shared, own["size"], *([own["radius"]] if chosen.publishes_radius else [])}
    other = [name for name in after.columns if name not in ours]
    if other:
        raise NotAnonymous(f"The table of clusters has a column '{other[0]}', of which the original knows nothing.")
    for name in shared:
        check_shown(table, after, name, points_of_rows(placed), apart, sizes, radii)
    bound = None if proof is None else check(case, unpack_prices(proof, most_bytes(case)))
    cost = _cost(case, apart, sizes, radii)
    if bound is not None and cost < bound * (1 - NEAR) - NEAR:
        raise NotAnonymous(f"The proof does not hold: the clustering costs {cost:,.6g} and the proof claims at least {bound:,.6g}.")
    return Audited(n, len(sizes), int(sizes.min()) if len(sizes) else 0, n - int(sizes.sum()), cost, bound)


def _numbers(frame: pl.DataFrame, name: str) -> Floats:
    if name not in frame.columns:
        raise DataError(f"The table of clusters has no column '{name}'. Give the one that 'shoal cluster' wrote, without --long.")
    numbers = frame[name].cast(pl.Float64, strict=False)
    if numbers.null_count() or not numbers.is_finite().all() or (numbers < 0).any():
        raise DataError(f"The column '{name}' of the clusters has cells that are not sizes or radii.")
    return numbers.to_numpy()


def _whole_numbers(frame: pl.DataFrame, name: str) -> Longs:
    numbers = _numbers(frame, name)
    if (numbers != np.floor(numbers)).any():
        raise DataError(f"The column '{name}' of the clusters has cells that are not sizes or radii.")
    return numbers.astype(np.int64)


def _check_sizes(sizes: Longs, task: Task, n: int) -> None:
    small = int((sizes < task.r).sum())
    if small:
        raise NotAnonymous(f"{small} of {len(sizes)} clusters have fewer than {task.r} rows (the smallest has {int(sizes.min())}).")
    if not n - task.max_outliers <= int(sizes.sum()) <= n:
        raise NotAnonymous(f"The clusters hold {int(sizes.sum())} rows: the original has {n}, and {task.max_outliers} may be left out.")
    if task.max_clusters is not None and len(sizes) > task.max_clusters:
        raise NotAnonymous(f"There are {len(sizes)} clusters, and at most {task.max_clusters} were asked for.")


def _to_centres(case: Case, frame: pl.DataFrame) -> Floats:
    """The distance of every point to what each cluster shows, from the texts: shape (n_points, n_clusters)."""
    total = np.zeros((len(case.weight), frame.height))
    for j, column in enumerate(case.columns):
        if column.name not in frame.columns:
            raise DataError(f"The table of clusters has no column '{column.name}'.")
        shown = as_text(frame[column.name])
        labels = shown.unique(maintain_order=True).to_list()
        if column.kind == "category" and not set(labels) <= set(column.values):
            raise NotAnonymous(f"Column '{column.name}': a cluster shows what is not a value of it.")
        number = {label: i for i, label in enumerate(labels)}
        try:
            pairs = np.array([[distance(column, value, label) for label in labels] for value in column.values]).reshape(-1, len(labels))
        except (ValueError, IndexError):
            raise NotAnonymous(f"Column '{column.name}': a cluster shows what is not a value of it.") from None
        part = pairs[case.codes[:, j]][:, [number[label] for label in shown.to_list()]]
        total = np.maximum(total, part) if case.combine == "largest" else total + (part**2 if case.combine == "euclid" else part)
    return np.asarray(np.sqrt(total) if case.combine == "euclid" else total)


def _can_be_placed(case: Case, apart: Floats, sizes: Longs, radii: Floats) -> bool:
    """Whether rows can be placed into the clusters, each within its cluster's radius, so that all sizes are met: a flow."""
    at, to = np.nonzero(is_within(apart, radii))
    return can_flow(case.weight, sizes, at, to)


def _least_radius(case: Case, apart: Floats, sizes: Longs) -> float:
    """The least radius at which rows can be placed, where each cluster's own is not published."""
    radii = np.unique(apart)
    low, high = 0, len(radii) - 1
    while low < high:
        middle = (low + high) // 2
        if _can_be_placed(case, apart, sizes, np.full(len(sizes), radii[middle])):
            high = middle
        else:
            low = middle + 1
    return float(radii[low]) if len(radii) else 0.0


def _cost(case: Case, apart: Floats, sizes: Longs, radii: Floats) -> float:
    if not case.is_total:
        return float(radii.max(initial=0.0))
    setup = case.setup[np.argmin(apart, axis=0)] if len(sizes) else np.zeros(0)
    return float(setup.sum() + (sizes * radii).sum())
