"""Texts as numbers and dates, or the news of which are none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Longs = NDArray[np.int64]

_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_TIME = r"(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?"

FORMS: dict[str, re.Pattern[str]] = {
    "YYYY-MM-DD": re.compile(rf"(?P<y>\d{{4}})-(?P<m>\d{{2}})-(?P<d>\d{{2}}){_TIME}", re.ASCII),
    "YYYY/MM/DD": re.compile(rf"(?P<y>\d{{4}})/(?P<m>\d{{1,2}})/(?P<d>\d{{1,2}}){_TIME}", re.ASCII),
    "DD.MM.YYYY": re.compile(rf"(?P<d>\d{{1,2}})\.(?P<m>\d{{1,2}})\.(?P<y>\d{{4}}){_TIME}", re.ASCII),
    "DD/MM/YYYY": re.compile(rf"(?P<d>\d{{1,2}})/(?P<m>\d{{1,2}})/(?P<y>\d{{4}}){_TIME}", re.ASCII),
    "MM/DD/YYYY": re.compile(rf"(?P<m>\d{{1,2}})/(?P<d>\d{{1,2}})/(?P<y>\d{{4}}){_TIME}", re.ASCII),
    "DD-MM-YYYY": re.compile(rf"(?P<d>\d{{1,2}})-(?P<m>\d{{1,2}})-(?P<y>\d{{4}}){_TIME}", re.ASCII),
    "YYYY-MM": re.compile(r"(?P<y>\d{4})-(?P<m>\d{2})", re.ASCII),
    "YYYYMMDD": re.compile(r"(?P<y>\d{4})(?P<m>\d{2})(?P<d>\d{2})", re.ASCII),
}
"""The forms of a date that are understood; a time of day may follow all that name a day, but the last."""


def is_number(text: str) -> bool:
    """Whether a text is a plain number.

    >>> is_number("-0.5"), is_number("12 kg"), is_number("nan"), is_number("1_000")
    (True, False, False, False)
    """
    return _NUMBER.fullmatch(text) is not None


def parse_numbers(texts: Sequence[str]) -> tuple[Floats, Longs]:
    """The number of each text (NaN for none), and the positions of those that are none or too large to be one."""
    match = _NUMBER.fullmatch
    number = np.fromiter((float(t) if match(t) else np.nan for t in texts), dtype=np.float64, count=len(texts))
    return number, np.flatnonzero(~np.isfinite(number))


def parse_dates(texts: Sequence[str], form: str) -> tuple[Longs, Longs]:
    """The day (as a proleptic ordinal) of each text in one form, and the positions of those that are no date of that form."""
    pattern = FORMS[form]
    day = np.fromiter((_ordinal(pattern, text) for text in texts), dtype=np.int64, count=len(texts))
    return day, np.flatnonzero(day == 0)


def _ordinal(pattern: re.Pattern[str], text: str) -> int:
    found = pattern.fullmatch(text)
    if not found:
        return 0
    parts = found.groupdict()
    try:
        return date(int(parts["y"]), int(parts["m"]), int(parts.get("d") or 1)).toordinal()
    except ValueError:
        return 0


def date_forms(texts: Sequence[str], sample: int = 1000) -> dict[str, int]:
    """For each form of a date that fits some text of a sample, how many of all texts do not fit it, the best first."""
    some = texts[:: max(len(texts) // sample, 1)]
    likely = [form for form in FORMS if len(parse_dates(some, form)[1]) < len(some)]
    unfit = {form: len(parse_dates(texts, form)[1]) for form in likely}
    return dict(sorted(unfit.items(), key=lambda pair: pair[1]))
