"""Dates: moments by minute, hour, day, week, month, quarter, year or decade."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, ClassVar

import numpy as np

from shoal.errors import HierarchyError, PolicyError
from shoal.hierarchies.encoded import Arrangement, Encoded, Longs, ValuesError, in_order
from shoal.hierarchies.stack import Layer
from shoal.text.dates import DAY, FORMS, date_forms, parse_moments

UNITS: dict[str, Callable[[date], str]] = {
    "minute": lambda d: d.isoformat(),
    "hour": lambda d: d.isoformat(),
    "day": lambda d: d.isoformat(),
    "week": lambda d: "{}-W{:02d}".format(*d.isocalendar()),
    "month": lambda d: f"{d.year:04d}-{d.month:02d}",
    "quarter": lambda d: f"{d.year:04d}-Q{(d.month + 2) // 3}",
    "year": lambda d: f"{d.year:04d}",
    "decade": lambda d: f"{d.year // 10 * 10:04d}s",
}
"""What each unit calls the day's block, from fine to coarse; minutes and hours add the time of the day."""
SECONDS = {"minute": 60, "hour": 3600}
DEFAULT = ("month", "year")
ADVICE = "Write all of them in one form, best YYYY-MM-DD, leave the cell empty, or give the column another hierarchy."


@dataclass(frozen=True)
class Dates:
    """Units from fine to coarse; ``form`` says how the dates are written, where that cannot be told."""

    units: tuple[str, ...] = DEFAULT
    form: str | None = None
    name: ClassVar[str] = "dates"

    def __post_init__(self) -> None:
        for unit in self.units:
            if not isinstance(unit, str) or unit not in UNITS:
                raise HierarchyError(f"There is no date unit called '{unit}'. There are: {', '.join(UNITS)}.")
        if self.form is not None and self.form not in list(FORMS):
            raise HierarchyError(f"There is no form of dates called '{self.form}'. There are: {', '.join(FORMS)}.")
        if not self.units or len(set(self.units)) < len(self.units):
            raise HierarchyError("Name at least one date unit, and each once: for example dates('month', 'year').")
        object.__setattr__(self, "units", tuple(sorted(self.units, key=list(UNITS).index)))
        coarser = [u for u in self.units if list(UNITS).index(u) > list(UNITS).index("week")]
        if "week" in self.units and coarser:
            raise HierarchyError(
                f"A week may lie in two {coarser[0]}s, so they make no tree. Leave out 'week' or '{coarser[0]}'."
            )

    @property
    def description(self) -> str:
        return "dates by " + ", ".join(self.units)

    def build(self, column: str, values: Sequence[str], has_missing: bool) -> Encoded:
        return self.arrange(column, values).encoded(self, has_missing)

    def arrange(self, column: str, values: Sequence[str]) -> Arrangement:
        """The values by time, with the block of each unit that holds them."""
        leaves, rank, moment = in_order(
            values, moments_of(column, values, self.form, set(self.units) <= {"year", "decade"})
        )
        return Arrangement(leaves, [_layer(moment, unit) for unit in self.units], rank)

    def to_toml(self) -> Any:
        return {self.name: list(self.units)} | ({} if self.form is None else {"form": self.form})

    @classmethod
    def from_toml(cls, value: Any, **options: Any) -> Dates:
        form = options.pop("form", None)
        if options:
            raise PolicyError(f"dates takes units and 'form', not '{next(iter(options))}'.")
        return dates(*(() if value is True else value if isinstance(value, list) else [value]), form=form)


def _layer(moment: Longs, unit: str) -> Layer:
    """Sorted moments by a unit. Moments of one block lie together, so a block's label is that of its first."""
    if unit in SECONDS:
        starts, block = np.unique(moment // SECONDS[unit], return_inverse=True)
        return Layer(block, [_clock_label(int(s) * SECONDS[unit], unit) for s in starts])
    days, of_value = np.unique(moment // DAY, return_inverse=True)
    number: dict[str, int] = {}
    calendar = [date.fromordinal(d) for d in days.tolist()]
    block = np.array([number.setdefault(UNITS[unit](d), len(number)) for d in calendar], dtype=np.int64)
    return Layer(block[of_value] if len(calendar) else block, list(number))


def _clock_label(second: int, unit: str) -> str:
    """``2024-03-05T07`` for the hour from seven, ``2024-03-05T07:15`` for a minute."""
    day, rest = divmod(second, DAY)
    hour = f"{date.fromordinal(day).isoformat()}T{rest // 3600:02d}"
    return hour if unit == "hour" else f"{hour}:{rest % 3600 // 60:02d}"


def days_of(column: str, values: Sequence[str], form: str | None = None) -> Longs:
    """The values as days, or an error that says how many are not dates, or that two readings are possible."""
    return moments_of(column, values, form) // DAY


def moments_of(column: str, values: Sequence[str], form: str | None = None, only_years: bool = False) -> Longs:
    """The values as seconds.

    Where two readings are possible, an error asks which, unless the year alone is wanted: there they agree.
    """
    if form is None and len(values):
        forms = date_forms(values)
        best = min(forms.values(), default=len(values))
        fitting = [f for f, wrong in forms.items() if wrong == best]
        if best == 0 and len(fitting) > 1 and not only_years:
            raise HierarchyError(
                f"Column '{column}': its dates can be read as {' and as '.join(fitting)}. Say which: dates(…, "
                f'form="{fitting[0]}"), '
                f'in a policy {{ dates = ["month", "year"], form = "{fitting[0]}" }}.'
            )
        form = fitting[0] if fitting else "YYYY-MM-DD"
    moment, wrong = parse_moments(values, form or "YYYY-MM-DD")
    if len(wrong):
        raise ValuesError(column, wrong, len(values), f"cannot be read as dates in the form {form} of the rest", ADVICE)
    return moment


def suggest_units(moment: Longs) -> tuple[str, ...]:
    """Units from fine to coarse on each of which something is merged, and never everything."""
    kept: list[str] = []
    below = len(np.unique(moment))
    is_short = len(moment) > 0 and int(moment.max() - moment.min()) < 70 * DAY
    for unit in (
        ("minute", "hour", "day", "week")
        if is_short
        else ("minute", "hour", "day", "month", "quarter", "year", "decade")
    ):
        blocks = len(_layer(np.sort(moment), unit).labels)
        if 1 < blocks <= 0.8 * below:
            kept.append(unit)
            below = blocks
    return tuple(kept) or ("year",)


def dates(*units: str, form: str | None = None) -> Dates:
    """Dates by calendar units; without any, by month and year.

    >>> dates("year", "month").description
    'dates by month, year'
    """
    return Dates(units or DEFAULT, form)
