"""Columns of dates in a release without its original: which days the labels speak of, though some or all are cut down to months, years or decades."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import numpy as np

from shoal.judge.reading import Domain
from shoal.text.calendar import CLOCK, PART, Calendar
from shoal.text.dates import DAY, date_forms, parse_dates, write_date

ISO, MONTH = "YYYY-MM-DD", "YYYY-MM"
LONGEST = 60_000
"""All days between the first and the last are values if there are no more than this: 164 years."""


def days_of(labels: Sequence[str]) -> list[str] | None:
    """The days that a column may have, each as the column writes it; None if it is no column of dates.

    >>> days_of(["2020s", "2019-Q4"])[0], len(days_of(["2020s", "2019-Q4"]))
    ('2019-10-01', 3745)
    >>> days_of(["2019", "2020"]) is None
    True
    """
    forms = date_forms(labels) if labels else {}
    form = min(forms, key=lambda f: ("D" not in f, forms[f]), default=None)  # where one day is shown, months are parts
    if form == "YYYYMMDD":  # eight digits are a number
        return None
    if form is None:
        return _line(_ends(labels, ISO), {}, ISO) if _are_stretches(labels) else None
    wrong = set(parse_dates(labels, form)[1].tolist())
    full = [text for i, text in enumerate(labels) if i not in wrong]
    parts = [labels[i] for i in sorted(wrong)]
    if not full or any(not _is_part(text, full) for text in parts):
        return None
    if any(CLOCK.search(text) for text in full):
        return full
    shown = dict(zip(parse_dates(full, form)[0].tolist(), full, strict=True))
    days = [*shown, *_ends(parts, form)]
    if "D" in form:
        return _line(days, shown, form) or full
    return _months(days) if form == MONTH else full


def _months(days: Sequence[int]) -> list[str]:
    """All months from the first to the last: where months are the least that is shown, they are the values."""
    first, last = date.fromordinal(min(days)), date.fromordinal(max(days))
    return [f"{n // 12:04}-{n % 12 + 1:02}" for n in range(12 * first.year + first.month - 1, 12 * last.year + last.month)]


def _are_stretches(labels: Sequence[str]) -> bool:
    """Whether all are intervals of days, months, years and the like, and not all of one kind that may be what people wrote themselves: years, or months."""
    calendar = _calendar(ISO)
    if not labels or any(calendar.ends_of(label) is None for label in labels):
        return False
    found = [part for label in labels if (part := PART.fullmatch(label)) is not None]
    kinds = {tuple(group is not None for group in part.groups()) for part in found}
    can_be_written = {(True, False, False, False, False, False, False, False), (True, True, False, False, False, False, False, False)}
    return len(found) < len(labels) or len(kinds) > 1 or not kinds <= can_be_written


def _calendar(form: str) -> Calendar:
    return Calendar(form, np.zeros(0))


def _ends(parts: Sequence[str], form: str) -> list[int]:
    """The first and the last day of each."""
    found = [ends for text in parts if (ends := _calendar(form).ends_of(text)) is not None]
    return [day for begin, _, end, _ in found for day in (int(begin // DAY), int(np.ceil(end / DAY)) - 1)]


def _line(days: Sequence[int], shown: dict[int, str], form: str) -> list[str] | None:
    """All days between the first and the last, those that are shown as they are; None if they are too many."""
    if not days or max(days) - min(days) > LONGEST:
        return None
    return [shown.get(day) or write_date(day, form) for day in range(min(days), max(days) + 1)]


def _is_part(text: str, full: Sequence[str]) -> bool:
    """Whether a text names a month, a year or another stretch of days in a column of dates."""
    return any(calendar.ends_of(text) is not None for calendar in Domain(full[:1]).calendars)
