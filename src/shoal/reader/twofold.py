"""Labels without a hierarchy or a manifest that look like one value and may be more: rounded numbers, codes cut short, days that stand for their month, thousands, two-digit years."""

from __future__ import annotations

import math
import re
from calendar import monthrange
from collections.abc import Mapping, Sequence
from datetime import date

import numpy as np

from shoal.judge.reading import PLAIN
from shoal.text.calendar import BRACKET, part_of
from shoal.text.dates import DAY, date_forms

Span = tuple[float, float]
TOKEN = re.compile(r"\d+(?:\.\d+)*", re.ASCII)
THOUSANDS = re.compile(r"[1-9]\d{0,2}(?:\.\d{3})+|\d{1,3}", re.ASCII)
CODE = re.compile(r"\d{2,}", re.ASCII)
SHORTEST_CODE = 5
"""Numbers with so many digits may be codes, such as postal codes, of which others are the beginning."""
LEAST_ROUNDED = 5


def unit_of(labels: Sequence[str]) -> float:
    """To what the numbers of a column may be rounded: the largest 5, 10, 50, 100, … that divides all of them; 0 for nothing.

    >>> unit_of(["40", "55", "[20, 30)"]), unit_of(["40", "41"]), unit_of(["1200", "700"])
    (5.0, 0.0, 100.0)
    """
    numbers = [float(label) for label in labels if PLAIN.fullmatch(label)]
    if not all(number == int(number) for number in numbers if math.isfinite(number)):
        return 0.0
    common = math.gcd(*(int(number) for number in numbers if math.isfinite(number)))
    zeros = len(str(common)) - len(str(common).rstrip("0")) if common else 0
    unit = 10**zeros * (5 if common and common // 10**zeros % 5 == 0 else 1)
    return float(unit) if unit >= LEAST_ROUNDED else 0.0


def around(at: float, unit: float) -> Span:
    """Where a rounded number may lie: it may be rounded up or down, or be the first or the last of its step."""
    return (float(np.nextafter(at - unit, np.inf)), float(np.nextafter(at + unit, -np.inf))) if unit else (at, at)


def cut_short(labels: Sequence[str]) -> frozenset[str]:
    """Numbers that may be the beginning of codes: ``812`` beside ``81234``, where nothing of the length between is shown, or each begins a longer one.

    >>> sorted(cut_short(["81234", "812", "90210"])), sorted(cut_short(["12000", "8500", "700"]))
    (['812'], [])
    """
    codes = {label for label in labels if CODE.fullmatch(label)}
    longest = max(map(len, codes), default=0)
    short = {code for code in codes if len(code) < longest}
    if longest < SHORTEST_CODE or not short:
        return frozenset()
    lengths = {len(code) for code in codes}
    begins = all(any(code.startswith(one) for code in codes if len(code) > len(one)) for one in short)
    return frozenset(short) if begins or len(lengths) <= longest - min(lengths) else frozenset()


def days_of_stretches(place: Mapping[str, float]) -> dict[str, Span]:
    """From when to when days may last: the whole year where all have the same day and month, the month where all have the same day, else nothing is said of them.

    >>> days_of_stretches({"2020-01-15": 737439, "2020-02-03": 737458})
    {}
    """
    days = {label: date.fromordinal(int(at)) for label, at in place.items() if _is_a_day(label)}
    if len({day.day for day in days.values()}) != 1:
        return {}
    n_months = 12 if len({day.month for day in days.values()}) == 1 else 1
    return {label: _months(day.replace(day=1, month=1 if n_months == 12 else day.month), n_months) for label, day in days.items()}


def _is_a_day(label: str) -> bool:
    part = part_of(label)
    return part is None or part[2] - part[0] <= DAY


def _months(first: date, n_months: int) -> Span:
    days = sum(monthrange(first.year, first.month + i)[1] for i in range(n_months))
    return float(first.toordinal()), float(np.nextafter(first.toordinal() + days, -np.inf))


def may_be_thousands(labels: Sequence[str]) -> bool:
    """Whether the point of a column's numbers may stand between thousands: ``1.234`` beside ``999`` and ``12.000``.

    >>> may_be_thousands(["1.234", "999"]), may_be_thousands(["1.234", "0.5"]), may_be_thousands(["12", "999"])
    (True, False, False)
    """
    tokens = [token for label in labels for token in TOKEN.findall(label)]
    return any("." in token for token in tokens) and all(THOUSANDS.fullmatch(token) for token in tokens)


def have_several_forms(labels: Sequence[str], *, is_ours: bool) -> bool:
    """Whether days can be read in two ways: with the month or with the day first, or, in files that are not ours, in one century or another."""
    days = [label for label in labels if part_of(label) is None and BRACKET.fullmatch(label) is None]
    fitting = [form for form, wrong in date_forms(days).items() if wrong == 0] if days else []
    return len(fitting) > 1 or any("YY" in form.replace("YYYY", "") and not is_ours for form in fitting)


def as_list(label: str, at: float) -> Span:
    """Where a number lies whose comma may stand between two: 72,5 is one, and 20,30 may be the numbers from 20 to 30."""
    parts = [float(part) for part in label.split(",") if PLAIN.fullmatch(part)]
    is_list = len(parts) == label.count(",") + 1 > 1 and parts == sorted(parts)
    return (min(at, *parts), max(at, *parts)) if is_list else (at, at)
