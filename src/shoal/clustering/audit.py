"""The audit of a clustering that somebody published: its sizes and radii against the original, and its bound against a
proof.

Who is in which cluster is not published. What is checked is that it can be true: that rows can be placed into the
clusters so that each has the size, and lies within the radius, that it shows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from shoal import clustering, io, registry
from shoal.clustering.asked import Asked, ask, check_sharing, setup_costs
from shoal.clustering.base import Method, Task
from shoal.clustering.points import Floats, Longs
from shoal.clustering.proof import case_of, most_bytes, points_of_rows
from shoal.clustering.proof_check import Case, check
from shoal.clustering.publish import own_names
from shoal.clustering.run import place
from shoal.clustering.sensitive_check import check_criteria
from shoal.clustering.shown import NEAR, Values, can_flow, is_within, most_placed, values_of
from shoal.clustering.verify import distance
from shoal.errors import DataError, NotAnonymous
from shoal.proof.file import unpack_prices
from shoal.table import Table
from shoal.text.cells import as_text

MISFIT = "The clusters cannot be true: the rows of the original do not fit into clusters of these sizes and radii."


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
    kept: tuple[str, ...] = ()
    """What was asked of the sensitive values, and every cluster keeps."""

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
    sharing: bool = False,
    quasi_identifiers: Any = None,
    sensitive: Any = None,
    identifiers: Any = None,
    metric: Any = None,
    hierarchies: Any = None,
    missing_values: Any = None,
    require: Any = None,
    policy: Any = None,
    proof: str | Path | None = None,
    **shorthands: Any,
) -> Audited:
    """Check a table of clusters against its original, with what it was made by; and the bound, where there is a
    ``proof``.

    Raises :class:`shoal.NotAnonymous` where it cannot be true. Nothing but prices is taken from a proof.
    """
    chosen: Method = registry.find(clustering.CATALOG, method, "method")
    table, after = io.read(original), io.read(published)
    asked = ask(
        table, chosen, r=r, max_clusters=max_clusters, outliers=outliers, centers=centers, policy=policy,
        quasi_identifiers=quasi_identifiers, sensitive=sensitive, identifiers=identifiers,
        missing_values=missing_values, require=require, **shorthands,
    )  # fmt: skip
    table = asked.policy.with_missing(table)
    placed = place(table, asked, metric, None, hierarchies)
    n = placed.points.n_rows
    if sharing:
        check_sharing(chosen, asked)
    setup = setup_costs(table, placed, chosen, asked, setup_cost)
    task = Task(placed.points, asked.r, asked.centres, max_clusters, asked.most_outliers(n), setup, sharing=sharing)
    case = case_of(placed, task, chosen.name == "cellular")
    own = own_names([*asked.qi, *(c for c in after.columns if c in table.columns and c not in asked.qi)])
    sizes = _whole_numbers(after.frame, own["size"])
    _check_sizes(sizes, task, n)
    apart = _to_centres(case, after.frame)
    _check_centres(case, apart, after)
    published_names = [own[name] for name in ("size", "radius")[: 1 + chosen.publishes_radius]]
    shared = _shown_columns(asked, table, after, published_names, policy is not None)
    if sharing and shared:
        raise NotAnonymous(
            f"Clusters that share rows show the column '{shared[0]}', which tells the rows that they have in common."
        )
    values = [values_of(table, after, name, points_of_rows(placed), sizes) for name in shared]
    radii = (
        _numbers(after.frame, own["radius"]) if chosen.publishes_radius else _least_radius(case, apart, sizes, values)
    )
    n_left_out = _least_left_out(case, apart, sizes, radii) if sharing else n - int(sizes.sum())
    if n_left_out > task.max_outliers:
        raise NotAnonymous(MISFIT)
    if not sharing:
        _check_fit(case, apart, sizes, radii, values)
    kept = check_criteria(table, after.frame, asked.policy)
    cost = _cost(case, apart, sizes, radii)
    bound = None if proof is None else _proved(case, proof, cost)
    return Audited(n, len(sizes), int(sizes.min()) if len(sizes) else 0, n_left_out, cost, bound, kept)


def _check_centres(case: Case, apart: Floats, after: Table) -> None:
    """Where centres are rows, each cluster shows one."""
    if not case.any_centre and ((apart > 0).all(axis=0).any() or not _are_cells(case, after.frame)):
        raise NotAnonymous(
            "The clusters cannot be true: centres were to be rows of the original, and a cluster shows what no row has."
        )


def _proved(case: Case, proof: str | Path, cost: float) -> float:
    """The bound that a proof proves, which no clustering can cost less than."""
    bound = check(case, unpack_prices(proof, most_bytes(case)))
    if cost < bound * (1 - NEAR) - NEAR:
        raise NotAnonymous(
            f"The proof does not hold: the clustering costs {cost:,.6g} and the proof claims at least {bound:,.6g}."
        )
    return bound


def _shown_columns(asked: Asked, table: Table, after: Table, own: list[str], is_policy: bool) -> list[str]:
    """The sensitive columns that are shown: those that were named, no identifiers, and no others, where it was said
    which are sensitive.
    """
    shared = [name for name in after.columns if name in table.columns and name not in asked.qi]
    lacking = [name for name in asked.sensitive if name not in shared]
    if lacking:
        raise NotAnonymous(f"The table of clusters lacks the sensitive column '{lacking[0]}'.")
    named = set(asked.policy.named("identifier"))
    wrong = [
        name for name in shared if name in named or (name not in asked.sensitive and (asked.sensitive or is_policy))
    ]
    if wrong:
        raise NotAnonymous(
            f"The table of clusters shows the column '{wrong[0]}', which is neither a quasi-identifier nor sensitive."
        )
    other = [name for name in after.columns if name not in {*asked.qi, *shared, *own}]
    if other:
        raise NotAnonymous(f"The table of clusters has a column '{other[0]}', of which the original knows nothing.")
    return shared


def _numbers(frame: pl.DataFrame, name: str) -> Floats:
    if name not in frame.columns:
        raise DataError(
            f"The table of clusters has no column '{name}'. Give the one that 'shoal cluster' wrote, without --long."
        )
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
        raise NotAnonymous(
            f"{small} of {len(sizes)} clusters have fewer than {task.r} rows (the smallest has {int(sizes.min())})."
        )
    most = n * len(sizes) if task.sharing else n
    if not n - task.max_outliers <= int(sizes.sum()) <= most:
        raise NotAnonymous(
            f"The clusters hold {int(sizes.sum())} rows: the original has {n}, and {task.max_outliers} may be left out."
        )
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
            pairs = np.array([[distance(column, value, label) for label in labels] for value in column.values]).reshape(
                -1, len(labels)
            )
        except (ValueError, IndexError):
            raise NotAnonymous(f"Column '{column.name}': a cluster shows what is not a value of it.") from None
        part = pairs[case.codes[:, j]][:, [number[label] for label in shown.to_list()]]
        total = (
            np.maximum(total, part)
            if case.combine == "largest"
            else total + (part**2 if case.combine == "euclid" else part)
        )
    return np.asarray(np.sqrt(total) if case.combine == "euclid" else total)


def _are_cells(case: Case, frame: pl.DataFrame) -> bool:
    """Whether centres show cells of the original as they are written there: 020 is another text than 20."""
    return all(set(as_text(frame[column.name])) <= set(column.values) for column in case.columns)


def _can_be_placed(case: Case, apart: Floats, sizes: Longs, radii: Floats) -> bool:
    """Whether rows can be placed into the clusters, each within its cluster's radius, so that all sizes are met: a
    flow.
    """
    at, to = np.nonzero(is_within(apart, radii))
    return can_flow(case.weight, sizes, at, to)


def _least_left_out(case: Case, apart: Floats, sizes: Longs, radii: Floats) -> int:
    """Where clusters may share rows: how many rows are in none at least, if each cluster has its size in different rows
    within its radius.

    Rows that are placed once fill clusters up to their sizes; what is lacking is filled with rows that others have.
    """
    within = is_within(apart, radii)
    if (case.weight @ within < sizes).any():
        return int(case.weight.sum())
    at, to = np.nonzero(within)
    return int(case.weight.sum()) - most_placed(case.weight, sizes, at, to)


def _check_fit(case: Case, apart: Floats, sizes: Longs, radii: Floats, values: Sequence[Values]) -> None:
    """Raise :class:`NotAnonymous` unless rows, and for each sensitive column rows with the values shown, fit into the
    clusters.
    """
    if not _can_be_placed(case, apart, sizes, radii):
        raise NotAnonymous(MISFIT)
    for column in values:
        if not column.can_be(is_within(apart, radii)):
            raise NotAnonymous(
                f"Column '{column.name}': the clusters show values that rows within their radii do not have, or not so "
                "often."
            )


def _least_radius(case: Case, apart: Floats, sizes: Longs, values: Sequence[Values]) -> Floats:
    """The least radius at which all fits, the same for all clusters, where each cluster's own is not published; the
    largest distance, if none does.
    """
    radii = np.unique(apart)
    low, high = 0, len(radii) - 1
    while low < high:
        middle = (low + high) // 2
        try:
            _check_fit(case, apart, sizes, np.full(len(sizes), radii[middle]), values)
            high = middle
        except NotAnonymous:
            low = middle + 1
    return np.full(len(sizes), float(radii[low]) if len(radii) else 0.0)


def _cost(case: Case, apart: Floats, sizes: Longs, radii: Floats) -> float:
    if not case.is_total:
        return float(radii.max(initial=0.0))
    setup = case.setup[np.argmin(apart, axis=0)] if len(sizes) else np.zeros(0)
    return float(setup.sum() + (sizes * radii).sum())
