"""Forms for analysis: a release written with typed columns in place of labels.

labels    what a group shows, as text: ``[20, 30)``, ``{a, b}``, ``*``.
bounds    numbers and days as two typed columns, ``age_from`` and ``age_to``, empty for ``*``: the value lies between them. Any other column is a list of
          the values that a cell may have, empty for ``*``; a name of a hierarchy stays a name.
typed     one value in every cell, typed, and ``age_shown`` beside it: the label where the value is a guess, empty where it is exact. The guess is the
          median, or the most frequent value, of the cells that the release shows exactly and that the label allows.

Each is a function of the labels and of what the release shows, so it tells nothing more: rows that show the same labels show the same here. Ends are taken from
what a label says and never from the values that it hides. :mod:`shoal.judge.forms` reads a form back, and the verifier recounts it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.errors import DataError, PolicyError
from shoal.hierarchies.encoded import Encoded
from shoal.judge.reading import PLAIN, ends_of, is_suppressed
from shoal.table.coded import code
from shoal.text.calendar import Calendar
from shoal.text.dates import DAY
from shoal.text.labels import read_set

FORMS = ("labels", "bounds", "typed")
LARGEST = 2.0**53
ISO = Calendar("YYYY-MM-DD", np.zeros(0))
Ends = tuple[float | None, float | None]


@dataclass(frozen=True, eq=False)
class Shown:
    """The labels of a released column and what they say."""

    name: str
    made: Encoded
    labels: list[str | None]
    """The distinct labels; the last is None, for a missing cell."""
    row: NDArray[np.int64]
    """Which label each row has."""
    ends: dict[str, Ends] | None
    """For a column of numbers or days: the least and the greatest that each label allows."""
    is_date: bool = False

    @property
    def is_whole(self) -> bool:
        return all(x == int(x) for pair in (self.ends or {}).values() for x in pair if x is not None)

    def gather(self, cells: Sequence[Any], dtype: Any, name: str) -> pl.Series:
        """A cell for each row from a cell for each label."""
        return pl.Series(name, cells, dtype=dtype).gather(pl.Series(self.row))

    def typed(self, place: float | None) -> Any:
        if place is None:
            return None
        if self.is_date:
            return date.fromordinal(int(place))
        return int(place) if self.is_whole else place

    @property
    def dtype(self) -> Any:
        return pl.Date if self.is_date else pl.Int64 if self.is_whole else pl.Float64


def in_form(frame: pl.DataFrame, hierarchies: dict[str, Encoded], form: str, lists_as_text: bool = False) -> pl.DataFrame:
    """A released table in another form. ``lists_as_text`` writes lists as JSON, for files that have no lists."""
    if form not in FORMS:
        raise PolicyError(f"There is no form '{form}'. Choose one of {', '.join(FORMS)}.")
    if form == "labels":
        return frame
    made: list[pl.Series] = []
    for series in frame.iter_columns():
        if series.name not in hierarchies:
            made.append(series)
            continue
        shown = _shown(series, hierarchies[series.name])
        made += _bounds(shown, lists_as_text) if form == "bounds" else _typed(shown)
    names = [series.name for series in made]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise DataError(f"The table has a column '{twice[0]}' already, which the form '{form}' needs. Rename it first.")
    return pl.DataFrame(made)


def _shown(series: pl.Series, made: Encoded) -> Shown:
    """The labels of a column. What they say is read from the labels and the policy's hierarchy alone, never from values that are hidden."""
    coded = code(series)
    labels = [*coded.values.to_list(), None]
    row = np.where(coded.codes < 0, len(labels) - 1, coded.codes).astype(np.int64)
    told = [label for label in labels if label is not None and not is_suppressed(label)]
    for is_date in (False, True):
        ends = {label: found for label in told if (found := (_of_day if is_date else _of_number)(label)) is not None}
        if told and len(ends) == len(told) and _is_line(made, ends, is_date):
            return Shown(series.name, made, labels, row, ends, is_date)
    return Shown(series.name, made, labels, row, None)


def _is_line(made: Encoded, ends: dict[str, Ends], is_date: bool) -> bool:
    """Whether the hierarchy is one of numbers or of days. One that is listed must hold what its labels say: it may call 41 to 45 '40-44'."""
    if made.spec.name in ("dates", "intervals", "grid", "any_interval"):
        return is_date == (made.spec.name == "dates" or (made.free == "interval" and made.tree.bounds is None))
    if made.spec.name not in ("levels", "file", "laminar"):
        return False
    tree, place = made.tree, _of_day if is_date else _of_number
    leaf_ends = [place(str(text)) for text in tree.labels[: tree.n_leaves] if text is not None]
    if any(found is None or found[0] != found[1] for found in leaf_ends):
        return False
    for node, label in enumerate(tree.labels):
        if label not in ends:
            continue
        low, high = ends[label]
        for leaf in tree.leaves_below(node).tolist():
            at = (place(str(tree.labels[leaf])) or (None,))[0]
            if at is not None and not ((low is None or low <= at) and (high is None or at <= high)):
                return False
    return True


def _of_number(label: str) -> Ends | None:
    """The ends that a label names: of ``[20, 30)`` they are 20 and 30, although 30 itself is not in it."""
    ends = (float(label), True, float(label), True) if PLAIN.fullmatch(label) else ends_of(label)
    if ends is None or any(abs(x) >= LARGEST and not math.isinf(x) for x in (ends[0], ends[2])):
        return None
    return (None if math.isinf(ends[0]) else ends[0]), (None if math.isinf(ends[2]) else ends[2])


def _of_day(label: str) -> Ends | None:
    """The first and the last day of a date, a month, a year, or an interval of dates."""
    ends = ISO.ends_of(label)
    if ends is None:
        return None
    last = ends[2] if ends[3] else ends[2] - 1
    return float(ends[0] // DAY), float(last // DAY)


def _bounds(shown: Shown, lists_as_text: bool) -> list[pl.Series]:
    if shown.ends is not None:
        pairs = [(shown.ends.get(label, (None, None)) if label is not None else (None, None)) for label in shown.labels]
        sides = [[shown.typed(pair[side]) for pair in pairs] for side in (0, 1)]
        return [shown.gather(cells, shown.dtype, f"{shown.name}_{word}") for cells, word in zip(sides, ("from", "to"), strict=True)]
    lists = [None if label is None or is_suppressed(label) else _members(shown.made, label) for label in shown.labels]
    if lists_as_text:
        texts = [None if members is None else json.dumps(members, ensure_ascii=False) for members in lists]
        return [shown.gather(texts, pl.String, shown.name)]
    return [shown.gather(lists, pl.List(pl.String), shown.name)]


def _members(made: Encoded, label: str) -> list[str]:
    """The members of a set that groups of the release have made; any other label stands for itself."""
    listed = read_set(label) if made.free is not None and label not in made.tree.labels[: made.tree.n_leaves] else None
    return [label] if listed is None else sorted(listed)


def _typed(shown: Shown) -> list[pl.Series]:
    leaves = set(shown.made.tree.labels[: shown.made.tree.n_leaves])
    count = np.bincount(shown.row, minlength=len(shown.labels))
    exact = {label: int(n) for label, n in zip(shown.labels, count.tolist(), strict=True) if label in leaves and label is not None and n}
    cells, labels = [], []
    for label in shown.labels:
        is_exact = label is None or label in leaves
        cells.append(_exact(shown, label) if is_exact else _guess(shown, str(label), exact))
        labels.append(None if is_exact else label)
    dtype = pl.String if shown.ends is None else shown.dtype
    cells = cells if shown.ends is None else [shown.typed(cell) for cell in cells]
    return [shown.gather(cells, dtype, shown.name), shown.gather(labels, pl.String, f"{shown.name}_shown")]


def _exact(shown: Shown, label: str | None) -> Any:
    return label if shown.ends is None or label is None else shown.ends[label][0]


def _guess(shown: Shown, label: str, exact: dict[str, int]) -> Any:
    """A value that the label allows, from the exact cells of the release; without any, the middle of the interval, or nothing."""
    low, high = (shown.ends or {}).get(label, (None, None))
    if shown.made.free == "interval" and not is_suppressed(label):
        allowed = {v: n for v, n in exact.items() if low <= shown.ends[v][0] <= high}  # type: ignore[operator, index]
    else:
        below = _below(shown.made, label)
        allowed = {v: n for v, n in exact.items() if v in below}
    if shown.ends is None:
        return max(sorted(allowed), key=lambda v: allowed[v], default=None)
    inside = sorted((shown.ends[v][0], n) for v, n in allowed.items())
    if inside:
        half = np.cumsum([n for _, n in inside])
        return inside[int(np.searchsorted(half, half[-1] / 2))][0]
    if low is None or high is None:
        return low if high is None else high
    return float(math.floor((low + high) / 2)) if shown.is_whole else (low + high) / 2


def _below(made: Encoded, label: str) -> set[str | None]:
    """The values that a label stands for."""
    tree = made.tree
    if is_suppressed(label):
        return set(tree.labels[: tree.n_leaves])
    listed = read_set(label) if made.free is not None else None
    if listed is not None:
        return set(listed)
    nodes = [i for i, text in enumerate(tree.labels) if text == label]
    return {tree.labels[leaf] for node in nodes for leaf in tree.leaves_below(node).tolist()}
