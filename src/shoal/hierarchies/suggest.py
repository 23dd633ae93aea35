"""A hierarchy for a column from its data, as rows that can be written to a file and changed there: what it would get by
default.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shoal.hierarchies.builders.dates import Dates
from shoal.hierarchies.builders.grid import Grid
from shoal.hierarchies.builders.intervals import Intervals
from shoal.hierarchies.builders.prefixes import Prefixes
from shoal.hierarchies.builders.times import Times
from shoal.hierarchies.defaults import default_spec
from shoal.hierarchies.encode import encode
from shoal.hierarchies.encoded import Longs
from shoal.hierarchies.rows import rows_of

WIDEST_RANGE = 1000
"""Whole numbers between the least and the greatest are all listed if there are no more than this."""


@dataclass(frozen=True)
class SuggestedHierarchy:
    """Rows in ARX's form, and what they are in words."""

    rows: list[list[str]]
    description: str


def suggest(column: str, values: Sequence[str], n_occurrences: Longs) -> SuggestedHierarchy:
    """A sensible hierarchy for the sorted distinct texts of a column."""
    spec = default_spec(column, values, n_occurrences)
    if isinstance(spec, Intervals):
        values = _with_gaps_filled(values)
    encoded = encode(column, values, False, spec)  # refuses what could be misread
    if isinstance(spec, Intervals | Grid | Prefixes | Dates | Times):
        return SuggestedHierarchy(spec.arrange(column, values).rows(), spec.description)
    return SuggestedHierarchy(rows_of(encoded.tree), spec.description)


def _with_gaps_filled(values: Sequence[str]) -> Sequence[str]:
    """All whole numbers in the range of the values, so that next month's table finds its ages too."""
    if not all(v.lstrip("-").isdigit() and str(int(v)) == v for v in values):
        return values
    low, high = min(map(int, values)), max(map(int, values))
    return [str(i) for i in range(low, high + 1)] if high - low < WIDEST_RANGE else values
