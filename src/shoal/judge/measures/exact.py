"""Exact arithmetic: logarithms between two fractions, and what a checker knows of a node.

A measure that wants proofs of its bounds says here, in fractions and never above the truth, what a node costs
(:attr:`shoal.measures.base.Measure.floor`). The checker of proofs takes prices from nowhere else.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache

import numpy as np
from numpy.typing import NDArray

PLACES = 64
"""Binary places of logarithms."""
UNIT = 1 << PLACES


@dataclass(frozen=True)
class Bits:
    """What is known of a whole column, between two fractions: all of them are 0 for a column of one value."""

    below: Fraction
    above: Fraction
    """Its entropy."""
    per_root_below: Fraction = Fraction(0)
    per_root_above: Fraction = Fraction(0)
    """n / (n√n − Σ c√c), with n the number of rows and c the counts of the values."""


NO_BITS = Bits(Fraction(0), Fraction(0))


@dataclass(frozen=True, eq=False)
class Known:
    """A set of values of a column, as exactly as the table and the hierarchy tell."""

    counts: NDArray[np.int64]
    """How often each of its values occurs in the table."""
    total: int
    """How many rows the table has."""
    n_values: int
    """How many values the column's hierarchy has."""
    level: int
    """On which level it stands; 0 for a single value."""
    height: int
    """How many levels there are above the values."""
    share: Fraction | None = None
    """For intervals of numbers: its width over the whole domain's; None where it has none."""
    bits: Bits = NO_BITS
    """The entropy of the whole column."""

    @property
    def held(self) -> int:
        """How many rows of the table have one of its values."""
        return int(self.counts.sum())


def root_units_below(n: int) -> int:
    """√n in units of 2^-64, rounded down."""
    return math.isqrt(n << 2 * PLACES)


def root_units_above(n: int) -> int:
    """√n in units of 2^-64, rounded up."""
    below = root_units_below(n)
    return below if below * below == n << 2 * PLACES else below + 1


def root_below(n: int) -> Fraction:
    """√n, rounded down to 64 binary places."""
    return Fraction(root_units_below(n), UNIT)


def root_above(n: int) -> Fraction:
    """√n, rounded up."""
    return Fraction(root_units_above(n), UNIT)


def _per_root(counts: NDArray[np.int64]) -> tuple[Fraction, Fraction]:
    """n / (n√n − Σ c√c), rounded down and up to 64 binary places beyond its own size."""
    found, times = np.unique(counts, return_counts=True)
    pairs, n = list(zip(found.tolist(), times.tolist(), strict=True)), int(counts.sum())
    most = n * root_units_above(n) - sum(t * c * root_units_below(c) for c, t in pairs)
    least = n * root_units_below(n) - sum(t * c * root_units_above(c) for c, t in pairs)
    fine = 1 << (PLACES + n.bit_length())
    return Fraction(n * UNIT * fine // most, fine), Fraction(-(-n * UNIT * fine // least), fine)


@cache
def log_units_below(n: int) -> int:
    """log2(n) in units of 2^-64, rounded down; 0 for 0."""
    if n <= 1:
        return 0
    if not n & (n - 1):
        return (n.bit_length() - 1) * UNIT
    with localcontext() as context:
        context.prec = 50
        scaled = Decimal(n).ln() / Decimal(2).ln() * UNIT
    return int(scaled) - 1


def log_units_above(n: int) -> int:
    """log2(n) in units of 2^-64, rounded up."""
    return log_units_below(n) if n <= 1 or not n & (n - 1) else log_units_below(n) + 3


def log_below(n: int) -> Fraction:
    """log2(n), rounded down to some sixty binary places; 0 for 0."""
    return Fraction(log_units_below(n), UNIT)


def log_above(n: int) -> Fraction:
    """log2(n), rounded up."""
    return Fraction(log_units_above(n), UNIT)


def information_above(counts: Iterable[int] | NDArray[np.int64]) -> Fraction:
    """The sum of count · log2(count), rounded up."""
    found, times = np.unique(np.asarray(counts, dtype=np.int64), return_counts=True)
    return Fraction(sum(n * c * log_units_above(c) for c, n in zip(found.tolist(), times.tolist(), strict=True)), UNIT)


def information_below(counts: Iterable[int] | NDArray[np.int64]) -> Fraction:
    """The sum of count · log2(count), rounded down."""
    found, times = np.unique(np.asarray(counts, dtype=np.int64), return_counts=True)
    return Fraction(sum(n * c * log_units_below(c) for c, n in zip(found.tolist(), times.tolist(), strict=True)), UNIT)


def bits_of(counts: NDArray[np.int64]) -> Bits:
    """The entropy of a column from the counts of its values."""
    total = int(counts.sum())
    if np.count_nonzero(counts) <= 1:
        return NO_BITS
    entropy = log_below(total) - information_above(counts) / total, log_above(total) - information_below(counts) / total
    return Bits(*entropy, *_per_root(counts))
