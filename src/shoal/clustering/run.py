"""cluster(): from a table to a verified clustering, in the order of its steps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from shoal import __version__, clustering, io, registry
from shoal.clock import Clock
from shoal.clustering import publish, verify
from shoal.clustering.asked import Asked, ask, check_sharing, setup_costs
from shoal.clustering.base import Answer, Method, Task
from shoal.clustering.centres import Shown, show
from shoal.clustering.criteria import check_whole, watched
from shoal.clustering.guarantee import guarantee, kind_of
from shoal.clustering.manifest import manifest_of, record_of
from shoal.clustering.merging import kept
from shoal.clustering.points import Found, Longs
from shoal.clustering.result import Clustering
from shoal.clustering.sensitive_check import check_criteria, one_valued
from shoal.clustering.space_of import Placed, from_matrix, from_table
from shoal.errors import DataError, Infeasible, PolicyError
from shoal.judge.gate import KEY
from shoal.policy.policy import Policy
from shoal.table import Table

SHARED = "Shared rows: a row may be counted by several clusters, so the sizes add up to more than the rows."


def cluster(
    data: Any = None,
    *,
    method: str = "gather",
    r: int | None = None,
    max_clusters: int | None = None,
    outliers: float | str | Decimal | Fraction | None = None,
    centers: str | None = None,
    setup_cost: Any = None,
    sharing: bool = False,
    quasi_identifiers: Iterable[str] | None = None,
    sensitive: Iterable[str] | None = None,
    identifiers: Iterable[str] | None = None,
    metric: Any = None,
    hierarchies: Mapping[str, Any] | str | Path | None = None,
    distances: Any = None,
    sensitive_as: str = "list",
    missing_values: Iterable[str] | None = None,
    require: Mapping[str, Any] | None = None,
    policy: Policy | str | Path | None = None,
    **shorthands: Any,
) -> Clustering:
    """Cluster the rows of a table so that each cluster has at least r, and publish the clusters' centres.

    ``data`` is a pandas, polars or pyarrow table, or a path; ``distances``, an n×n array, may stand instead of it or
    beside it. ``method`` is ``gather``, ``center`` (with ``max_clusters``) or ``cellular`` (with ``setup_cost`` if
    wanted); ``outliers`` is the fraction of rows that may be left out; ``sharing`` lets a row be counted by several
    clusters (``cellular``, without sensitive columns); ``centers`` is ``input`` for rows only, or ``any``. ``metric``
    says how far values are apart: a mapping from columns to settings, a TOML file, ``"hamming"``, or a function of two
    rows. ``require`` and the shorthands of criteria are asked of the sensitive values of every cluster. A setting of a
    policy that a clustering does not keep is an error.
    """
    clock = Clock()
    chosen: Method = registry.find(clustering.CATALOG, method, "method")
    with clock("read"):
        table = None if data is None else io.read(data)
    asked = ask(
        table, chosen, r=r, max_clusters=max_clusters, outliers=outliers, centers=centers, sensitive_as=sensitive_as,
        policy=policy,
        quasi_identifiers=quasi_identifiers, sensitive=sensitive, identifiers=identifiers,
        missing_values=missing_values, require=require, **shorthands,
    )  # fmt: skip
    if sharing:
        check_sharing(chosen, asked)
    with clock("encode"):
        table = None if table is None else asked.policy.with_missing(table)
        placed = place(table, asked, metric, distances, hierarchies)
        n = placed.points.n_rows
        if n < asked.r:
            raise Infeasible(f"There are {n} rows, which cannot make a cluster of r={asked.r}. Lower r.")
        setup = setup_costs(table, placed, chosen, asked, setup_cost)
        demands = watched(table, asked.policy, asked.sensitive)
        check_whole(demands)
        task = Task(
            placed.points, asked.r, asked.centres, max_clusters, asked.most_outliers(n), setup, sharing, demands
        )
    with clock("solve"):
        answer = _in_order(kept(chosen.name, task, chosen.solve(task)), placed)
        whole, rows = placed, answer.found.rows
        if rows is not None:  # from here on each row stands as often as clusters count it
            verify.check_rows(rows, answer.found.label, n)
            table, placed = None if table is None else table.over(rows), placed.over(rows)
            answer = replace(answer, found=replace(answer.found, rows=None))
        shown = show(placed, answer.found, asked.centres == "any")
    made = (whole, placed, answer, shown, np.arange(n) if rows is None else rows)
    return _verified(table, chosen, asked, task, made, clock)


def place(table: Table | None, asked: Asked, metric: Any, distances: Any, hierarchies: Any) -> Placed:
    """The rows as points, by the metric that was asked for."""
    if distances is not None:
        if metric is not None or hierarchies is not None:
            raise PolicyError(f"Give distances or {'a metric' if metric is not None else 'hierarchies'}, not both.")
        placed = from_matrix(distances)
        if table is not None and table.n_rows != placed.points.n_rows:
            raise DataError(f"distances is for {placed.points.n_rows} rows, and {table.source} has {table.n_rows}.")
        return placed
    if table is None:
        raise PolicyError("There is nothing to cluster: give a table, or distances.")
    if not asked.qi:
        raise PolicyError(
            "No quasi-identifier was named. Name the columns that outsiders may know with --qi (quasi_identifiers=[…] "
            "in Python)."
        )
    return from_table(table, asked.qi, metric, asked.policy, hierarchies)


def _in_order(answer: Answer, placed: Placed) -> Answer:
    """Clusters in an order that tells nothing about the order of the rows: the largest first, equal ones by the
    position of their centres.
    """
    found = answer.found
    turn = np.lexsort((placed.points.space.order[found.centre], -found.sizes()))
    number = np.empty(len(turn) + 1, dtype=np.int32)
    number[turn] = np.arange(len(turn), dtype=np.int32)
    number[-1] = -1
    return replace(answer, found=replace(found, label=number[found.label], centre=found.centre[turn]))


def _verified(
    table: Table | None,
    method: Method,
    asked: Asked,
    task: Task,
    made: tuple[Placed, Placed, Answer, Shown, Longs],
    clock: Clock,
) -> Clustering:
    """What is to be published, recounted from the original. A result exists only after that.

    ``made``: the rows as points, those that clusters count (a shared row several times), the answer, its centres, and
    the row of each label.
    """
    whole, placed, answer, shown, rows = made
    found = answer.found
    sensitive = asked.sensitive if table is not None else ()
    frame = publish.cluster_table(
        table, placed, found, shown, asked.qi, sensitive, method.publishes_radius, asked.sensitive_as
    )
    of_row = [None if c < 0 else int(c) for c in found.label.tolist()]
    with clock("verify"):
        count = _recounted(table, placed, found, frame, of_row)
        sizes = frame.get_column(publish.own_names([*asked.qi, *sensitive])["size"]).to_list()
        verify.check(
            count,
            r=asked.r,
            most_outliers=task.max_outliers,
            most_clusters=task.max_clusters,
            sizes=sizes,
            radii=shown.radius.tolist(),
        )
        if table is not None:
            verify.check_sensitive(table, frame, sensitive, of_row)
            check_criteria(table, frame, asked.policy)
    long = publish.long_table(table, placed, found, shown, asked.qi, sensitive, method.publishes_radius)
    verdict, long_verdict = verify.seal(table, frame, long, sensitive, of_row)
    members = publish.member_table(table, rows, found, count.to_centre)
    cost = _cost(method, task, found, count)
    ratio = 1.0 if cost == answer.lower_bound == 0 else cost / answer.lower_bound if answer.lower_bound > 0 else None
    figures = _figures(table, placed, method, asked, task, answer, shown, count, cost, ratio, clock)
    figures["one_valued"] = {name: one_valued(frame, name) for name in sensitive}
    figures["release_sha256"] = io.csv_sha256(frame)
    manifest = manifest_of(
        figures, shows_radii=method.publishes_radius, shows_cost=method.publishes_radius and task.setup is None
    )
    clusters = _clusters(placed, found, shown, rows)
    left_out = rows[found.label < 0].tolist()
    witness = (whole, task, answer.proof.get("prices"), method.name == "cellular")
    return Clustering(
        clusters, left_out, cost, answer.lower_bound, ratio, manifest, record_of(figures), frame, long, members,
        verdict, long_verdict,
        kind=table.kind if table is not None else "polars", witness=witness, sketch=(whole, found, shown), key=KEY,
    )  # fmt: skip


def _recounted(
    table: Table | None, placed: Placed, found: Found, frame: pl.DataFrame, of_row: list[int | None]
) -> verify.Recount:
    """The clusters recounted: from the cells of the original, or where it has none from the distances given."""
    if placed.matrix is None:
        assert table is not None
        return verify.recount(table, placed.columns, placed.combine, frame, of_row)
    assert placed.in_matrix is not None
    centre = placed.in_matrix[placed.points.a_row[found.centre]]
    apart = placed.matrix[placed.in_matrix, np.append(centre, 0)[found.label]]
    return verify.tally(found.label.astype(np.int64), np.where(found.label < 0, np.nan, apart), found.n_clusters)


def _cost(method: Method, task: Task, found: Found, count: verify.Recount) -> float:
    """The cost by the recount's figures."""
    if method.name != "cellular":
        return max(count.radii, default=0.0)
    setup = 0.0 if task.setup is None else float(task.setup[found.centre].sum())
    return setup + float(sum(size * radius for size, radius in zip(count.sizes, count.radii, strict=True)))


def _clusters(placed: Placed, found: Found, shown: Shown, rows: Longs) -> list[tuple[int | None, list[int]]]:
    order = np.argsort(found.label, kind="stable")
    start = np.searchsorted(found.label[order], np.arange(found.n_clusters + 1))
    centre = rows[placed.points.a_row[found.centre]].tolist()
    return [
        (int(centre[c]) if shown.is_row[c] else None, rows[order[start[c] : start[c + 1]]].tolist())
        for c in range(found.n_clusters)
    ]


def _figures(
    table: Table | None,
    placed: Placed,
    method: Method,
    asked: Asked,
    task: Task,
    answer: Answer,
    shown: Shown,
    count: verify.Recount,
    cost: float,
    ratio: float | None,
    clock: Clock,
) -> dict[str, Any]:
    named = {*(asked.qi if placed.columns else ()), *asked.sensitive}
    promised = guarantee(kind_of(method.name, task))
    return {
        "shoal": __version__,
        "method": method.name,
        "problem": answer.problem,
        "r": asked.r,
        "max_clusters": task.max_clusters,
        "outliers": str(asked.outliers),
        "n_rows": task.points.n_rows,
        "n_distinct": placed.points.space.n,
        "max_outliers": task.max_outliers,
        "n_outliers": count.n_outliers,
        "n_clusters": len(count.sizes),
        "smallest_cluster": min(count.sizes, default=0),
        "largest_radius": max(count.radii, default=0.0),
        "centers": asked.centres,
        "sharing": task.sharing,
        "n_centers_not_rows": int((~shown.is_row).sum()),
        "quasi_identifiers": list(asked.qi),
        "sensitive": list(asked.sensitive),
        "criteria": [one.demand.text() for one in task.watched],
        "dropped": [] if table is None else [name for name in table.columns if name not in named],
        "metric": placed.about,
        "guarantee": promised.factor,
        "guarantee_text": promised.text,
        "cost": cost,
        "cost_before_improvement": answer.paper_cost,
        "lower_bound": answer.lower_bound,
        "ratio": ratio,
        "bound": answer.bound_text,
        "notes": [*asked.notes, *([SHARED] if task.sharing else [])],
        "seconds": clock.seconds,
        "policy_sha256": asked.policy.sha256(),
    }
