"""Add the values that a hierarchy lacks.

If the rows were made by intervals, prefixes or dates, new values get the labels that these would give them. Else a
value that is called like a group goes into that group, a number into the smallest group whose numbers lie on both sides
of it, and everything else directly below the root.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from shoal.errors import HierarchyError
from shoal.hierarchies.builders.dates import UNITS, Dates
from shoal.hierarchies.builders.intervals import Intervals
from shoal.hierarchies.builders.prefixes import Prefixes
from shoal.text.labels import read_interval
from shoal.text.numbers import is_number

Rows = list[list[str]]
Kind = Intervals | Prefixes | Dates


@dataclass(frozen=True)
class Completion:
    """The rows with the new values, how the levels were recognised, and how many values went below which label."""

    rows: Rows
    recognised: str | None
    added_below: dict[str, int]


def complete(rows: Sequence[Sequence[str]], lacking: Sequence[str]) -> Completion:
    """Rows in ARX's form with a single label in the last field, and the values to add."""
    kind = recognise(rows)
    if kind is not None:
        try:
            made = kind.arrange("", [*(row[0] for row in rows), *lacking]).rows()
        except HierarchyError:
            kind = None
        else:
            path = {row[0]: row for row in made}
            return Completion(made, kind.description, dict(Counter(path[v][1] for v in lacking)))
    spans, groups = _spans(rows), _groups(rows)
    placed = [_place(value, rows, spans, groups) for value in lacking]
    added = [[value] * level + list(rows[i][level:]) for value, (level, i) in zip(lacking, placed, strict=True)]
    below = Counter(rows[i][level] for level, i in placed)
    return Completion([*(list(row) for row in rows), *added], None, dict(below))


def _groups(rows: Sequence[Sequence[str]]) -> dict[str, tuple[int, int]]:
    """For each label between the leaves and the root, its lowest level and one of its rows."""
    return {row[level]: (level, i) for level in range(len(rows[0]) - 2, 0, -1) for i, row in enumerate(rows)}


def _spans(rows: Sequence[Sequence[str]]) -> list[dict[str, tuple[float, float, int]]]:
    """For each level between the leaves and the root, each label's least and greatest number and one of its rows; none
    for texts.
    """
    if not all(is_number(row[0]) for row in rows):
        return []
    spans: list[dict[str, tuple[float, float, int]]] = [{} for _ in rows[0][1:-1]]
    for i, row in enumerate(rows):
        number = float(row[0])
        for span, label in zip(spans, row[1:-1], strict=True):
            low, high, _ = span.get(label, (number, number, i))
            span[label] = (min(low, number), max(high, number), i)
    return spans


def _place(
    value: str,
    rows: Sequence[Sequence[str]],
    spans: Sequence[dict[str, tuple[float, float, int]]],
    groups: dict[str, tuple[int, int]],
) -> tuple[int, int]:
    """On which level the value joins the tree, and a row that it shares from there on."""
    if value in groups:
        return groups[value]
    if is_number(value):
        for level, span in enumerate(spans, start=1):
            around = [i for low, high, i in span.values() if low <= float(value) <= high]
            if len(around) == 1:
                return level, around[0]
    return len(rows[0]) - 1, 0


def recognise(rows: Sequence[Sequence[str]]) -> Kind | None:
    """The builder that gives exactly these rows; None if none does."""
    values = [row[0] for row in rows]
    for guess in (_guess_intervals(rows), _guess_prefixes(rows), _guess_dates(rows)):
        if guess is None:
            continue
        try:
            made = guess.arrange("", values).rows()
        except HierarchyError:
            continue
        if {tuple(row) for row in made} == {tuple(row) for row in rows}:
            return guess
    return None


def _guess_intervals(rows: Sequence[Sequence[str]]) -> Intervals | None:
    widths = []
    for label in rows[0][1:-1]:
        ends = read_interval(label)
        if ends is None or not is_number(ends[0]) or not is_number(ends[1]):
            return None
        widths.append(Decimal(ends[1]) - Decimal(ends[0]))
    try:
        return Intervals(tuple(widths)) if widths else None
    except HierarchyError:
        return None


def _guess_prefixes(rows: Sequence[Sequence[str]]) -> Prefixes | None:
    longest = max(rows, key=lambda row: len(row[0]))
    lengths = [len(label.rstrip("*")) for label in longest[1:-1]]
    try:
        return Prefixes(tuple(lengths)) if lengths else None
    except HierarchyError:
        return None


def _guess_dates(rows: Sequence[Sequence[str]]) -> Dates | None:
    """By the look of the labels of the first row; two units never look alike."""
    looks = {
        "0000-00-00T00:00": "minute",
        "0000-00-00T00": "hour",
        "0000-00-00": "day",
        "0000-W00": "week",
        "0000-00": "month",
        "0000-Q0": "quarter",
        "0000": "year",
        "0000s": "decade",
    }
    units = [looks.get("".join("0" if c.isdigit() else c for c in label)) for label in rows[0][1:-1]]
    known = [unit for unit in units if unit in UNITS]
    return Dates(tuple(known)) if known and len(known) == len(units) == len(set(known)) else None
