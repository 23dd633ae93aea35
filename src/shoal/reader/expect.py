"""What to expect of a release: how far counts of one, two and three columns are off.

Two answers. *Expected* is the reader's own uncertainty, from the release alone: anybody can compute it again, so it may be published. *Measured* compares the
same counts with the original: it is exact, it depends on hidden values, and it stays with the owner.

The questions are drawn in the same way for every release: columns by chance, each with a range of about a fifteenth to a quarter of its numbers or days, or
with up to half of its other values, around the value of a drawn row. Questions whose answer is below one row in two hundred, or below k rows, are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal import kernels
from shoal.judge.counts import label
from shoal.judge.reading import Domain, readings
from shoal.reader import clock, draws, tally
from shoal.reader.column import Column
from shoal.reader.conditions import Condition
from shoal.reader.estimate import Estimate
from shoal.reader.read import read
from shoal.reader.reading import Reading
from shoal.release.counted import CountedRelease
from shoal.release.release import Release
from shoal.table.coded import code
from shoal.text.cells import as_text
from shoal.text.dates import date_forms, parse_dates

Booleans = NDArray[np.bool_]

N_QUESTIONS = 40
"""For each number of columns."""
TRIES = 4
"""So many are drawn for each that is wanted: most of those about a tiny table are answered by fewer than k rows."""
LEAST = 0.005
WIDTHS = (0.07, 0.14, 0.28)
MEAN_OF_NORMAL = 0.7979
"""The mean distance of a normal variable from its mean, in standard deviations."""
MOST_LABELS = 2000
LINE = 12
"""Columns of numbers with at least so many values are asked for ranges."""


@dataclass(frozen=True)
class Expected:
    """What an analyst may expect."""

    expected: dict[int, float | None]
    """The mean relative error of counts of one, two and three columns, as the reader expects it; None where there is no such count."""
    measured: dict[int, float | None] | None = None
    """The same errors, compared with the original. For the owner."""


Question = list[tuple[Column, Booleans]]


def expect(release: Release | CountedRelease, *, for_owner: bool = True, reading: Reading | None = None) -> Expected:
    """What to expect of a release; ``for_owner`` compares with the original too. ``reading`` is the release, where it has been read already."""
    reading = read(release) if reading is None else reading
    names = [column.name for column in release.problem.columns]
    asked, found = [], []
    for question, count in questions(reading, names, release.problem.k):
        asked.append(question)
        found.append((len(question), count))
    expected = expected_of(found)
    if not for_owner:
        return Expected(expected)
    lines, times = release.before(names)
    before = _values(reading, names, lines)
    met = (np.logical_and.reduce([np.append(mask, False)[before[c.name]] for c, mask in q]) for q in asked)
    true = [float(each.sum() if times is None else times[each].sum()) for each in met]
    least = _least(reading, release.problem.k)
    measured = _means([(n, abs(e.value - t) / t) for (n, e), t in zip(found, true, strict=True) if t >= least])
    return Expected(expected, measured)


def expected_of(found: Sequence[tuple[int, Estimate]]) -> dict[int, float | None]:
    """The mean relative error that the reader's own uncertainty lets one expect, for counts of one, two and three columns."""
    return _means([(n, MEAN_OF_NORMAL * estimate.standard_error / estimate.value) for n, estimate in found])


def questions(reading: Reading, names: Sequence[str], k: int) -> Iterator[tuple[Question, Estimate]]:
    """Questions about one, two and three columns and what the reader answers, from the release alone."""
    rng = np.random.default_rng(1)
    least = _least(reading, k)
    row_of, ends = _in_order(reading, names)
    for n_columns in (1, 2, 3):
        left = N_QUESTIONS if n_columns <= len(names) else 0
        for _ in range(TRIES * N_QUESTIONS):
            if not left:
                break
            chosen = [names[j] for j in rng.choice(len(names), n_columns, replace=False)]
            row = int(row_of[np.searchsorted(ends, int(rng.integers(max(reading.n_rows, 1))), side="right")])
            asked = [
                (column, _condition(column, draws.one(column, row, rng), rng)) for column in (reading.columns[name] for name in chosen)
            ]
            count = _count(reading, asked)
            if count.value >= least:
                left -= 1
                yield asked, count


def _in_order(reading: Reading, names: Sequence[str]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Rows that show different texts, one of each in the order of what they show, and where the rows of each end: so which questions are drawn does not depend on the order of
    the rows, nor on who counted them."""
    key = np.zeros(reading.frame.height, dtype=np.int64)
    first = np.zeros(min(reading.frame.height, 1), dtype=np.int32)
    for name in names:
        kind = reading.columns[name].kind
        first, _, rank = kernels.rank_keys(key * (int(kind.max(initial=0)) + 1) + kind)
        key = rank.astype(np.int64)
    amount = np.bincount(key, weights=reading.times, minlength=len(first)).astype(np.int64)
    shown = [reading.frame[name].gather(first) for name in names]
    texts = pl.DataFrame([as_text(cells).alias(label(j)) for j, cells in enumerate(shown)]).with_row_index("at")
    order = texts.sort([label(j) for j in range(len(names))], nulls_last=True)["at"].to_numpy()
    return first[order], np.cumsum(amount[order])


def _least(reading: Reading, k: int) -> float:
    return max(LEAST * reading.n_rows, k, 1.0)


def _condition(column: Column, value: int, rng: np.random.Generator) -> Booleans:
    place = column.words.place
    if column.is_line and (~np.isnan(place)).sum() >= LINE and not np.isnan(place[value]):
        width = (np.nanmax(place) - np.nanmin(place)) * rng.choice(WIDTHS)
        return np.asarray(np.abs(place - place[value]) <= width / 2)
    inside = np.zeros(column.n_values, dtype=bool)
    inside[value] = True
    size = 1 if column.n_values <= 3 else int(rng.integers(1, max(2, column.n_values // 2)))
    inside[rng.choice(column.n_values, size - 1, replace=False)] = True
    return inside


def _count(reading: Reading, asked: Question) -> Estimate:
    parts = reading._cut([column.name for column, _ in asked])
    return tally.count(parts, tally.weigh(parts, [(column, Condition(mask.astype(np.float64))) for column, mask in asked]))


def _means(errors: Sequence[tuple[int, float]]) -> dict[int, float | None]:
    kept = {n: [error for m, error in errors if m == n] for n in (1, 2, 3)}
    return {n: float(np.mean(some)) if some else None for n, some in kept.items()}


def _values(reading: Reading, names: Sequence[str], original: pl.DataFrame) -> Mapping[str, NDArray[np.int64]]:
    """The value of each original row among those that the reader knows: itself, the nearest on a line of numbers or days, or a label that stands alone and
    covers it; else −1."""
    found = {}
    for name in names:
        column, coded = reading.columns[name], code(original[name])
        values = column.words.values
        where = {value: i for i, value in enumerate(values)}
        texts: list[str] = coded.values.to_list()
        unknown = [text for text in texts if text not in where]
        covered = (_nearest(column, unknown) if column.is_line else clock.nearest(unknown, values)) or _covered(unknown, values)
        found[name] = np.array([*(where.get(t, covered.get(t, -1)) for t in texts), where.get(None, -1)], dtype=np.int64)[coded.codes]
    return found


def _nearest(column: Column, texts: Sequence[str]) -> dict[str, int]:
    """Where numbers and days of the original stand on the line that the reader made of the labels: 72,5 is nearest to 72."""
    if not texts:
        return {}
    if column.words.is_date:
        forms = date_forms(texts)
        form = min(forms, key=lambda f: forms[f], default=None)
        if form is None:
            return {}
        days, wrong = parse_dates(texts, form)
        at = days.astype(np.float64)
        at[wrong] = np.nan
    else:
        at = Domain(texts).number
    order = np.argsort(column.words.place)[: int((~np.isnan(column.words.place)).sum())]
    first, last = (ends[order] for ends in column.words.extent)
    after = np.minimum(np.searchsorted(last, at, "left"), len(order) - 1)  # the first that reaches so far
    before = np.maximum(np.searchsorted(first, at, "right") - 1, 0)
    if column.words.is_date:  # a day is in the month that began last
        near = np.where(at >= first[0], before, -1)
    else:
        near = np.where(first[after] <= at, after, np.where(at - last[before] <= first[after] - at, before, after))
    return {text: int(order[i]) for text, i, x in zip(texts, near.tolist(), at.tolist(), strict=True) if x == x and i >= 0}


def _covered(texts: Sequence[str], values: Sequence[str | None]) -> dict[str, int]:
    """Where a month is the least that the release shows, days are in it."""
    if not texts or len(values) > MOST_LABELS:
        return {}
    domain, everything, found = Domain(texts), np.arange(len(texts)), {}
    for i, value in enumerate(values):
        for reading in readings(value, domain) if value is not None else ():
            found.update({texts[j]: i for j in np.flatnonzero(reading.holds(everything)).tolist()})
    return found
