"""The recount: sizes, radii, outliers and sensitive values from the original cells and what is to be published, before
anything is.

Nothing here uses codes, kernels or the clustering's own figures; distances are computed again from the texts.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal.clustering.metric import ColumnMetric
from shoal.clustering.places import EARTH
from shoal.clustering.points import Floats, Ints, Longs
from shoal.errors import NotAnonymous
from shoal.judge.gate import KEY, Verified, fingerprint
from shoal.table import Table
from shoal.text.cells import as_text
from shoal.text.dates import parse_dates

TOLERANCE = 1e-9


@dataclass(frozen=True, eq=False)
class Recount:
    """What the recount found."""

    sizes: list[int]
    radii: list[float]
    to_centre: Floats
    """The distance of each row to what its cluster shows; NaN for an outlier."""
    n_outliers: int


def recount(
    table: Table,
    columns: Sequence[ColumnMetric],
    combine: str,
    published: pl.DataFrame,
    cluster_of_row: Sequence[int | None],
) -> Recount:
    """Sizes and radii of the published clusters, from the original rows."""
    label = np.array([-1 if c is None else c for c in cluster_of_row], dtype=np.int64)
    if len(label) != table.n_rows or label.max(initial=-1) >= published.height:
        raise NotAnonymous("The clusters do not fit the table: nothing is published.")
    kept = np.flatnonzero(label >= 0)
    total = np.zeros(len(kept))
    for column in columns:
        cells = as_text(table.column(column.name)).to_list()
        shown = published.get_column(column.name).to_list()
        part = _distances(column, [cells[i] for i in kept.tolist()], [shown[c] for c in label[kept].tolist()])
        total = np.maximum(total, part) if combine == "largest" else total + (part**2 if combine == "euclid" else part)
    to_centre = np.full(table.n_rows, np.nan)
    to_centre[kept] = np.sqrt(total) if combine == "euclid" else total
    return tally(label, to_centre, published.height)


def tally(label: np.ndarray, to_centre: Floats, n_clusters: int) -> Recount:
    """Sizes and radii from each row's cluster and distance."""
    kept = label >= 0
    radii = np.zeros(n_clusters)
    np.maximum.at(radii, label[kept], to_centre[kept])
    sizes = np.bincount(label[kept], minlength=n_clusters)
    return Recount(sizes.tolist(), radii.tolist(), to_centre, int((~kept).sum()))


def _distances(column: ColumnMetric, cells: list[str | None], shown: list[str | None]) -> Floats:
    """Pair by pair, each distinct pair once."""
    known: dict[tuple[str | None, str | None], float] = {}
    out = np.empty(len(cells))
    for i, pair in enumerate(zip(cells, shown, strict=True)):
        if pair not in known:
            known[pair] = distance(column, *pair)
        out[i] = known[pair]
    return out


def distance(column: ColumnMetric, a: str | None, b: str | None) -> float:
    """How far two texts of a column are apart."""
    if a == b:
        return 0.0
    if column.kind == "category":
        return column.weight
    if column.kind == "hierarchy":
        return column.weight * _height_of_join(column, a, b)
    if a is None or b is None:
        return column.far
    if column.kind == "place":
        return column.weight * _haversine(column, a, b) / column.unit
    x, y = (_number(column, text) for text in (a, b))
    return column.weight * abs(x - y) / column.unit


def _number(column: ColumnMetric, text: str) -> float:
    return float(text) if column.kind == "number" else float(parse_dates([text], column.form or "YYYY-MM-DD")[0][0])


def _height_of_join(column: ColumnMetric, a: str | None, b: str | None) -> float:
    """How high the lowest level is that holds both values, as a share of the height."""
    tree = column.tree
    assert tree is not None
    leaves = tree.labels[: tree.n_leaves]
    above = set()
    node = leaves.index(a)
    while node not in above:
        above.add(node)
        node = int(tree.parent[node])
    node = leaves.index(b)
    while node not in above:
        node = int(tree.parent[node])
    return float(tree.level[node]) / max(tree.height, 1)


def _haversine(column: ColumnMetric, a: str, b: str) -> float:
    """Kilometres along the great circle."""
    assert column.degrees is not None
    at = [tuple(math.radians(x) for x in column.degrees[column.values.index(place)].tolist()) for place in (a, b)]
    (lat1, lon1), (lat2, lon2) = at
    h = math.sin((lat2 - lat1) / 2) ** 2 + math.cos(lat1) * math.cos(lat2) * math.sin((lon2 - lon1) / 2) ** 2
    return 2 * EARTH * math.asin(min(math.sqrt(h), 1.0))


def check(
    count: Recount,
    *,
    r: int,
    most_outliers: int,
    most_clusters: int | None,
    sizes: Sequence[int],
    radii: Sequence[float],
) -> None:
    """Raise :class:`NotAnonymous` unless the recount agrees with what is to be published and with what was asked."""
    small = sum(size < r for size in count.sizes)
    if small:
        raise NotAnonymous(
            f"{small} of {len(count.sizes)} clusters have fewer than {r} rows (the smallest has {min(count.sizes)})."
        )
    if count.n_outliers > most_outliers:
        raise NotAnonymous(f"{count.n_outliers} rows are in no cluster, and only {most_outliers} may be left out.")
    if most_clusters is not None and len(count.sizes) > most_clusters:
        raise NotAnonymous(f"There are {len(count.sizes)} clusters, and only {most_clusters} may be.")
    if list(sizes) != count.sizes:
        raise NotAnonymous("The sizes to be published are not those of the recount.")
    for given, found in zip(radii, count.radii, strict=True):
        if abs(given - found) > TOLERANCE * (1 + abs(found)):
            raise NotAnonymous(f"A radius to be published is {given:.9g}, and the recount finds {found:.9g}.")


def check_rows(rows: Longs, label: Ints, n_rows: int) -> None:
    """Where a row may be in several clusters: each row is in one or is left out once, and in no cluster twice."""
    if len(np.unique(np.stack([rows, label], axis=1), axis=0)) < len(rows) or not np.array_equal(
        np.unique(rows), np.arange(n_rows)
    ):
        raise NotAnonymous("A row is counted twice by one cluster, or not at all: nothing is published.")
    if np.isin(rows[label < 0], rows[label >= 0]).any():
        raise NotAnonymous("A row that is left out is in a cluster: nothing is published.")


def check_sensitive(
    table: Table, published: pl.DataFrame, sensitive: Sequence[str], cluster_of_row: Sequence[int | None]
) -> None:
    """The sensitive values of each cluster are those of its members, no more and no less."""
    for name in sensitive:
        members: list[Counter[str | None]] = [Counter() for _ in range(published.height)]
        for cell, c in zip(as_text(table.column(name)).to_list(), cluster_of_row, strict=True):
            if c is not None:
                members[c][cell] += 1
        for text, found in zip(published.get_column(name).to_list(), members, strict=True):
            told = json.loads(text)
            same = (
                Counter(told) == found
                if isinstance(told, list)
                else told == {key or "": n for key, n in _merged(found).items()}
            )
            if not same:
                raise NotAnonymous(
                    f"Column '{name}': the values to be published are not those of the clusters' members."
                )


def _merged(counts: Counter[str | None]) -> dict[str, int]:
    """Missing and empty cells share a name in the counts."""
    merged: dict[str, int] = {}
    for value, n in counts.items():
        merged[value or ""] = merged.get(value or "", 0) + n
    return merged


def seal(
    table: Table | None,
    published: pl.DataFrame,
    long: pl.DataFrame,
    sensitive: Sequence[str],
    cluster_of_row: Sequence[int | None],
) -> tuple[Verified, Verified]:
    """The verdicts on the table of clusters, which was recounted, and on the one with one line per row, which is
    checked against it here.

    The lines of the long table are the members' own sensitive values beside what their cluster shows: no more, no
    fewer, no others.
    """
    shared = [name for name in published.columns if name not in sensitive]
    of_cluster = list(published[shared].iter_rows()) if shared else [()] * published.height
    own = [as_text(table.column(name)).to_list() for name in sensitive] if table is not None else []
    expected = Counter(
        (*of_cluster[c], *(cells[i] for cells in own)) for i, c in enumerate(cluster_of_row) if c is not None
    )
    if long.columns != [*shared, *(sensitive if own else ())] or Counter(long.iter_rows()) != expected:
        raise NotAnonymous(
            "The table with one line per row is not that of the clusters' members: nothing is published."
        )
    return tuple(Verified(fingerprint=fingerprint(frame), key=KEY) for frame in (published, long))  # type: ignore[return-value]
