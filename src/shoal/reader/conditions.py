"""What an analyst asks for: ``age=(30, 39)``, ``sex="f"``, ``job=["nurse", "cook"]`` as sets of a column's values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.errors import DataError
from shoal.reader.certainty import Span
from shoal.reader.column import Column
from shoal.text.calendar import part_of
from shoal.text.cells import as_text
from shoal.text.dates import DAY
from shoal.text.numbers import parse_numbers, styles

LEAST = 1e-6
"""The part of a stretch that is asked for where it is a single number."""
LITTLE = 0.25
"""The same of an hour: people write whole hours, halves and quarters."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Condition:
    """A question about one column."""

    part: Floats
    """How much of each value is asked for: 1 or 0, or a part of one that stands for a stretch of numbers."""
    span: Span | None = None
    """The range that is asked for, both ends included; None where values are."""
    most: Floats | None = None
    """How much of each value it may be at the most: all of a stretch in which a single number or time is asked for."""

    @property
    def at_most(self) -> Floats:
        return self.part if self.most is None else self.most


def inside(column: Column, asked: Any) -> Condition:
    """What is asked of a column. A pair is a range with both ends, a list or a set any of its members."""
    if isinstance(asked, tuple):
        return _between(column, asked)
    if isinstance(asked, list | set | frozenset):
        each = [_equal(column, one) for one in asked]
        part, most = (np.maximum.reduce([np.zeros(column.n_values), *some]) for some in ([e.part for e in each], [e.at_most for e in each]))
        return Condition(part, None, most)
    return _equal(column, asked)


def _between(column: Column, asked: tuple[Any, ...]) -> Condition:
    if len(asked) != 2:
        raise DataError(f"Column '{column.name}': a range is a pair (low, high), with None for an open end; not {len(asked)} values.")
    if not column.is_line:
        raise DataError(f"Column '{column.name}' holds neither numbers nor dates, so it has no ranges. Give a list of values instead.")
    low, high = (_place(column, end) for end in asked)
    begin, end = -np.inf if asked[0] is None else low, np.inf if asked[1] is None else high
    if column.words.is_date and end == np.floor(end) and np.isfinite(end):
        end = float(np.nextafter(end + 1, -np.inf))  # a day lasts until its end
    first, last = _extent(column, (begin, end))
    with np.errstate(invalid="ignore", divide="ignore"):
        point = (first >= begin) & (last <= end)
        part = np.clip((np.minimum(last, end) - np.maximum(first, begin)) / (last - first), 0.0, 1.0 - LEAST)
        touched = (last > first) & (last >= begin) & (first <= end)
    part = np.where(touched, np.maximum(np.nan_to_num(part, nan=0.0), LEAST), 0.0)  # a single number of a stretch is possible, and unlikely
    return Condition(np.where(np.isnan(column.words.place), 0.0, np.where(point, 1.0, part)), (begin, end))


def _extent(column: Column, ends: tuple[float, float]) -> tuple[Floats, Floats]:
    """From where to where each value reaches. Where no number is shown and somebody asks for decimals, 20 stands for all from 20 to 21."""
    first, last = column.words.extent
    has_decimals = any(np.isfinite(end) and end != np.floor(end) for end in ends)
    if column.words.is_date or column.is_exact.any() or not has_decimals or (first != last)[~np.isnan(first)].any():
        return first, last
    line = np.unique(first[~np.isnan(first)])
    return first, first + (float(np.diff(line).min()) if len(line) > 1 else 0.0)


def _place(column: Column, end: Any) -> float:
    if end is None:
        return np.nan
    try:
        if column.words.is_date:
            return float((end if isinstance(end, date) else date.fromisoformat(str(end))).toordinal())
        return _number(column, end)
    except ValueError:
        kind = "days such as 2024-01-31" if column.words.is_date else "numbers"
        raise DataError(f"Column '{column.name}': the ends of a range must be {kind}.") from None


def _number(column: Column, asked: Any) -> float:
    """A number as the column writes its own (``60,5``), or in the one way in which it can be meant; ValueError if it is none."""
    text = str(asked).strip()
    meant = styles([text])
    for style in [*column.styles[:1], *(meant if len(meant) == 1 else [])]:
        number, wrong = parse_numbers([text], style)
        if not len(wrong):
            return float(number[0])
    raise ValueError


def _equal(column: Column, asked: Any) -> Condition:
    """One value; a name of the hierarchy stands for its values; None for missing cells."""
    text = None if asked is None else as_text(pl.Series([asked]))[0]
    where = {value: i for i, value in enumerate(column.words.values)}
    found = np.zeros(column.n_values)
    if text in where:
        found[where[text]] = 1.0
        return Condition(found * _whole(column), None, found)
    if text is not None and text in column.words.named:
        found[column.words.named[text]] = 1.0
        return Condition(found)
    if column.words.is_date and text is not None and (part := part_of(text)) is not None:
        span = part[0] / DAY, float(np.nextafter(part[2] / DAY, -np.inf))
        with np.errstate(invalid="ignore"):
            same = (column.words.place >= span[0]) & (column.words.place <= span[1])
        told = Condition(same.astype(np.float64), span)
    else:
        try:
            found = (column.words.place == _number(column, asked)).astype(np.float64)
            told = Condition(found * _whole(column), None, found)
        except ValueError:
            told = Condition(found)
    if not told.part.any():
        raise DataError(
            f"Column '{column.name}' has no such value. It is neither shown in the release nor in a hierarchy that was given. A label that hides something, such as 06***, is not a value."
        )
    return told


def _whole(column: Column) -> Floats:
    """How much of each value a single number or time is: all of a value, and little of a stretch."""
    first, last = column.words.extent
    return np.where(first < last, LEAST, np.where(column.words.is_stretch, LITTLE, 1.0))


def parse(text: str, columns: Mapping[str, Column]) -> dict[str, Any]:
    """``age=30..39 sex=f job=nurse|cook`` as conditions; a word with blanks in quotation marks."""
    import shlex

    try:
        words = shlex.split(text)
    except ValueError:
        raise DataError("A condition has an opening quotation mark without a closing one.") from None
    found: dict[str, Any] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or name not in columns:
            raise DataError(f"A condition is written COLUMN=VALUE, as in age=30..39 sex=f. {_words(columns)}")
        found[name] = _value(columns[name], value)
    return found


def _words(columns: Mapping[str, Column]) -> str:
    """The columns for a message, unless their names seem to be somebody's row."""
    if 3 * sum(name in column.words.values for name, column in columns.items()) >= max(len(columns), 3):
        return "The first line of the release looks like a row and not like a header: does the file have one?"
    return f"The release has these columns: {', '.join(columns)}."


def _value(column: Column, text: str) -> Any:
    if ".." in text and column.is_line:
        low, _, high = text.partition("..")
        return (low or None, high or None)
    return text.split("|") if "|" in text and text not in column.words.values else text
