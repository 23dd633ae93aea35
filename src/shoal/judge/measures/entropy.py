"""Entropy, for the verifier: log2 of the rows of a label's values less the mean of log2 of their counts."""

from __future__ import annotations

import math
from fractions import Fraction

from shoal.judge.measures.base import Counts, LabelSet, Recounted, RecountedMeasure, once
from shoal.judge.measures.exact import (
    UNIT,
    Known,
    information_above,
    log_below,
    log_units_above,
    log_units_below,
)


def floor(node: Known) -> Fraction:
    """H = log2(rows) less the mean of log2(count)."""
    held = node.held
    if len(node.counts) == 1 or held == 0:
        return Fraction(0)
    return max(log_below(held) - information_above(node.counts) / held, Fraction(0))


def superset_floor(node: Known, others: Counts) -> Fraction:
    """The least entropy of a set that holds some values: with the most frequent others added, for some number of them.

    With one count n of a set varying, its entropy has the derivative (S − N ln n) / (N + n)², N and S being the sums of c and of
    c ln c over the rest: it rises, then falls. So a set that has a value added but lacks a more frequent one costs no less than the set
    without that value, or than the one with the more frequent value instead.
    """
    held, spent = node.held, int(information_above(node.counts) * UNIT)
    least = math.floor(floor(node) * UNIT)
    for count in others.tolist():
        if count == 0 or least <= 0:
            break
        held += count
        spent += count * log_units_above(count)
        least = min(least, (held * log_units_below(held) - spent) // held)
    return Fraction(max(least, 0), UNIT)


def recount(shown: LabelSet, column: Recounted) -> float:
    if shown.n_values <= 1 or shown.weight <= 0:
        return 0.0
    return max(math.log2(shown.weight) - shown.spent / shown.weight, 0.0)


@once
def recount_whole(column: Recounted) -> float:
    """The entropy of the whole column, a second definition."""
    return recount(column.everything(), column) if column.n_present > 1 else 0.0


ENTROPY = RecountedMeasure(
    name="entropy",
    recount=recount,
    floor=floor,
    superset_floor=superset_floor,
    is_monotone=False,
)
