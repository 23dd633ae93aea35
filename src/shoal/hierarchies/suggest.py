"""A hierarchy for a column from its data: what it gets by default, and for skewed categories the rare ones together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shoal.hierarchies.builders.dates import Dates
from shoal.hierarchies.builders.intervals import Intervals
from shoal.hierarchies.builders.prefixes import Prefixes
from shoal.hierarchies.builders.suppression import Suppression
from shoal.hierarchies.encode import encode
from shoal.hierarchies.encoded import Longs
from shoal.hierarchies.rows import rows_of
from shoal.hierarchies.specs import default_spec

COMMON_SHARE = 0.95
"""Common values are the fewest that make up this share of a column."""
FEWEST_VALUES = 6
WIDEST_RANGE = 1000
"""Whole numbers between the least and the greatest are all listed if there are no more than this."""


@dataclass(frozen=True)
class Suggestion:
    """Rows in ARX's form, and what they are in words."""

    rows: list[list[str]]
    description: str


def suggest(column: str, values: Sequence[str], n_occurrences: Longs) -> Suggestion:
    """A sensible hierarchy for the sorted distinct texts of a column."""
    spec = default_spec(column, values)
    if isinstance(spec, Suppression):
        return _categories(column, values, n_occurrences)
    if isinstance(spec, Intervals):
        values = _with_gaps_filled(values)
    encode(column, values, False, spec)  # refuses what could be misread
    assert isinstance(spec, Intervals | Prefixes | Dates)
    return Suggestion(spec.arrange(column, values).rows(), spec.description)


def _with_gaps_filled(values: Sequence[str]) -> Sequence[str]:
    """All whole numbers in the range of the values, so that next month's table finds its ages too."""
    if not all(v.lstrip("-").isdigit() and str(int(v)) == v for v in values):
        return values
    low, high = min(map(int, values)), max(map(int, values))
    return [str(i) for i in range(low, high + 1)] if high - low < WIDEST_RANGE else values


def _categories(column: str, values: Sequence[str], n_occurrences: Longs) -> Suggestion:
    """Suppression; for many values of very different frequency, the rare ones as one group before that."""
    encoded = encode(column, values, False, Suppression())
    common = _common(n_occurrences)
    n_rare = len(values) - int(common.sum())
    if len(values) < FEWEST_VALUES or n_rare < 2 or not common.sum() >= 2:
        return Suggestion(rows_of(encoded.tree), "suppression")
    other = next(name for name in ("other", "(other)", *(f"(other {i})" for i in range(2, len(values) + 3))) if name not in set(values))
    rows = [[v, v if is_common else other, "*"] for v, is_common in zip(values, common.tolist(), strict=True)]
    return Suggestion(rows, f"the {n_rare} rare values as '{other}', then suppression")


def _common(n_occurrences: Longs) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """The fewest values that make up most of the column; of equally frequent ones all or none, and none if some would do."""
    falling = np.sort(n_occurrences)[::-1]
    enough = int(np.searchsorted(np.cumsum(falling), COMMON_SHARE * falling.sum()))
    enough = min(enough, len(falling) - 1)
    some_would_do = enough + 1 < len(falling) and falling[enough] == falling[enough + 1]
    return np.asarray(n_occurrences > falling[enough] if some_would_do else n_occurrences >= falling[enough])
