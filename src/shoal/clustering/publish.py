"""What is published: a table of clusters, or one line per row. And what stays with the owner: which cluster each row is
in.

The order of sensitive values tells nothing: a list is sorted, and the long form is sorted within a cluster. Several
sensitive columns are sorted each by itself in the table of clusters; in the long form a row's own stay together.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import polars as pl

from shoal.clustering.centres import Shown
from shoal.clustering.points import Found, Longs
from shoal.clustering.space_of import Placed
from shoal.table import Table
from shoal.text.cells import as_text


def own_names(taken: Sequence[str]) -> dict[str, str]:
    """Names for the columns that shoal adds, with a ``_`` at the end where the table already has a column of that
    name.
    """
    names = {}
    for name in ("cluster", "centre", "size", "radius"):
        free = name
        while free in taken:
            free += "_"
        names[name] = free
    return names


def cluster_table(
    table: Table | None,
    placed: Placed,
    found: Found,
    shown: Shown,
    qi: Sequence[str],
    sensitive: Sequence[str],
    radius: bool,
    form: str,
) -> pl.DataFrame:
    """One line per cluster: the centre's values, the size, the radius where it is promised, and the sensitive values of
    its members.
    """
    own = own_names([*qi, *sensitive])
    columns = _centre(placed, found, shown, qi, own)
    columns.append(pl.Series(own["size"], found.sizes()))
    if radius:
        columns.append(pl.Series(own["radius"], shown.radius))
    if table is not None:
        order = np.argsort(found.label, kind="stable")
        start = np.searchsorted(found.label[order], np.arange(found.n_clusters + 1))
        for name in sensitive:
            cells = as_text(table.column(name)).to_list()
            members = [[cells[i] for i in order[a:b].tolist()] for a, b in pairwise(start)]
            columns.append(pl.Series(name, [_rendered(values, form) for values in members], dtype=pl.String))
    return pl.DataFrame(columns)


def _centre(placed: Placed, found: Found, shown: Shown, qi: Sequence[str], own: dict[str, str]) -> list[pl.Series]:
    if placed.columns:
        return [pl.Series(name, values, dtype=pl.String) for name, values in zip(qi, shown.values, strict=True)]
    return [pl.Series(own["cluster"], np.arange(found.n_clusters))]


def _rendered(values: list[str | None], form: str) -> str:
    """Sensitive values as JSON: a sorted list, or how often each occurs.

    A missing one is null, counted under the empty name.
    """
    ordered = sorted(values, key=lambda v: (v is None, v or ""))
    if form == "list":
        return json.dumps(ordered, ensure_ascii=False)
    counted = Counter(value or "" for value in ordered)
    return json.dumps(dict(sorted(counted.items(), key=lambda one: (-one[1], one[0]))), ensure_ascii=False)


def long_table(
    table: Table | None,
    placed: Placed,
    found: Found,
    shown: Shown,
    qi: Sequence[str],
    sensitive: Sequence[str],
    radius: bool,
) -> pl.DataFrame:
    """One line per row: its cluster's centre, size and radius, and its own sensitive values; by cluster, then by
    these.
    """
    # the names of all columns, no sensitive cells
    per_cluster = cluster_table(None, placed, found, shown, qi, sensitive, radius, "list")
    kept = np.flatnonzero(found.label >= 0)
    label = found.label[kept]
    lines = per_cluster[label.tolist()] if len(label) else per_cluster.clear()
    extra = (
        [as_text(table.column(name)).gather(kept.tolist()).alias(name) for name in sensitive]
        if table is not None
        else []
    )
    lines = lines.with_columns(extra) if extra else lines
    keys = pl.DataFrame([pl.Series("0", label), *(cells.alias(str(j)) for j, cells in enumerate(extra, start=1))])
    turn = keys.with_row_index("row").sort(keys.columns, maintain_order=True, nulls_last=True)["row"]
    return lines[turn.to_list()] if len(label) else lines


def member_table(table: Table | None, rows: Longs, found: Found, to_centre: np.ndarray) -> pl.DataFrame:
    """For the owner alone: the cluster of each row (none for an outlier) and its distance to what the cluster shows.

    Rows are counted from 0, clusters in the order of the published table. A row that several clusters count has a line
    for each.
    """
    n = len(found.label)
    columns = [pl.Series("row", rows)]
    if table is not None and table.lines is not None:
        columns.append(pl.Series("line", [table.line_of(i) for i in range(n)]))
    inside = found.label >= 0
    columns.append(pl.Series("cluster", np.where(inside, found.label, 0)).set(pl.Series(~inside), None))
    columns.append(pl.Series("distance", to_centre).set(pl.Series(~inside), None))
    return pl.DataFrame(columns)
