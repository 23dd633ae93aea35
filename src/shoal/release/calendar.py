"""Dates in released cells: the moments that a text names, in the form in which the column writes its dates."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np
from numpy.typing import NDArray

from shoal.hierarchies.numbers import date_forms, parse_dates

Ends = tuple[float, bool, float, bool]
ISO = "YYYY-MM-DD"
CLOCK = re.compile(r"(\d{1,2}):(\d{2})(?::(\d{2}(?:[.,]\d+)?))?")
PART = re.compile(r"(\d{4})(?:-(?:(\d{2})(?:-(\d{2}))?|Q([1-4])|W(\d{2}))|(s))?", re.ASCII)
BRACKET = re.compile(r"([\[(\]])(.*)([\])\[])", re.DOTALL)
MARKS = (", ", ",", ";", "~", "..", " - ", " to ", " – ", "–", "-", "/", ":")
"""What may stand between two dates; the first that leaves two dates is taken."""


@dataclass(frozen=True, eq=False)
class Calendar:
    """One way to read all values of a column as dates."""

    form: str
    moment: NDArray[np.float64]
    """Each value as a day, with the time of day as a fraction; NaN for none."""

    def ends_of(self, shown: str) -> Ends | None:
        """The first and the last moment of a text: a unit of the calendar, one date, an interval or a range of dates."""
        part = part_of(shown)
        if part is not None:
            return part
        bracket = BRACKET.fullmatch(shown)
        inner = bracket[2] if bracket else shown
        one = self._date(shown)
        if one is not None:
            return one
        for mark in MARKS:
            for at in _places(inner, mark):
                low, high = self._date(inner[:at].strip()), self._date(inner[at + len(mark) :].strip())
                if low is not None and high is not None:
                    return _joined(low, high, bracket)
        return None

    def _date(self, text: str) -> Ends | None:
        """From when to when a date lasts: a day, or a moment where it has a time of day."""
        for form in (self.form, ISO):
            day = parse_dates([text], form)[0][0]
            if day:
                moment = day + _time(text)
                has_time = CLOCK.search(text) is not None
                return (moment, True, moment, True) if has_time else (float(day), True, float(day + 1), False)
        return None


def _joined(low: Ends, high: Ends, bracket: re.Match[str] | None) -> Ends:
    """From the beginning of one date to the end of another; an open end leaves its date out."""
    begin = low[:2] if bracket is None or bracket[1] == "[" else (low[2], not low[3])
    end = high[2:] if bracket is None or bracket[3] == "]" else (high[0], False)
    return (*begin, *end)


def _places(text: str, mark: str) -> list[int]:
    return [i for i in range(1, len(text)) if text.startswith(mark, i)]


def _time(text: str) -> float:
    found = CLOCK.search(text)
    if found is None:
        return 0.0
    seconds = float((found[3] or "0").replace(",", "."))
    return (int(found[1]) * 3600 + int(found[2]) * 60 + seconds) / 86400


def part_of(shown: str) -> Ends | None:
    """The days of ``2024``, ``2024-05``, ``2024-05-31``, ``2024-Q2``, ``2024-W07`` or ``2020s``."""
    found = PART.fullmatch(shown)
    if found is None or int(found[1]) == 0:
        return None
    year = int(found[1])
    try:
        if found[5]:
            first = date.fromisocalendar(year, int(found[5]), 1).toordinal()
            return float(first), True, float(first + 7), False
        if found[3]:
            first = date(year, int(found[2]), int(found[3])).toordinal()
            return float(first), True, float(first + 1), False
        months = (int(found[2]), int(found[2])) if found[2] else (3 * int(found[4]) - 2, 3 * int(found[4])) if found[4] else (1, 12)
        last_year = year + 9 if found[6] else year
        end = date(last_year, months[1], monthrange(last_year, months[1])[1]).toordinal()
        return float(date(year, months[0], 1).toordinal()), True, float(end + 1), False
    except ValueError:
        return None


def calendars_of(texts: Sequence[str | None]) -> list[Calendar]:
    """Every form of date that all values fit."""
    there = [text for text in texts if text is not None]
    forms = [form for form, unfit in date_forms(there).items() if unfit == 0] if there else []
    return [Calendar(form, _moments(texts, form)) for form in forms]


def _moments(texts: Sequence[str | None], form: str) -> NDArray[np.float64]:
    day = parse_dates(["" if text is None else text for text in texts], form)[0].astype(np.float64)
    clock = np.fromiter((0.0 if text is None else _time(text) for text in texts), dtype=np.float64, count=len(texts))
    return np.where(day == 0, np.nan, day + clock)
