"""Intervals: numbers by fixed widths, each a multiple of the one before, with ends at multiples of the width."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from shoal.errors import HierarchyError, PolicyError
from shoal.hierarchies.encoded import Arrangement, Encoded, ValuesError, in_order
from shoal.hierarchies.stack import Layer
from shoal.text.labels import interval_label, number_text
from shoal.text.numbers import STYLES, Floats, Style, parse_numbers, styles

PLAIN = "Write them as plain numbers such as 12 or 12.5, leave the cell empty, or give the column another hierarchy."
LARGEST = 2**52
MOST_IN_ONE = 0.85
"""A width that puts a larger share of the rows into one interval says too little."""
NARROWEST, WIDEST = Decimal("1e-15"), Decimal("1e15")


@dataclass(frozen=True)
class Intervals:
    """Widths from narrow to wide; none at all: chosen from the data.

    ``form`` says how the numbers are written, where that cannot be told.
    """

    widths: tuple[Decimal, ...] = ()
    form: str | None = None
    name: ClassVar[str] = "intervals"

    def __post_init__(self) -> None:
        if self.form is not None and self.form not in STYLES:
            raise HierarchyError(f"There is no form of numbers called '{self.form}'. There are: {', '.join(STYLES)}.")
        for width in self.widths:
            if not width.is_finite() or not NARROWEST <= width <= WIDEST:
                raise HierarchyError(
                    f"An interval cannot be {width} wide: widths lie between {NARROWEST} and {WIDEST}."
                )
        for narrow, wide in zip(self.widths, self.widths[1:], strict=False):
            if wide <= narrow or wide % narrow:
                raise HierarchyError(
                    f"Intervals of {number_text(narrow)} and {number_text(wide)} cross, so they make no tree: "
                    f"each width must be a multiple of the one before. Try {number_text(narrow)} and "
                    f"{_next_multiple(narrow, wide)}."
                )

    @property
    def description(self) -> str:
        return "intervals of " + ", ".join(number_text(w) for w in self.widths) if self.widths else "intervals"

    def build(self, column: str, values: Sequence[str], has_missing: bool) -> Encoded:
        chosen = self.chosen(column, values)
        return chosen.arrange(column, values).encoded(chosen, has_missing)

    def chosen(self, column: str, values: Sequence[str]) -> Intervals:
        """With widths, if it had none."""
        return self if self.widths else Intervals(suggest_widths(numbers_of(column, values, self.form)), self.form)

    def arrange(self, column: str, values: Sequence[str]) -> Arrangement:
        """The values by size, cut at the multiples of each width."""
        leaves, rank, number = in_order(values, numbers_of(column, values, self.form))
        layers = [_layer(column, number, width) for width in self.widths]
        return Arrangement(leaves, layers, rank, np.column_stack([number, number]))

    def to_toml(self) -> Any:
        form = {} if self.form is None else {"form": self.form}
        return {self.name: [int(w) if w == int(w) else float(w) for w in self.widths] or True} | form

    @classmethod
    def from_toml(cls, value: Any, **options: Any) -> Intervals:
        form = options.pop("form", None)
        if options:
            raise PolicyError(f"intervals takes widths and 'form', not '{next(iter(options))}'.")
        return intervals(*(() if value is True else value if isinstance(value, list) else [value]), form=form)


def _next_multiple(narrow: Decimal, wide: Decimal) -> str:
    return number_text(narrow * max(2, int(wide / narrow) + 1))


def numbers_of(column: str, values: Sequence[str], form: str | None = None) -> Floats:
    """The values as numbers, or an error that says how many are not numbers, or that two readings are possible."""
    found = styles(values)
    if form is not None:
        found = [s for s in found if s.grouping == form] or [Style(form)]
    if len(found) > 1:
        raise HierarchyError(
            f"Column '{column}': its numbers can be read as written like "
            f"{' and like '.join(s.grouping for s in found)}. "
            f'Say which: intervals(…, form="{found[0].grouping}"), in a policy {{ intervals = true, form = '
            f'"{found[0].grouping}" }}.'
        )
    number, wrong = parse_numbers(values, *found)
    if len(wrong):
        raise ValuesError(
            column, wrong, len(values), "cannot be read as plain numbers (do they carry a unit or a word?)", PLAIN
        )
    return number


def is_too_narrow(number: Floats, widths: Sequence[Decimal]) -> bool:
    """Whether one of these widths is too small to tell numbers as large as these apart."""
    return any(abs(number).max(initial=0) / float(width) > LARGEST / width.as_integer_ratio()[0] for width in widths)


def _layer(column: str, number: Floats, width: Decimal) -> Layer:
    """Sorted numbers cut at the multiples of a width."""
    top, bottom = width.as_integer_ratio()
    if is_too_narrow(number, [width]):
        raise HierarchyError(
            f"Column '{column}': intervals of {number_text(width)} are too narrow for numbers as large as these."
        )
    index = np.floor(number / float(width))
    # an end of an interval is rounded like a cell, so that 0.3 begins [0.3, 0.4) whatever 0.3 / 0.1 gives
    index -= number < index * top / bottom
    index += number >= (index + 1) * top / bottom
    starts, block = np.unique(index.astype(np.int64), return_inverse=True)
    labels = [interval_label(number_text(i * width), number_text((i + 1) * width)) for i in starts.tolist()]
    ends = np.column_stack([starts * top / bottom, (starts + 1) * top / bottom])
    return Layer(block, labels, np.clip(ends, number[0], number[-1]) if len(number) else ends)


def suggest_widths(number: Floats, counts: NDArray[np.int64] | None = None) -> tuple[Decimal, ...]:
    """Widths for a column of numbers: 5, 10, 20 for ages; else a round step and its doubles, by the spread of the
    values.

    With ``counts`` the spread is that of the rows, and a width that puts nearly all of them into one interval is left
    out.
    """
    widths = _widths(number, number if counts is None else spread_out(number, counts))
    if counts is None:
        return widths
    return tuple(w for w in widths if _largest_share(number, counts, w) <= MOST_IN_ONE) or widths[:1]


def spread_out(number: Floats, counts: NDArray[np.int64], most: int = 10_000) -> Floats:
    """The numbers as often as they occur, thinned evenly where there are many."""
    order = np.argsort(number, kind="stable")
    ends = np.cumsum(counts[order])
    at = np.linspace(0, float(ends[-1]) - 1, min(int(ends[-1]), most)).astype(np.int64)
    return number[order][np.searchsorted(ends, at, side="right")]


def _largest_share(number: Floats, counts: NDArray[np.int64], width: Decimal) -> float:
    """The share of the rows in the fullest interval.

    If more than half of the rows have one value, these rows are not counted.
    """
    _, block = np.unique(np.floor(number / float(width)), return_inverse=True)
    rows = counts.astype(np.float64)
    if len(rows) > 1 and rows.max() > rows.sum() / 2:
        rows[int(np.argmax(rows))] = 0
    return float(np.bincount(block, rows).max() / max(rows.sum(), 1))


def _widths(number: Floats, rows: Floats) -> tuple[Decimal, ...]:
    if len(number) < 2:
        return (Decimal(1),)
    whole = bool((number == np.round(number)).all())
    low, high = float(number.min()), float(number.max())
    if whole and low >= 0 and 40 <= high <= 130 and high - low >= 30:
        return Decimal(5), Decimal(10), Decimal(20)
    spread = float(np.subtract(*np.quantile(rows, [0.99, 0.01]))) or high - low
    far = max(abs(low), abs(high))
    step = _round_step(min(max(spread / 40, far / 1e12, float(NARROWEST)), float(WIDEST) / 100))
    if whole:
        step = max(step, Decimal(2) if spread < 20 else Decimal(5))
    widths = [step * 2**i for i in range(5)]
    return tuple(w for w in widths if float(w) <= (high - low) / 2) or (step,)


def _round_step(at_least: float) -> Decimal:
    """The least of 1 and 5 times a power of ten that is not below a number."""
    power = Decimal(1).scaleb(int(np.floor(np.log10(at_least))))
    return next(step for step in (power, 5 * power, 10 * power, 50 * power) if float(step) >= at_least)


def intervals(*widths: int | float | str | Decimal, form: str | None = None) -> Intervals:
    """Numbers by intervals of these widths, narrow first; without any, widths are chosen from the data.

    ``form`` says how the numbers are written where that cannot be told: ``"1,234.5"`` or ``"1.234,5"``.

    >>> intervals(5, 10, 20).description
    'intervals of 5, 10, 20'
    """
    made = []
    for width in widths:
        try:
            if isinstance(width, bool):
                raise InvalidOperation
            made.append(Decimal(str(width)))
        except InvalidOperation:
            raise HierarchyError(f"An interval's width must be a number, not '{width}'.") from None
    return Intervals(tuple(made), form)
