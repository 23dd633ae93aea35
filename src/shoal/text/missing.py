"""Marks that stand for a missing value: texts that do not fit the other values of their column."""

from __future__ import annotations

import numpy as np
import polars as pl

from shoal.text.dates import date_forms
from shoal.text.numbers import Floats, Style, parse_numbers, styles

MARKS = ("NA", "N/A", "n/a", "na", "#N/A", "NaN", "nan", "null", "NULL", "None", "none", "?", ".", "-", "--", "*", "**", "***", "missing", "Missing", "MISSING",
         "unknown", "Unknown", "UNKNOWN", "not available", "Not Available", "(missing)", "<NA>", "..", "n.a.", "N.A.", "not applicable", "no answer",
         "k.A.", "k. A.", "keine Angabe", "unbekannt", "n.d.", "N.D.", "n.c.", "inconnu", "s/d", "S/D", "desconocido", "desconhecido", "sconosciuto",
         "n.v.t.", "onbekend")  # fmt: skip
"""Texts that are not values in most tables. Those that are ordinary words are suggested only among numbers or dates."""
SURE = frozenset(
    ("NA", "N/A", "n/a", "#N/A", "NaN", "nan", "null", "NULL", "?", ".", "-", "--", "*", "**", "***", "<NA>", "..", "(missing)", "n.a.", "N.A.",
     "k.A.", "k. A.", "keine Angabe", "n.d.", "N.D.", "n.c.", "s/d", "S/D", "n.v.t.")
)  # fmt: skip
"""Those that are suggested among texts as well."""
Counts = np.ndarray[tuple[int], np.dtype[np.int64]]
NUMBERS = (-9, -99, -999, -9999, -1, -8, -7, 9999, 99999, 999, 99, 999999)


def marks_in(values: pl.Series, counts: Counts) -> tuple[str, ...]:
    """The marks among a column's distinct texts that probably stand for nothing."""
    found = set(values.filter(values.is_in(MARKS)).to_list())
    there = [mark for mark in MARKS if mark in found]
    is_rest = ~values.is_in(there)
    rest = values.filter(is_rest)
    written = styles(rest)
    if there and not written and not (len(rest) and 0 in date_forms(rest).values()):
        there = [mark for mark in there if mark in SURE]
    return (*there, *(_numbers_apart(rest, counts[is_rest.to_numpy()], written[0]) if len(written) == 1 else ()))


def usual_marks(values: pl.Series) -> tuple[str, ...]:
    """Those of these texts that are marks of a missing value in many tables, as texts or as numbers such as −99; others may be too."""
    number, wrong = parse_numbers(values)
    is_mark = np.isin(number, [mark for mark in NUMBERS if mark < 0 or mark >= 999])  # 99 is an age
    is_mark[wrong] = False
    return tuple(sorted(values.filter(values.is_in(MARKS) | pl.Series(is_mark)).to_list()))


def _numbers_apart(values: pl.Series, counts: Counts, style: Style) -> tuple[str, ...]:
    """A number such as −99 that occurs often and stands far from all others."""
    number, wrong = parse_numbers(values, style)
    if len(wrong) or len(number) < 4 or not np.isin(number, NUMBERS).any():
        return ()
    return tuple(text for mark in NUMBERS if (text := _apart(values, number, counts, mark)) is not None)


def _apart(values: pl.Series, number: Floats, counts: Counts, mark: int) -> str | None:
    """The mark as it is written, if it occurs more than once and lies apart: negative where no other number is, or far above all others."""
    at = np.flatnonzero(number == mark)
    others = np.delete(number, at)
    if len(at) != 1 or len(others) < 3 or counts[at[0]] < 2:
        return None
    low, high = float(others.min()), float(others.max())
    is_below = mark < 0 <= low and abs(mark) > 1
    is_above = mark > high and mark - high > 2 * (high - low) and mark >= 999
    return str(values[int(at[0])]) if is_below or is_above else None
