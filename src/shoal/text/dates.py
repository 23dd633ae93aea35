"""Texts as moments: the forms in which people write dates and times.

A column is read in one form. Whether the day or the month comes first is decided from all dates together, or the user is asked.
A year of two digits lies between 1930 and 2029, as spreadsheets read it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.text.numbers import as_series

Longs = NDArray[np.int64]

DAY = 86_400
PIVOT = 30
"""Years of two digits below this one are of the 2000s."""
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = r"(?P<b>Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)(?:uary|ruary|ch|il|e|y|ust|tember|t|ober|ember)?\.?"
_CLOCK = r"(?P<H>[0-9]{1,2}):(?P<M>[0-9]{2})(?::(?P<S>[0-9]{2})(?:[.,][0-9]+)?)?(?: ?(?P<p>[AaPp])\.?[Mm]\.?)?"
_TIME = rf"(?:(?:T|,? +){_CLOCK} ?(?:Z|UTC|[+-][0-9]{{2}}:?[0-9]{{2}})?)?"
_D, _M, _Y, _YY = r"(?P<d>[0-9]{1,2})", r"(?P<m>[0-9]{1,2})", r"(?P<y>[0-9]{4})", r"(?P<y>[0-9]{2})"

FORMS: dict[str, str] = {
    "YYYY-MM-DD": rf"{_Y}-(?P<m>[0-9]{{2}})-(?P<d>[0-9]{{2}}){_TIME}",
    "YYYY/MM/DD": rf"{_Y}/{_M}/{_D}{_TIME}",
    "DD.MM.YYYY": rf"{_D}\.{_M}\.{_Y}{_TIME}",
    "DD/MM/YYYY": rf"{_D}/{_M}/{_Y}{_TIME}",
    "MM/DD/YYYY": rf"{_M}/{_D}/{_Y}{_TIME}",
    "DD-MM-YYYY": rf"{_D}-{_M}-{_Y}{_TIME}",
    "MM-DD-YYYY": rf"{_M}-{_D}-{_Y}{_TIME}",
    "DD.MM.YY": rf"{_D}\.{_M}\.{_YY}{_TIME}",
    "DD/MM/YY": rf"{_D}/{_M}/{_YY}{_TIME}",
    "MM/DD/YY": rf"{_M}/{_D}/{_YY}{_TIME}",
    "D Mon YYYY": rf"{_D}(?:st|nd|rd|th)?[ -]{_MONTH},?[ -]{_Y}{_TIME}",
    "D Mon YY": rf"{_D}[ -]{_MONTH}[ -]{_YY}{_TIME}",
    "Mon D, YYYY": rf"{_MONTH} {_D}(?:st|nd|rd|th)?,? {_Y}{_TIME}",
    "YYYY-Mon-DD": rf"{_Y}[ -]{_MONTH}[ -]{_D}{_TIME}",
    "Mon YYYY": rf"{_MONTH},?[ -]{_Y}",
    "YYYY-MM": rf"{_Y}-(?P<m>0[1-9]|1[0-2])",
    "MM/YYYY": rf"{_M}/{_Y}",
    "YYYYMMDD": rf"{_Y}(?P<m>[0-9]{{2}})(?P<d>[0-9]{{2}})",
}
"""The forms of a date that are understood; a time of day may follow all forms that name a day, except the last."""
SWAPPED = (("DD/MM/YYYY", "MM/DD/YYYY"), ("DD-MM-YYYY", "MM-DD-YYYY"), ("DD/MM/YY", "MM/DD/YY"))
"""Forms that differ only in whether the day or the month comes first."""
TIME_OF_DAY = rf"{_CLOCK}"


def parse_moments(texts: Sequence[str] | pl.Series, form: str) -> tuple[Longs, Longs]:
    """The second of each text in one form (counted so that day n of the proleptic calendar begins at n × 86,400), and the positions
    of those that are no date of that form."""
    column, pattern = as_series(texts), f"(?i)^{FORMS[form]}$"
    if not column.str.contains(pattern).any():  # the usual case: most forms fit no text
        return np.zeros(len(column), dtype=np.int64), np.arange(len(column))
    parts = column.str.extract_groups(pattern).struct.unnest()
    year, month, day = _year(parts, form), _month(parts), _whole(parts, "d", 1)
    ordinal = _ordinals(year, month, day)
    clock = _clock(parts)
    good = (ordinal > 0) & (clock >= 0)
    return np.where(good, ordinal * DAY + clock, 0), np.flatnonzero(~good)


def parse_dates(texts: Sequence[str] | pl.Series, form: str) -> tuple[Longs, Longs]:
    """The day (as a proleptic ordinal) of each text in one form, and the positions of those that are not dates of that form."""
    moment, wrong = parse_moments(texts, form)
    return moment // DAY, wrong


def write_date(day: int, form: str) -> str:
    """A day (as a proleptic ordinal) in one form, as :func:`parse_dates` reads it.

    >>> write_date(730120, "D Mon YYYY"), write_date(730120, "MM/DD/YY")
    ('1 Jan 2000', '01/01/00')
    """
    when = date.fromordinal(day)
    parts = {
        "YYYY": f"{when.year:04}",
        "YY": f"{when.year % 100:02}",
        "Mon": MONTHS[when.month - 1].capitalize(),
        "MM": f"{when.month:02}",
        "DD": f"{when.day:02}",
        "D": str(when.day),
    }
    return re.sub("|".join(parts), lambda found: parts[found[0]], form)


def parse_times(texts: Sequence[str] | pl.Series) -> tuple[Longs, Longs]:
    """The second of the day of each time such as ``07:05``, and the positions of those that are none."""
    parts = as_series(texts).str.extract_groups(rf"(?i)^{TIME_OF_DAY}$").struct.unnest()
    clock = np.where(parts["H"].is_null().to_numpy(), -1, _clock(parts))
    return clock, np.flatnonzero(clock < 0)


def date_forms(texts: Sequence[str] | pl.Series, sample: int = 1000) -> dict[str, int]:
    """For each form of a date that fits some text of a sample, how many of all texts do not fit it, the best first."""
    column = as_series(texts)
    some = column.gather_every(max(len(column) // sample, 1))
    if not some.str.contains(r"[0-9].*[0-9]").any():
        return {}
    likely = [form for form in FORMS if len(parse_dates(some, form)[1]) < len(some)]
    unfit = {form: len(parse_dates(column, form)[1]) for form in likely}
    return dict(sorted(unfit.items(), key=lambda pair: pair[1]))


def n_read_by_none(texts: Sequence[str] | pl.Series, forms: Sequence[str]) -> int:
    """How many texts are dates in none of some forms."""
    wrong = np.arange(len(texts))
    for form in forms:
        wrong = np.intersect1d(wrong, parse_dates(texts, form)[1])
    return len(wrong)


def has_times(texts: Sequence[str] | pl.Series) -> bool:
    """Whether some text of a column of dates tells a time of day other than midnight."""
    return bool(as_series(texts).str.contains(r"[0-9]:[0-9]{2}").any()) and not bool(
        as_series(texts).str.contains(r"[T ]0?0:00(?::00(?:\.0+)?)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?$").all()
    )


def _whole(parts: pl.DataFrame, name: str, absent: int) -> Longs:
    if name not in parts.columns:
        return np.full(parts.height, absent, dtype=np.int64)
    return parts[name].cast(pl.Int64, strict=False).fill_null(absent).to_numpy().astype(np.int64)


def _year(parts: pl.DataFrame, form: str) -> Longs:
    year = _whole(parts, "y", 0)
    if form.endswith("YYYY") or "YY" not in form.replace("YYYY", ""):
        return year
    absent = parts["y"].is_null().to_numpy()
    return np.where(absent, 0, np.where(year < PIVOT, 2000 + year, 1900 + year))


def _month(parts: pl.DataFrame) -> Longs:
    if "b" not in parts.columns:
        return _whole(parts, "m", 0)
    numbers = {name: i for i, name in enumerate(MONTHS, start=1)}
    return parts["b"].str.to_lowercase().replace_strict(numbers, default=0, return_dtype=pl.Int64).fill_null(0).to_numpy().astype(np.int64)


def _clock(parts: pl.DataFrame) -> Longs:
    """Seconds since midnight, 0 where there is no time, −1 for a time that does not exist."""
    if "H" not in parts.columns:
        return np.zeros(parts.height, dtype=np.int64)
    hour, minute, second = _whole(parts, "H", 0), _whole(parts, "M", 0), _whole(parts, "S", 0)
    half = parts["p"].str.to_lowercase().fill_null("").to_numpy() if "p" in parts.columns else np.full(parts.height, "")
    bad = (minute > 59) | (second > 60) | (hour > 24) | ((half != "") & ((hour > 12) | (hour < 1)))
    bad |= (hour == 24) & ((minute > 0) | (second > 0))
    hour = np.where(half == "p", hour % 12 + 12, np.where(half == "a", hour % 12, hour))
    return np.where(bad, -1, np.minimum(hour * 3600 + minute * 60 + second, DAY - 1))


def _ordinals(year: Longs, month: Longs, day: Longs) -> Longs:
    """Proleptic ordinals; 0 for a day that does not exist."""
    good = (year >= 1) & (year <= 9999) & (month >= 1) & (month <= 12) & (day >= 1)
    y, m, d = np.where(good, year, 1), np.where(good, month, 1), np.where(good, day, 1)
    starts = (y - 1970).astype("datetime64[Y]").astype("datetime64[M]") + (m - 1).astype("timedelta64[M]")
    first = starts.astype("datetime64[D]")
    length = ((starts + np.timedelta64(1, "M")).astype("datetime64[D]") - first).astype(np.int64)
    return np.where(good & (d <= length), first.astype(np.int64) + 719_163 + d - 1, 0)
