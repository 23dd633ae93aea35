"""Dates in released cells: the moments that a text names, in the form in which the column writes its dates."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache

import numpy as np
from numpy.typing import NDArray

from shoal.text.dates import DAY, FORMS, parse_moments

Ends = tuple[float, bool, float, bool]
ISO = "YYYY-MM-DD"
CLOCK = re.compile(r"\d{1,2}:\d{2}", re.ASCII)
PART = re.compile(r"(\d{4})(?:-(?:(\d{2})(?:-(\d{2})(?:T(\d{2})(?::(\d{2}))?)?)?|Q([1-4])|W(\d{2}))|(s))?", re.ASCII)
BRACKET = re.compile(r"([\[(\]])(.*)([\])\[])", re.DOTALL)
MARKS = (", ", ",", ";", "~", "..", " - ", " to ", " – ", "–", "-", "/", ":")
"""What may stand between two dates; the first that leaves two dates is taken."""


@dataclass(frozen=True, eq=False)
class Calendar:
    """One way to read all values of a column as dates."""

    form: str
    moment: NDArray[np.float64]
    """Each value as a second, days counted as Python counts them; NaN for none."""

    def ends_of(self, shown: str) -> Ends | None:
        """The first and the last moment of a text: a unit of the calendar, one date, an interval or a range of dates."""
        found = part_of(shown) or self._date(shown)
        if found is not None:
            return found
        bracket = BRACKET.fullmatch(shown)
        inner = bracket[2] if bracket else shown
        for mark in MARKS:
            for at in _places(inner, mark):
                low, high = self._date(inner[:at].strip(" ")), self._date(inner[at + len(mark) :].strip(" "))
                if low is not None and high is not None:
                    return _joined(low, high, bracket)
        return None

    def _date(self, text: str) -> Ends | None:
        """From when to when a date lasts: a day, or a moment where it has a time of day."""
        for form in dict.fromkeys((self.form, ISO)):
            if pattern_of(form).fullmatch(text):
                moment, wrong = parse_moments([text], form)
                if not len(wrong):
                    begin = float(moment[0])
                    return (begin, True, begin, True) if CLOCK.search(text) else (begin, True, begin + DAY, False)
        return None


def _joined(low: Ends, high: Ends, bracket: re.Match[str] | None) -> Ends:
    """From the beginning of one date to the end of another; an open end leaves its date out."""
    begin = low[:2] if bracket is None or bracket[1] == "[" else (low[2], not low[3])
    end = high[2:] if bracket is None or bracket[3] == "]" else (high[0], False)
    return (*begin, *end)


def _places(text: str, mark: str) -> list[int]:
    return [i for i in range(1, len(text)) if text.startswith(mark, i)]


def part_of(shown: str) -> Ends | None:
    """The moments of ``2024``, ``2024-05``, ``2024-05-31``, ``2024-05-31T07``, ``2024-05-31T07:15``, ``2024-Q2``, ``2024-W07`` or ``2020s``."""
    found = PART.fullmatch(shown)
    if found is None or int(found[1]) == 0:
        return None
    year, month, day, hour, minute, quarter, week, decade = found.groups()
    try:
        if week:
            return _days(date.fromisocalendar(int(year), int(week), 1), 7)
        if hour:
            begin = date(int(year), int(month), int(day)).toordinal() * DAY + int(hour) * 3600 + int(minute or 0) * 60
            return float(begin), True, float(begin + (60 if minute else 3600)), False
        if day:
            return _days(date(int(year), int(month), int(day)), 1)
        months = (int(month), int(month)) if month else (3 * int(quarter) - 2, 3 * int(quarter)) if quarter else (1, 12)
        last_year = int(year) + 9 if decade else int(year)
        first, last = date(int(year), months[0], 1), date(last_year, months[1], monthrange(last_year, months[1])[1])
        return _days(first, last.toordinal() - first.toordinal() + 1)
    except ValueError:
        return None


def _days(first: date, n_days: int) -> Ends:
    begin = first.toordinal() * DAY
    return float(begin), True, float(begin + n_days * DAY), False


def calendars_of(texts: Sequence[str | None]) -> list[Calendar]:
    """Every form of date that all values fit."""
    there = [i for i, text in enumerate(texts) if text is not None]
    sample = [str(texts[i]) for i in there[:: max(len(there) // 5, 1)]]
    found = []
    for form in FORMS if there else ():
        if all(pattern_of(form).fullmatch(text) for text in sample):
            moment, wrong = parse_moments([str(texts[i]) for i in there], form)
            if not len(wrong):
                full = np.full(len(texts), np.nan)
                full[there] = moment
                found.append(Calendar(form, full))
    return found


@cache
def pattern_of(form: str) -> re.Pattern[str]:
    """A form of dates as a pattern of whole texts."""
    return re.compile(FORMS[form], re.IGNORECASE)
