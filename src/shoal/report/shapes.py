"""How the values of a column lie, as a histogram: read from the release, and for the owner from the original beside it
on the same axis.

Cells that stand for several values are spread over them as :func:`shoal.read` spreads them, so what an analyst finds is
what is drawn. The axis comes from the release. A value is named only if some released cell shows it, or, for the owner,
if at least k rows have it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.judge.reading import is_suppressed
from shoal.reader.column import Column
from shoal.reader.reading import Reading
from shoal.reader.vocabulary import plain
from shoal.release.counted import CountedRelease
from shoal.release.release import Release
from shoal.report.once import coded_after, coded_before
from shoal.table import Coded
from shoal.table.once import once
from shoal.text.calendar import part_of
from shoal.text.dates import DAY

Floats = NDArray[np.float64]
Longs = NDArray[np.int64]

MOST_BINS = 20
MOST_BARS = 12
MOST_DAYS = 200_000
LEAST_LINE = 8
"""Numbers of fewer different values are drawn as bars, one for each."""
FEW = 0.02
"""Where bins grow, this share of the rows may lie in the first."""
SKEWED = 15.0
"""Where the greatest number is so many times the median, the bins grow with the numbers."""


@dataclass(frozen=True, eq=False)
class ValueCounts:
    """Different values of a column, where each lies on a line (NaN: nowhere), and how many rows have it."""

    values: tuple[str | None, ...]
    place: Floats
    rows: Floats
    of_row: Longs | None = None
    """Which value each row has, where that is known."""


def shape(release: Release | CountedRelease, reading: Reading, name: str, for_owner: bool) -> dict[str, Any]:
    """The histogram of a column: bins, rows in each after, and for the owner rows before (null where fewer than k have
    it).
    """
    column = reading.columns[name]
    after = ValueCounts(column.words.values, column.words.place, estimated(column))
    before = original(release, reading, name) if for_owner else None
    k = release.problem.k
    if column.is_line and np.unique(after.place[~np.isnan(after.place)]).size >= LEAST_LINE:
        return _histogram(after, before, k, column.words.is_date)
    parts = parts_of_dates(release, name)
    return _bars(release, name, after, before, k) if parts is None else _histogram(parts, before, k, True)


def parts_of_dates(release: Release | CountedRelease, name: str) -> ValueCounts | None:
    """A column that shows months or years and no day: its rows evenly over the days of each; None if it shows anything
    else.
    """
    found = coded_after(release, name)
    n_rows = found.counts()
    ends, rows, hidden = [], [], 0.0
    for label, n in zip(found.values.to_list(), n_rows.tolist(), strict=True):
        days = part_of(label)
        if days is not None:
            low = int(days[0] // DAY)
            ends.append((low, max(int(days[2] // DAY), low + 1)))
            rows.append(float(n))
        elif is_suppressed(label):
            hidden += n
        else:
            return None
    is_calendar = any(len(label) > 4 for label in found.values.to_list())  # four digits alone are a number
    n_missing = found.n_missing if found.rows is None else int(found.rows[found.codes < 0].sum())
    return _over_days(ends, rows, hidden, n_missing) if ends and is_calendar else None


def _over_days(ends: list[tuple[int, int]], rows: list[float], hidden: float, n_missing: int) -> ValueCounts | None:
    """Each part's rows over its days; what is hidden as the rest lies."""
    first, last = min(low for low, _ in ends), max(high for _, high in ends)
    if last - first > MOST_DAYS:
        return None
    lies = np.zeros(last - first)
    for (low, high), n in zip(ends, rows, strict=True):
        lies[low - first : high - first] += n / (high - low)
    lies *= 1 + hidden / sum(rows)
    place = np.append(np.arange(first, last, dtype=np.float64), np.nan)
    return ValueCounts((None,) * len(place), place, np.append(lies, float(n_missing)))


def estimated(column: Column) -> Floats:
    """About how many rows have each value."""
    weight = column.shares[1] * (column.listed[1] * column.cells.n_rows)[column.of]
    return np.asarray(np.bincount(column.cells.leaf, weights=weight, minlength=column.n_values), dtype=np.float64)


def original(release: Release | CountedRelease, reading: Reading, name: str) -> ValueCounts:
    """The values of the released rows before; dates by their years where the release shows nothing but years.

    For the owner.
    """
    return once(reading, ("original", name), lambda: _original(coded_before(release, name), reading.columns[name]))


def _original(coded: Coded, column: Column) -> ValueCounts:
    values: tuple[str | None, ...] = (*coded.values.to_list(), None)
    codes = np.where(coded.codes < 0, len(values) - 1, coded.codes)
    words = plain(values)
    place = words.place
    if words.is_date and column.is_line and not column.words.is_date:
        place = np.array([np.nan if np.isnan(p) else float(date.fromordinal(int(p)).year) for p in place])
    return ValueCounts(
        values,
        place,
        np.bincount(codes, weights=coded.rows, minlength=len(values)).astype(np.float64),
        codes.astype(np.int64),
    )


def _histogram(after: ValueCounts, before: ValueCounts | None, k: int, is_date: bool) -> dict[str, Any]:
    there = ~np.isnan(after.place) & (after.rows > 0)
    edges, names = (_days if is_date else _numbers)(after.place[there], after.rows[there])
    found: dict[str, Any] = {
        "kind": "date" if is_date else "number",
        "bins": names,
        "after": _rounded(_in_bins(after, edges)),
    }
    found["missing"] = round(float(after.rows[np.isnan(after.place)].sum()))
    if before is not None and not np.isnan(before.place[:-1]).any():
        rows = _in_bins(before, edges)
        found["before"] = [int(n) if n >= k else None for n in rows]
        found["before_not_shown"] = int(before.rows[:-1].sum() - sum(n for n in rows if n >= k))
        found["before_missing"] = int(before.rows[-1])
    return found


def _in_bins(counted: ValueCounts, edges: Floats) -> Floats:
    """Rows in each bin; a bin has its lower edge and not its upper one."""
    there = ~np.isnan(counted.place)
    at = np.searchsorted(edges, counted.place[there], side="right") - 1
    inside = (at >= 0) & (at < len(edges) - 1)
    return np.asarray(
        np.bincount(at[inside], weights=counted.rows[there][inside], minlength=len(edges) - 1), dtype=np.float64
    )


def _rounded(rows: Floats) -> list[int]:
    return [round(float(n)) for n in rows]


def _numbers(place: Floats, rows: Floats) -> tuple[Floats, list[str]]:
    """Edges at round numbers, evenly, or growing where a few numbers are far above the rest."""
    low, high = float(place.min()), float(place.max())
    middle = float(
        np.sort(place)[np.searchsorted(np.cumsum(rows[np.argsort(place)]), rows.sum() / 2).clip(0, len(place) - 1)]
    )
    is_whole = bool((place == np.round(place)).all())
    if low >= 0 and high > SKEWED * max(middle, 1e-12) and middle > 0:
        order = np.argsort(place)
        least = float(place[order][np.searchsorted(np.cumsum(rows[order]), FEW * rows.sum()).clip(0, len(place) - 1)])
        edges = np.array(list(_growing(max(least, float(place[place > 0].min())), high)))
        edges = np.append(0.0, edges) if low < edges[0] else edges
    else:
        step = _step((high - low) / MOST_BINS, is_whole)
        first = np.floor(low / step)
        edges = step * np.arange(first, np.floor(high / step) + 2)
    edges = np.round(edges, 10)
    if is_whole and (np.diff(edges) == 1).all():
        return edges, [_short(a) for a in edges[:-1].tolist()]
    return edges, [f"{_short(a)} to below {_short(b)}" for a, b in pairwise(edges.tolist())]


def _step(least: float, is_whole: bool) -> float:
    """The least of 1, 2, 5, 10, 20, … that is not below; never a part of 1 for whole numbers."""
    if least <= 0:
        return 1.0
    power = 10.0 ** np.floor(np.log10(least))
    step = next(power * m for m in (1, 2, 5, 10) if power * m >= least * (1 - 1e-9))
    return max(float(step), 1.0) if is_whole else float(step)


def _growing(low: float, high: float) -> Iterator[float]:
    """1, 2, 5, 10, 20, 50, … around the numbers; only tens where that is too many."""
    steps = (1, 2, 5) if np.log10(high / low) * 3 < MOST_BINS else (1,)
    power = 10.0 ** np.floor(np.log10(low))
    while True:
        for m in steps:
            yield power * m
            if power * m > high:
                return
        power *= 10


def _days(place: Floats, rows: Floats) -> tuple[Floats, list[str]]:
    """Edges at the beginning of days, months, quarters, years or decades, whichever are few enough."""
    first, last = (date.fromordinal(int(p)) for p in (place.min(), place.max()))
    days = (last - first).days + 1
    if days <= MOST_BINS:
        starts = [date.fromordinal(first.toordinal() + i) for i in range(days + 1)]
        return np.array([d.toordinal() for d in starts], dtype=float), [d.isoformat() for d in starts[:-1]]
    months = next((m for m in (1, 3, 12, 24, 60, 120, 240, 600, 1200) if days / (30.44 * m) <= MOST_BINS), 2400)
    count = (first.year * 12 + first.month - 1) // months * months
    starts = [_month(count)]
    while starts[-1] <= last:
        count += months
        starts.append(_month(count))
    return np.array([d.toordinal() for d in starts], dtype=float), [_named(d, months) for d in starts[:-1]]


def _month(count: int) -> date:
    return date(max(count // 12, 1), count % 12 + 1, 1)


def _named(start: date, months: int) -> str:
    if months == 1:
        return f"{start:%Y-%m}"
    if months == 3:
        return f"{start.year}-Q{(start.month + 2) // 3}"
    return str(start.year) if months == 12 else f"{start.year} to {start.year + months // 12 - 1}"


def _short(value: float) -> str:
    """A number as people write it: a year has no comma."""
    if value != round(value):
        return f"{value:.6g}"
    return f"{value:.0f}" if abs(value) < 10_000 else f"{value:,.0f}"


def _bars(
    release: Release | CountedRelease, name: str, after: ValueCounts, before: ValueCounts | None, k: int
) -> dict[str, Any]:
    """A bar for each value that a released cell shows, and for the owner each that at least k rows have; the others
    together.
    """
    shown = set(coded_after(release, name).values.to_list()) | {None}
    now = {
        value: float(rows)
        for value, rows in zip(after.values, after.rows.tolist(), strict=True)
        if value in shown and rows >= k
    }
    then = (
        {}
        if before is None
        else {v: float(n) for v, n in zip(before.values, before.rows.tolist(), strict=True) if n >= k}
    )
    if before is not None:
        now = {v: float(n) for v, n in zip(after.values, after.rows.tolist(), strict=True) if v in then or v in now}
    most = then if before is not None else now
    order = sorted({*now, *then}, key=lambda v: (-most.get(v, 0.0), -now.get(v, 0.0), v or ""))[:MOST_BARS]
    number = dict(zip(order, plain(order).place.tolist(), strict=True))
    if not any(math.isnan(number[v]) for v in order if v is not None):
        order.sort(key=lambda v: math.inf if v is None else number[v])
    n = float(after.rows.sum())
    found: dict[str, Any] = {
        "kind": "category",
        "bins": ["(missing)" if v is None else v for v in order],
        "after": [round(now[v]) if v in now else None for v in order],
        "after_not_shown": max(round(n - sum(now.get(v, 0.0) for v in order)), 0),
    }
    if before is not None:
        found["before"] = [int(then[v]) if v in then else None for v in order]
        found["before_not_shown"] = int(before.rows.sum() - sum(then.get(v, 0.0) for v in order))
    return found
