"""How much each cell of a column still says, in words: exact, ``intervals of 10``, ``months``, ``the first 3
characters``, hidden.

A level is named by its labels alone, as anybody reads them in the release; groups that a hierarchy names are told apart
by its own levels.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl

from shoal.judge.reading import ends_of, is_suppressed, read_set
from shoal.problem import Solution
from shoal.release.counted import CountedRelease
from shoal.release.decode import shown_by_groups
from shoal.release.disclosure import is_open
from shoal.release.release import Release
from shoal.table.once import once
from shoal.text.cells import as_text

EXACT, GENERAL, HIDDEN = "exact", "general", "hidden"
MOST_WIDTHS = 4
"""With more different widths than this, neighbouring ones share a name."""
MOST_NAMED = 3
DATE = re.compile(
    r"\d{4}(?P<decade>s)|"
    r"\d{4}(?:-(?:(?P<quarter>Q[1-4])|(?P<week>W\d\d)|(?P<month>\d\d)(?P<day>-\d\d(?P<hour>T\d\d(?P<minute>:\d\d)?)?)?))?"
)
UNITS = ("minute", "hour", "day", "week", "month", "quarter", "year", "decade")
"""From fine to coarse."""


@dataclass
class Rung:
    """Labels that say equally much, and how many cells show one of them."""

    family: str
    width: float
    rows: int = 0
    labels: dict[str, int] = field(default_factory=dict)

    def take(self, label: str, rows: int) -> None:
        self.rows += rows
        self.labels[label] = self.labels.get(label, 0) + rows


def levels_used(release: Release | CountedRelease, j: int) -> list[dict[str, Any]]:
    """The share of a column's cells on each level: exact first, then from fine to coarse, hidden last.

    From the release and the policy.
    """
    return [dict(level) for level in once(release, ("levels", str(j)), lambda: _levels_used(release, j))]


def _levels_used(release: Release | CountedRelease, j: int) -> list[dict[str, Any]]:
    name = release.problem.columns[j].name
    exact, general, hidden = _labels_used(release.solution, j)
    n = max(int(release.solution.sizes.sum()), 1)
    found = [{"name": "exact", "kind": EXACT, "share": exact / n}]
    for words, rows in named_levels(general, depths(release, name)):
        found.append({"name": words, "kind": GENERAL, "share": rows / n})
    return [*found, {"name": "hidden", "kind": HIDDEN, "share": hidden / n}]


def _labels_used(solution: Solution, j: int) -> tuple[int, dict[str, int], int]:
    """How many rows of a column are exact, show each wider label, and are hidden."""
    name = solution.problem.columns[j].name
    groups = {
        "label": as_text(shown_by_groups(solution)[name]),
        "wide": is_open(solution)[:, j],
        "rows": solution.sizes,
    }
    shown = pl.DataFrame(groups).group_by("label", "wide", maintain_order=True).agg(pl.col("rows").sum()).rows()
    wider = {label: rows for label, is_wide, rows in shown if is_wide}
    hidden = {label: rows for label, rows in wider.items() if is_suppressed(label)}
    general = {label: rows for label, rows in wider.items() if label not in hidden}
    return sum(rows for _, is_wide, rows in shown if not is_wide), general, sum(hidden.values())


def kinds_used(solution: Solution, j: int) -> tuple[float, float, float]:
    """The share of a column's cells that are exact, generalized and hidden."""
    exact, general, hidden = _labels_used(solution, j)
    n = max(int(solution.sizes.sum()), 1)
    return exact / n, sum(general.values()) / n, hidden / n


def depths(release: Release | CountedRelease, name: str) -> dict[str, int]:
    """The level of each name of the hierarchy that the owner gave, the lowest where it stands on several."""
    from shoal.reader.read import given_rows

    found: dict[str, int] = {}
    for row in given_rows(release, name) or ():
        for level, label in enumerate(row[1:], 1):
            if label is not None:
                found[label] = min(level, found.get(label, level))
    return found


def named_levels(labels: Mapping[str, int], depth: Mapping[str, int]) -> list[tuple[str, int]]:
    """Labels with their rows, as levels with names: from fine to coarse."""
    rungs: dict[tuple[str, float], Rung] = {}
    for label, rows in labels.items():
        family, width = family_of(label, depth)
        rungs.setdefault((family, width), Rung(family, width)).take(label, rows)
    found: list[tuple[str, int]] = []
    for family in sorted({rung.family for rung in rungs.values()}):
        here = sorted((rung for rung in rungs.values() if rung.family == family), key=lambda rung: rung.width)
        found += [(words_for(run), sum(rung.rows for rung in run)) for run in _runs(here)]
    return found


def family_of(label: str, depth: Mapping[str, int]) -> tuple[str, float]:
    """What kind of label this is, and how wide: a name of the hierarchy, an interval, a part of a date, a set, a
    beginning, or another name.

    >>> family_of("[20, 30)", {}), family_of("2016-03", {}), family_of("392**", {})
    (('interval', 10.0), ('date', 4.0), ('start', -3.0))
    >>> family_of("{a, b}", {}), family_of("care", {"care": 1})
    (('set', 2.0), ('group', 1.0))
    """
    if label in depth:
        return "group", float(depth[label])
    found = DATE.fullmatch(label)
    if found:
        unit = next((unit for unit in UNITS if found.groupdict().get(unit)), "year")
        return "date", float(UNITS.index(unit))
    ends = ends_of(label)
    if ends is not None:
        return "interval", ends[2] - ends[0]
    members = read_set(label)
    if members is not None:
        return "set", float(len(members))
    start = label.rstrip("*")
    return ("start", -float(len(start))) if start != label and "*" not in start else ("group", float("inf"))


def _runs(rungs: Sequence[Rung]) -> list[list[Rung]]:
    """The rungs of a family, at most a few: neighbours are put together so that each part has about equally many
    rows.
    """
    if len(rungs) <= MOST_WIDTHS or rungs[0].family in ("date", "group"):
        return [[rung] for rung in rungs]
    rows = np.cumsum([rung.rows for rung in rungs])
    part = np.minimum((rows - 1) * MOST_WIDTHS // rows[-1], MOST_WIDTHS - 1)
    return [[rung for rung, p in zip(rungs, part.tolist(), strict=True) if p == q] for q in sorted(set(part.tolist()))]


def words_for(run: Sequence[Rung]) -> str:
    """The name of a level."""
    first, last = run[0].width, run[-1].width
    family = run[0].family
    if family == "date":
        return f"{UNITS[int(first)]}s"
    if family == "group":
        return _some(run[0].labels)
    if family == "start":
        low, high = sorted((-int(first), -int(last)))
        return f"the first {_span(low, high)} character{'' if high == 1 else 's'}"
    what = "intervals" if family == "interval" else "sets"
    if np.isinf(last):
        return "intervals with an open end"
    return f"{what} of {_span(first, last)}"


def _span(low: float, high: float) -> str:
    return f"{low:g}" if low == high else f"{low:g} to {high:g}"


def _some(labels: Mapping[str, int]) -> str:
    """A few labels, those of most rows first, and how many more there are."""
    order = sorted(labels, key=lambda label: (-labels[label], label))
    if len(order) <= MOST_NAMED:
        return f"groups: {', '.join(order)}"
    return f"groups: {', '.join(order[:MOST_NAMED])} and {len(order) - MOST_NAMED} more"
