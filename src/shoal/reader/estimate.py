"""A number with its uncertainty."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

WIDTH = 1.959964
"""Standard errors on each side of an interval that holds the truth 95 times of 100."""
SHARED = 0.025
"""How similar the errors of different groups are: the part of a count's uncertainty that does not shrink as groups become more."""
ROUNDED = 1 / 12
"""The variance of a number that is rounded to a whole one: counts are whole, and estimates of them are not."""
SHARED_BY_MEANS = 0.25
"""The same for means, where all groups may lie on one side: a hidden number is often low in its interval in one group as in the next."""


@dataclass(frozen=True)
class Estimate:
    """An estimate and the interval that holds the true value 95 times of 100."""

    value: float
    low: float
    high: float
    standard_error: float
    at_least: float | None = None
    """For counts: the rows that are in it whatever the hidden values are."""
    at_most: float | None = None
    """For counts: the rows that can be in it, likewise."""

    def __float__(self) -> float:
        return self.value

    def __str__(self) -> str:
        digits = 0 if abs(self.value) >= 100 else 1 if abs(self.value) >= 10 else 3
        return f"{self.value:,.{digits}f} (95 %: {self.low:,.{digits}f} to {self.high:,.{digits}f})"


def of_count(
    values: tuple[float, float, float], variance: float, vague: tuple[float, float], ends: Sequence[float], is_open: bool
) -> Estimate:
    """A count from its value at the lower, the chosen and the higher lean. What the lean changes counts as one more standard error. ``vague``: how far below
    and above it may lie for what no share tells; ``ends``: what is certain; ``is_open``: some rows may be in it or not."""
    low, mid, high = values
    rounding = ROUNDED if is_open else 0.0
    rest = max(variance, 0.0) + ((high - low) / 2) ** 2 + rounding
    below, above = (float(np.sqrt(WIDTH**2 * rest + far**2)) for far in vague)
    error = float(np.sqrt(rest))
    return Estimate(mid, max(ends[0], mid - below), min(ends[1], mid + above), error, ends[0], ends[1])


def of_number(values: tuple[float, float, float], variance: float) -> Estimate:
    """A mean or a share in the same way, without limits."""
    low, mid, high = values
    error = float(np.sqrt(max(variance, 0.0) + ((high - low) / 2) ** 2))
    return Estimate(mid, mid - WIDTH * error, mid + WIDTH * error, error)
