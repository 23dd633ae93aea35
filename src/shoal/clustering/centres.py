"""What is published for a cluster: the values of a row at its centre, or medians and modes where these make it
narrower.

A centre that need not be a row has the median or the middle of the members' numbers and dates, and the most frequent of
their categories, hierarchy values and places. It is taken where its radius is smaller than the row's.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.clustering.metric import ColumnMetric, heights, joins
from shoal.clustering.points import Bools, Floats, Found, Ints, Longs
from shoal.clustering.space_of import Placed
from shoal.text.dates import parse_dates, write_date

Text = list[str | None]


@dataclass(frozen=True, eq=False)
class Shown:
    """The centre of each cluster as it is published."""

    values: list[Text]
    """For each quasi-identifier, the text that each cluster shows; None for a missing cell."""
    is_row: Bools
    """Whether the centre is a row of the table."""
    radius: Floats


def show(placed: Placed, found: Found, anywhere: bool) -> Shown:
    """The centres of a clustering, and the radius around each."""
    rows = placed.points.a_row[found.centre]
    values: list[Text] = [
        [column.values[c] for c in code[rows].tolist()]
        for column, code in zip(placed.columns, placed.codes, strict=True)
    ]
    shown = Shown(values, np.ones(found.n_clusters, dtype=np.bool_), found.radii(placed.points))
    if not anywhere or not placed.columns:
        return shown
    for middle in (False, True):
        other = [_made(column, code, found, middle) for column, code in zip(placed.columns, placed.codes, strict=True)]
        shown = _narrower(shown, other, _radii(placed, found, other))
    return shown


def _narrower(shown: Shown, other: list[Text], radius: Floats) -> Shown:
    better = radius < shown.radius * (1 - 1e-12)
    values = [
        [b if take else a for a, b, take in zip(old, new, better, strict=True)]
        for old, new in zip(shown.values, other, strict=True)
    ]
    return Shown(values, shown.is_row & ~better, np.where(better, radius, shown.radius))


def _made(column: ColumnMetric, code: Ints, found: Found, middle: bool) -> Text:
    """A value for each cluster: median (or middle of the range) of numbers and dates, else the most frequent value."""
    kept = found.label >= 0
    label, code = found.label[kept], code[kept]
    common = _modes(label, code, found.n_clusters)
    if column.numbers is None:
        return [column.values[c] for c in common.tolist()]
    number = column.numbers[code]
    there = ~np.isnan(number)
    missing = np.bincount(label[~there], minlength=found.n_clusters)
    at = _middles(label[there], number[there], found.n_clusters, middle)
    unknown = (2 * missing > np.bincount(label, minlength=found.n_clusters)) | np.isnan(at)
    return [None if no else _text(column, x) for no, x in zip(unknown.tolist(), at.tolist(), strict=True)]


def _modes(label: Ints, code: Ints, n_clusters: int) -> Longs:
    """The most frequent code of each cluster, the lowest among equals."""
    size = int(code.max()) + 1 if len(code) else 1
    key, count = np.unique(label.astype(np.int64) * size + code, return_counts=True)
    of, value = np.divmod(key, size)
    turn = np.lexsort((value, -count, of))
    first = turn[np.searchsorted(of[turn], np.arange(n_clusters))]
    return np.asarray(value[first])


def _middles(label: Ints, number: Floats, n_clusters: int, middle: bool) -> Floats:
    turn = np.lexsort((number, label))
    of, x = label[turn], number[turn]
    begin, end = np.searchsorted(of, np.arange(n_clusters)), np.searchsorted(of, np.arange(n_clusters), "right")
    out = np.full(n_clusters, np.nan)
    some = np.flatnonzero(end > begin)
    b, e = begin[some], end[some]
    out[some] = (x[b] + x[e - 1]) / 2 if middle else (x[(b + e - 1) // 2] + x[(b + e) // 2]) / 2
    return out


def _text(column: ColumnMetric, x: float) -> str:
    if column.kind == "date":
        return write_date(int(x), column.form or "YYYY-MM-DD")
    return str(int(x)) if x == int(x) and abs(x) < 1e15 else f"{x:.12g}"


def number_of(column: ColumnMetric, text: str) -> float:
    """A published number or date, read again."""
    if column.kind == "number":
        return float(text)
    return float(parse_dates([text], column.form or "YYYY-MM-DD")[0][0])


def _radii(placed: Placed, found: Found, values: list[Text]) -> Floats:
    """The radius of each cluster around the published values."""
    kept = np.flatnonzero(found.label >= 0)
    label = found.label[kept]
    parts = [
        _apart(column, code[kept], label, text)
        for column, code, text in zip(placed.columns, placed.codes, values, strict=True)
    ]
    out = np.zeros(found.n_clusters)
    np.maximum.at(out, label, combined(parts, placed.combine))
    return out


def combined(parts: list[Floats], combine: str) -> Floats:
    """The distances of columns put together."""
    stack = np.vstack(parts)
    if combine == "sum":
        return np.asarray(stack.sum(axis=0))
    return np.sqrt((stack**2).sum(axis=0)) if combine == "euclid" else np.asarray(stack.max(axis=0))


def _apart(column: ColumnMetric, code: Ints, label: Ints, text: Text) -> Floats:
    """The distance of each row to what its cluster shows, in one column."""
    if column.numbers is not None:
        centre = np.array([np.nan if t is None else number_of(column, t) for t in text])[label]
        number = column.numbers[code]
        gap = np.abs(number - centre) * (column.weight / column.unit)
        one_missing = np.isnan(number) != np.isnan(centre)
        return np.where(one_missing, column.far, np.where(np.isnan(number), 0.0, gap))
    position = {value: c for c, value in enumerate(column.values)}
    centre_code = np.array([position[t] for t in text], dtype=np.int32)[label]
    if column.sphere is not None:
        a, b = column.sphere[code], column.sphere[centre_code]
        chord = np.sqrt(((a - b) ** 2).sum(axis=1))
        from shoal.clustering.places import EARTH

        angle = 2 * np.arcsin(np.minimum(np.nan_to_num(chord) / 2, 1.0)) * (column.weight * EARTH / column.unit)
        one_missing = np.isnan(a[:, 0]) != np.isnan(b[:, 0])
        return np.where(one_missing, column.far, angle)
    if column.tree is None or column.leaf is None:
        return np.where(code == centre_code, 0.0, column.weight)
    if len(column.values) <= 1200:
        return np.asarray(joins(column)[code, centre_code])
    up, other, tall = column.leaf[code].copy(), column.leaf[centre_code].copy(), heights(column)
    while (up != other).any():
        lower = up < other
        apart = up != other
        up, other = (
            np.where(apart & lower, column.tree.parent[up], up),
            np.where(apart & ~lower, column.tree.parent[other], other),
        )
    return np.where(code == centre_code, 0.0, tall[up])
