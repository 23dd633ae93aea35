"""Columns that tell what other columns hide: copies, codes of the same thing, parts of a date, sums.

Column y is a function of column x if rows that agree on x always agree on y, and if that is not an accident: for a column drawn at
random the chance of it is below one in a million. Numbers that rise with each other row by row are found even if no
value occurs twice, and so are the year, the month and the day of a date.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.columns.dates import DAY, parse_moments
from shoal.columns.kinds import Understanding
from shoal.columns.numbers import PLAIN, parse_numbers
from shoal.table.text import as_text

SAMPLE = 2000
"""Rows that are looked at first; only what holds there is looked at in all."""
MOST_COLUMNS = 120
MOST_SUMMANDS = 16
CHANCE = 1e-6
FEWEST = 10
"""At least so many rows must share a value with another row, or rise together, before anything is said."""
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Relation:
    """``teller`` determines ``told`` in every row."""

    teller: str
    told: str
    how: Literal["copy", "function", "part", "sum", "order"]
    other: str | None = None
    """The second summand of a sum."""

    @property
    def text(self) -> str:
        """In words."""
        if self.how == "copy":
            return f"'{self.teller}' and '{self.told}' say the same: give both the same role, or drop one."
        if self.how == "sum":
            return f"'{self.told}' is the sum of '{self.teller}' and '{self.other}': somebody who sees two of them knows the third. Give all the same role, or drop one."
        if self.how == "order":
            return f"'{self.teller}' and '{self.told}' rise together row by row: one tells what the other hides. Give both the same role, or drop one."
        what = "a part of" if self.how == "part" else "told by"
        return (
            f"'{self.told}' is {what} '{self.teller}': it tells some of what '{self.teller}' hides. Give both the same role, or drop one."
        )


def relations(frame: pl.DataFrame, columns: Sequence[Understanding]) -> list[Relation]:
    """Every column that another determines, each named once, copies first."""
    chosen = [u for u in columns if u.kind not in ("constant", "text") and u.n_values > 1 and u.n_present >= FEWEST][:MOST_COLUMNS]
    codes = {u.column: _codes(frame[u.column]) for u in chosen}
    found = [*_functions(chosen, codes), *_parts(frame, chosen)]
    numbers = {u.column: _numbers(frame[u.column]) for u in chosen if u.kind in ("number", "year") and (u.style or PLAIN).is_plain}
    found += _orders(numbers, found)
    found += _sums(dict(list(numbers.items())[:MOST_SUMMANDS]))
    return _once(found)


def _codes(column: pl.Series) -> NDArray[np.int64]:
    return as_text(column).rank("dense").fill_null(0).to_numpy().astype(np.int64)


def _numbers(column: pl.Series) -> Floats:
    texts = as_text(column)
    number, _ = parse_numbers(texts.fill_null(""))
    return number


def _functions(chosen: Sequence[Understanding], codes: dict[str, NDArray[np.int64]]) -> list[Relation]:
    found = []
    for a, b in permutations(chosen, 2):
        if a.n_values < b.n_values or a.tells_rows_apart or (a.n_values == b.n_values and a.column > b.column):
            continue
        x, y = codes[a.column], codes[b.column]
        if not determines(x[:SAMPLE], y[:SAMPLE]) or not determines(x, y) or not is_no_accident(x, y):
            continue
        is_copy = determines(y, x)
        if is_copy or a.kind not in ("identifier", "name"):  # whose row it is tells everything of a person, and is dropped
            found.append(Relation(a.column, b.column, "copy" if is_copy else "function"))
    return found


def determines(x: NDArray[np.int64], y: NDArray[np.int64]) -> bool:
    """Whether rows that agree on x agree on y."""
    both = x * (int(y.max(initial=0)) + 1) + y
    return len(np.unique(both)) == len(np.unique(x))


def is_no_accident(x: NDArray[np.int64], y: NDArray[np.int64]) -> bool:
    """Whether so many agreements could not come from a column that is nearly constant anyway."""
    repeats = len(x) - len(np.unique(x))
    share = np.bincount(y) / len(y)
    agree = float((share * share).sum())
    return repeats >= FEWEST and repeats * np.log(max(agree, 1e-300)) < np.log(CHANCE)


def _parts(frame: pl.DataFrame, chosen: Sequence[Understanding]) -> list[Relation]:
    """Years, months and days beside the date that they are of."""
    found = []
    for date in (u for u in chosen if u.kind in ("date", "timestamp") and u.form is not None):
        texts = as_text(frame[date.column])
        moment, wrong = parse_moments(texts.fill_null(""), str(date.form))
        day = (moment // DAY - 719_163).astype("datetime64[D]")
        there = np.ones(len(moment), dtype=bool)
        there[wrong] = False
        month = day.astype("datetime64[M]").astype(np.int64) % 12 + 1
        year = day.astype("datetime64[Y]").astype(np.int64) + 1970
        of_month = (day - day.astype("datetime64[M]")).astype(np.int64) + 1
        for u in chosen:
            if u.kind in ("number", "year", "code", "ordered", "boolean") and (u.style or PLAIN).is_plain and u.n_values >= 2:
                number = _numbers(frame[u.column])
                both = there & np.isfinite(number)
                if both.sum() >= FEWEST and any((number[both] == part[both]).all() for part in (year, month, of_month)):
                    found.append(Relation(date.column, u.column, "part"))
    return found


def _orders(numbers: dict[str, Floats], known: Sequence[Relation]) -> list[Relation]:
    """Numbers that rise or fall with each other, even if no value occurs twice."""
    told = {(r.teller, r.told) for r in known} | {(r.told, r.teller) for r in known}
    found = []
    for (a, x), (b, y) in combinations(numbers.items(), 2):
        both = np.isfinite(x) & np.isfinite(y)
        if (a, b) in told or both.sum() < 2 * FEWEST:
            continue
        if _rise_together(x[both][:SAMPLE], y[both][:SAMPLE]) and _rise_together(x[both], y[both]):
            found.append(Relation(a, b, "order"))
    return found


def _rise_together(x: Floats, y: Floats) -> bool:
    if len(np.unique(x)) < FEWEST or len(np.unique(y)) < FEWEST:
        return False
    sorted_y = y[np.lexsort((y, x))]
    falling_y = y[np.lexsort((-y, x))]
    return bool((np.diff(sorted_y) >= 0).all() or (np.diff(falling_y) <= 0).all())


def _sums(numbers: dict[str, Floats]) -> list[Relation]:
    found = []
    for (a, x), (b, y) in combinations(numbers.items(), 2):
        for c, z in numbers.items():
            if c in (a, b):
                continue
            both = np.isfinite(x) & np.isfinite(y) & np.isfinite(z)
            if both.sum() < 2 * FEWEST or not (x[both] != 0).any() or not (y[both] != 0).any():
                continue
            few = np.flatnonzero(both)[:SAMPLE]
            if np.allclose(x[few] + y[few], z[few], rtol=1e-9, atol=1e-9) and np.allclose(x[both] + y[both], z[both], rtol=1e-9, atol=1e-9):
                found.append(Relation(a, c, "sum", b))
    return found


def _once(found: Sequence[Relation]) -> list[Relation]:
    """One relation for each pair of columns: a copy before a part, then a sum, then a common order, then a function."""
    kept: dict[tuple[str, str], Relation] = {}
    rank = {"copy": 0, "part": 1, "sum": 2, "order": 3, "function": 4}
    for relation in sorted(found, key=lambda r: rank[r.how]):
        pair = (min(relation.teller, relation.told), max(relation.teller, relation.told))
        kept.setdefault(pair, relation)
    return list(kept.values())
