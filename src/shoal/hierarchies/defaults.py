"""The hierarchy that a column gets by itself: one set of rules for defaults, for ``hierarchy suggest`` and for the
studio.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

import numpy as np
import polars as pl

from shoal.columns.kinds import Found, look_at
from shoal.hierarchies.builders.dates import Dates, suggest_units
from shoal.hierarchies.builders.grid import Grid, is_skewed
from shoal.hierarchies.builders.intervals import Intervals, is_too_narrow, suggest_widths
from shoal.hierarchies.builders.laminar import laminar
from shoal.hierarchies.builders.levels import levels
from shoal.hierarchies.builders.neighbours import Neighbours
from shoal.hierarchies.builders.prefixes import Prefixes, suggest_lengths
from shoal.hierarchies.builders.suppression import Suppression
from shoal.hierarchies.builders.times import Times
from shoal.hierarchies.encoded import Longs, Spec
from shoal.text.dates import date_forms, parse_moments
from shoal.text.labels import set_label
from shoal.text.missing import marks_in
from shoal.text.numbers import PLAIN, Floats, parse_numbers

UNCOUNTED = 1000
"""Without counts, each value is assumed to occur this often, so that no value looks rare."""
BEYOND_INTERVALS = 1e24
"""Numbers as large as these are not quantities."""
COMMON_SHARE = 0.95
"""Common values are the fewest that make up this share of a column."""
FEWEST_VALUES = 6
MOST_NAMED = 12
"""A group is named by its values, or by those that are not in it, if there are no more than this."""
DEGREES = tuple(map(Decimal, ("0.01", "0.1", "1", "10")))
"""Widths of latitude and longitude, the same for both, so that together they make square cells."""


def default_spec(column: str, values: Sequence[str], counts: Longs | None = None) -> Spec:
    """The hierarchy of a column that was given none, from its name, its sorted distinct texts and how often each
    occurs.

    >>> default_spec("age", ["17", "18", "90"]).description, default_spec("zip", ["81243", "81249"]).description
    ('intervals of 5, 10, 20', 'prefixes of 4')
    """
    if not len(values):
        return Suppression()
    texts = pl.Series(list(values), dtype=pl.String)
    n = np.full(len(texts), UNCOUNTED, dtype=np.int64) if counts is None else counts
    found = look_at(column, texts, n)
    if found.kind in ("number", "year"):
        return _numbers(texts, found, counts)
    if found.kind in ("latitude", "longitude"):
        return _degrees(texts, found)
    if found.kind in ("date", "timestamp"):
        return _dates(texts, found)
    if found.kind == "time":
        return Times()
    if found.kind == "ordered":
        return Neighbours(found.order)
    if found.kind == "postal code" and _has_districts(texts):
        return levels(_districts(values))
    if found.kind in ("postal code", "code", "identifier") and found.style is None and _can_be_cut(texts):
        return Prefixes(suggest_lengths(values))
    if found.kind in ("category", "code") and (lengths := _lengths_without_marks(column, texts, n)):
        return Prefixes(lengths)
    return _categories(values, n) if found.kind in ("category", "code") and counts is not None else Suppression()


def _lengths_without_marks(column: str, texts: pl.Series, counts: Longs) -> tuple[int, ...]:
    """Prefixes of codes among which stand marks of missing, such as ``NA``; none where the other values are no codes.

    A mark is a code that is too short to be cut.
    """
    marks = marks_in(texts, counts)
    is_rest = ~texts.is_in(list(marks))
    rest = texts.filter(is_rest)
    if not marks or len(rest) < 2:
        return ()
    found = look_at(column, rest, counts[is_rest.to_numpy()])
    is_code = (
        found.kind in ("postal code", "code") and found.style is None and not _has_districts(rest) and _can_be_cut(rest)
    )
    return suggest_lengths(rest.to_list()) if is_code else ()


def _numbers(texts: pl.Series, found: Found, counts: Longs | None) -> Spec:
    if found.question is not None or found.style is None:
        return Suppression()
    number, _ = parse_numbers(texts, found.style)
    if abs(number).max() >= BEYOND_INTERVALS:
        return Suppression()
    spec = Grid() if found.kind == "number" and is_skewed(number, counts) else Intervals(suggest_widths(number, counts))
    if isinstance(spec, Intervals) and is_too_narrow(
        number, spec.widths
    ):  # names of things rather than quantities: they differ in their last digits only
        return Prefixes(suggest_lengths(texts.to_list())) if _can_be_cut(texts) else Suppression()
    return spec


def _degrees(texts: pl.Series, found: Found) -> Spec:
    number: Floats = parse_numbers(texts, found.style or PLAIN)[0]
    spread = float(number.max() - number.min())
    return Intervals(tuple(w for w in DEGREES if float(w) <= max(spread / 2, 0.01)))


def _dates(texts: pl.Series, found: Found) -> Spec:
    if found.form is not None:
        return Dates(suggest_units(parse_moments(texts, found.form)[0]))
    form = next(form for form, unfit in date_forms(texts).items() if unfit == 0)
    moment, _ = parse_moments(texts, form)
    years = tuple(unit for unit in suggest_units(moment) if unit in ("year", "decade"))
    return Dates(years or ("year",))


def _has_districts(texts: pl.Series) -> bool:
    """Postal codes of two parts and different lengths, such as SW1A 1AA and N1 9GU: cut to a number of characters, they
    would have no prefix in common.
    """
    return (
        bool(texts.str.contains("^[A-Za-z]+[0-9][A-Za-z0-9]* [A-Za-z0-9]+$").all())
        and texts.str.len_chars().n_unique() > 1
    )


def _districts(values: Sequence[str]) -> list[list[str]]:
    """The part before the blank, then its letters."""
    rows = []
    for value in values:
        district, _, rest = value.partition(" ")
        area = re.sub("[0-9].*", "", district)
        rows.append([value, f"{district} {'*' * len(rest)}", f"{area} area", "*"])
    return rows


def _can_be_cut(texts: pl.Series) -> bool:
    """Codes of letters and digits, or digits of one length, begin with what they have in common; plain numbers do
    not.
    """
    is_mixed = bool(texts.str.contains("[A-Za-z]").any() and texts.str.contains("[0-9]").all())
    is_digits = bool(texts.str.contains("^[0-9]{3,}$").all())
    return (is_mixed or is_digits) and not bool(texts.str.ends_with("*").any())


def _categories(values: Sequence[str], counts: Longs) -> Spec:
    """Suppression; for many values of very different frequency, the rare ones as one group before that, named by what
    it holds.
    """
    common = common_values(counts)
    n_rare = len(values) - int(common.sum())
    if len(values) < FEWEST_VALUES or n_rare < 2 or int(common.sum()) < 2:
        return Suppression()
    kept = [v for v, is_common in zip(values, common.tolist(), strict=True) if is_common]
    rare = [v for v, is_common in zip(values, common.tolist(), strict=True) if not is_common]
    label = f"not {set_label(kept)}" if len(kept) <= MOST_NAMED else set_label(rare)
    return Suppression() if min(len(kept), len(rare)) > MOST_NAMED or label in values else laminar({label: rare})


def common_values(counts: Longs) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """The fewest values that make up most of the column.

    Of equally frequent values, all are taken if all are needed, else none.
    """
    falling = np.sort(counts)[::-1]
    enough = int(np.searchsorted(np.cumsum(falling), COMMON_SHARE * falling.sum()))
    enough = min(enough, len(falling) - 1)
    some_would_do = enough + 1 < len(falling) and falling[enough] == falling[enough + 1]
    return np.asarray(counts > falling[enough] if some_would_do else counts >= falling[enough])


__all__ = ["common_values", "default_spec"]
