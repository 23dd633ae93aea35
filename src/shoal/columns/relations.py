"""Columns that tell what other columns hide: copies, codes of the same thing, parts of a date, sums.

Column y is a function of column x if rows that agree on x agree on y, always or with few exceptions, and if that is not
an accident: for a column drawn at random the chance of it is below one in a million. Cells that are missing, or hold a
mark of missing, say nothing. Numbers that rise with each other row by row are found even if no value occurs twice, and
so are the year, the month and the day of a date.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.columns.kinds import Understanding
from shoal.kernels import rank_keys
from shoal.text.cells import as_text
from shoal.text.chance import FEWEST, is_no_accident
from shoal.text.dates import DAY, parse_moments
from shoal.text.numbers import PLAIN, parse_numbers

SAMPLE = 2000
"""Rows that are looked at first; only what holds there is looked at in all."""
MOST_COLUMNS = 120
MOST_SUMMANDS = 16
SLACK = 0.02
"""The share of rows that may be exceptions, such as a typing error; and they are a tenth at most of those that a guess
without the other column gets wrong.
"""
Floats = NDArray[np.float64]
Days = NDArray[np.datetime64]
Longs = NDArray[np.int64]


@dataclass(frozen=True)
class Relation:
    """``teller`` determines ``told``, in every row or with few exceptions."""

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
            return (
                f"'{self.told}' is the sum of '{self.teller}' and '{self.other}': somebody who sees two of them knows "
                "the third. Give all the same role, or drop one."
            )
        if self.how == "order":
            return (
                f"'{self.teller}' and '{self.told}' rise together row by row: one tells what the other hides. Give "
                "both the same role, or drop one."
            )
        what = "a part of" if self.how == "part" else "told by"
        return (
            f"'{self.told}' is {what} '{self.teller}': it tells some of what '{self.teller}' hides. Give both the same "
            "role, or drop one."
        )


def relations(frame: pl.DataFrame, columns: Sequence[Understanding]) -> list[Relation]:
    """Every column that another determines, each named once, copies first."""
    chosen = [u for u in columns if u.kind not in ("constant", "text") and u.n_values > 1 and u.n_present >= FEWEST][
        :MOST_COLUMNS
    ]
    marks = {u.column: u.marks for u in chosen}
    whole, few = ParsedColumns(frame, marks), ParsedColumns(frame.head(SAMPLE), marks)
    found = [*_functions(chosen, few, whole), *_parts(chosen, few, whole)]
    numbers = [u.column for u in chosen if u.kind in ("number", "year") and (u.style or PLAIN).is_plain]
    found += _orders(numbers, few, whole, found)
    found += _sums(numbers[:MOST_SUMMANDS], few, whole)
    return _once(found)


class ParsedColumns:
    """The columns of some rows as codes, numbers and days, each computed when it is first needed: most pairs are told
    apart by a few rows.
    """

    def __init__(self, frame: pl.DataFrame, marks: Mapping[str, Sequence[str]] | None = None) -> None:
        self.frame, self.marks = frame, marks or {}
        self._codes: dict[str, NDArray[np.int64]] = {}
        self._numbers: dict[str, Floats] = {}
        self._days: dict[str, tuple[Days, NDArray[np.bool_]]] = {}

    def codes(self, name: str) -> NDArray[np.int64]:
        """A number for each text; 0 where there is none, or a mark of missing."""
        if name not in self._codes:
            texts = as_text(self.frame[name])
            texts = texts.set(texts.is_in(list(self.marks.get(name, ()))), None) if self.marks.get(name) else texts
            self._codes[name] = texts.rank("dense").fill_null(0).to_numpy().astype(np.int64)
        return self._codes[name]

    def numbers(self, name: str) -> Floats:
        """The numbers; not finite where there is none."""
        if name not in self._numbers:
            self._numbers[name] = parse_numbers(as_text(self.frame[name]).fill_null(""))[0]
        return self._numbers[name]

    def days(self, name: str, form: str) -> tuple[Days, NDArray[np.bool_]]:
        """The days of dates, and where there is one."""
        if name not in self._days:
            moment, wrong = parse_moments(as_text(self.frame[name]).fill_null(""), form)
            there = np.ones(len(moment), dtype=bool)
            there[wrong] = False
            self._days[name] = (moment // DAY - 719_163).astype("datetime64[D]"), there
        return self._days[name]


def _functions(chosen: Sequence[Understanding], few: ParsedColumns, whole: ParsedColumns) -> list[Relation]:
    found = []
    for a, b in permutations(chosen, 2):
        if a.n_values < b.n_values or a.tells_rows_apart or (a.n_values == b.n_values and a.column > b.column):
            continue
        x, y = there(few.codes(a.column), few.codes(b.column))
        if n_exceptions(x, y) > 2 * SLACK * len(x):
            continue
        x, y = there(whole.codes(a.column), whole.codes(b.column))
        if not follows(x, y):
            continue
        is_copy = n_exceptions(x, y) == 0 == n_exceptions(y, x)
        # whose row it is tells everything of a person, and is dropped
        if is_copy or a.kind not in ("identifier", "name"):
            found.append(Relation(a.column, b.column, "copy" if is_copy else "function"))
    return found


def there(x: Longs, y: Longs) -> tuple[Longs, Longs]:
    """The codes of two columns in the rows in which neither is missing."""
    both = (x > 0) & (y > 0)
    return x[both], y[both]


def n_exceptions(x: Longs, y: Longs) -> int:
    """Rows whose y is not the usual one of their x."""
    if not len(x):
        return 0
    key = x * (int(y.max()) + 1) + y
    first, count, _ = rank_keys(key)
    of = key[first] // (int(y.max()) + 1)
    usual = np.maximum.reduceat(count, np.flatnonzero(np.r_[True, of[1:] != of[:-1]]))
    return len(x) - int(usual.sum())


def follows(x: Longs, y: Longs) -> bool:
    """Whether rows that agree on x agree on y, with few exceptions, and not because y is nearly constant anyway."""
    if not len(x):
        return False
    share = np.bincount(y) / len(y)
    wrong, repeats = n_exceptions(x, y), len(x) - len(np.unique(x))
    if repeats < FEWEST or wrong > SLACK * len(x) or wrong > 0.1 * (1 - float(share.max())) * len(x):
        return False
    by_chance = float((share * share).sum()) if wrong == 0 else float(share.max())
    return is_no_accident(repeats, max(1 - wrong / repeats, 0.0), by_chance)


def _parts(chosen: Sequence[Understanding], few: ParsedColumns, whole: ParsedColumns) -> list[Relation]:
    """Years, months and days beside the date that they are of."""
    found = []
    for date in (u for u in chosen if u.kind in ("date", "timestamp") and u.form is not None):
        for u in chosen:
            if (
                u.kind in ("number", "year", "code", "ordered", "boolean")
                and (u.style or PLAIN).is_plain
                and u.n_values >= 2
            ):
                is_part, n_both = _is_part(date, u, few)
                if is_part and (n_both or bool(np.isfinite(whole.numbers(u.column)).any())):
                    is_part, n_both = _is_part(date, u, whole)
                    found += [Relation(date.column, u.column, "part")] if is_part and n_both >= FEWEST else []
    return found


def _is_part(date: Understanding, u: Understanding, cells: ParsedColumns) -> tuple[bool, int]:
    """Whether a column is the year, the month or the day of a date wherever both are there, and in how many rows that
    is.
    """
    day, there = cells.days(date.column, str(date.form))
    number = cells.numbers(u.column)
    both = there & np.isfinite(number)
    month = day.astype("datetime64[M]")
    parts = (
        day.astype("datetime64[Y]").astype(np.int64) + 1970,
        month.astype(np.int64) % 12 + 1,
        (day - month).astype(np.int64) + 1,
    )
    return any((number[both] == part[both]).all() for part in parts), int(both.sum())


def _orders(
    names: Sequence[str], few: ParsedColumns, whole: ParsedColumns, known: Sequence[Relation]
) -> list[Relation]:
    """Numbers that rise or fall with each other, even if no value occurs twice."""
    told = {(r.teller, r.told) for r in known} | {(r.told, r.teller) for r in known}
    found = []
    for a, b in combinations(names, 2):
        if (a, b) in told or not _rise_together(*_both(few, a, b)):
            continue
        x, y = _both(whole, a, b)
        if len(x) >= 2 * FEWEST and min(len(np.unique(x)), len(np.unique(y))) >= FEWEST and _rise_together(x, y):
            found.append(Relation(a, b, "order"))
    return found


def _both(cells: ParsedColumns, a: str, b: str) -> tuple[Floats, Floats]:
    """The numbers of two columns where both are there."""
    x, y = cells.numbers(a), cells.numbers(b)
    both = np.isfinite(x) & np.isfinite(y)
    return x[both], y[both]


def _rise_together(x: Floats, y: Floats) -> bool:
    sorted_y = y[np.lexsort((y, x))]
    falling_y = y[np.lexsort((-y, x))]
    return bool((np.diff(sorted_y) >= 0).all() or (np.diff(falling_y) <= 0).all())


def _sums(names: Sequence[str], few: ParsedColumns, whole: ParsedColumns) -> list[Relation]:
    found = []
    for a, b in combinations(names, 2):
        for c in names:
            if c not in (a, b) and _is_sum(few, a, b, c, 0) and _is_sum(whole, a, b, c, 2 * FEWEST):
                found.append(Relation(a, c, "sum", b))
    return found


def _is_sum(cells: ParsedColumns, a: str, b: str, c: str, fewest: int) -> bool:
    """Whether the third column is the sum of the others wherever all are there, in so many rows at least; zeros alone
    are no summand.
    """
    x, y, z = cells.numbers(a), cells.numbers(b), cells.numbers(c)
    both = np.isfinite(x) & np.isfinite(y) & np.isfinite(z)
    if fewest and (both.sum() < fewest or not (x[both] != 0).any() or not (y[both] != 0).any()):
        return False
    return bool(np.allclose(x[both] + y[both], z[both], rtol=1e-9, atol=1e-9))


def _once(found: Sequence[Relation]) -> list[Relation]:
    """One relation for each pair of columns: a copy before a part, then a sum, then a common order, then a function."""
    kept: dict[tuple[str, str], Relation] = {}
    rank = {"copy": 0, "part": 1, "sum": 2, "order": 3, "function": 4}
    for relation in sorted(found, key=lambda r: rank[r.how]):
        pair = (min(relation.teller, relation.told), max(relation.teller, relation.told))
        kept.setdefault(pair, relation)
    return list(kept.values())
