"""A number with its uncertainty."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

WIDTH = 1.959964
"""Standard errors on each side of an interval that holds the truth 95 times of 100."""
ALIKE = 0.6
"""How similar the hidden values of a group's rows are: the correlation of two of them."""
SHARED = 0.02
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


def of_count(values: tuple[float, float, float], variance: float, at_least: float, at_most: float, is_open: bool) -> Estimate:
    """A count from its value at the lower, the chosen and the higher lean. What the lean changes counts as one more standard error. ``is_open``: some rows may be in it or not."""
    low, mid, high = values
    rounding = ROUNDED if is_open else 0.0
    error = float(np.sqrt(max(variance, 0.0) + ((high - low) / 2) ** 2 + rounding))
    return Estimate(mid, max(at_least, mid - WIDTH * error), min(at_most, mid + WIDTH * error), error, at_least, at_most)


def of_number(values: tuple[float, float, float], variance: float) -> Estimate:
    """A mean or a share in the same way, without limits."""
    low, mid, high = values
    error = float(np.sqrt(max(variance, 0.0) + ((high - low) / 2) ** 2))
    return Estimate(mid, mid - WIDTH * error, mid + WIDTH * error, error)


def grouped(size: Floats) -> Floats:
    """How much the variance of a row counts where ``size`` rows of a group have the same cells: more than size, less than its square."""
    return size * (1 + (size - 1) * ALIKE)
