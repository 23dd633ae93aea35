"""Stars, for the verifier: 1 for a label of several values."""

from __future__ import annotations

from fractions import Fraction

from shoal.judge.measures.base import LabelSet, Recounted, RecountedMeasure
from shoal.judge.measures.exact import (
    Known,
)


def floor(node: Known) -> Fraction:
    return Fraction(int(len(node.counts) > 1))


def recount(shown: LabelSet, column: Recounted) -> float:
    return float(shown.n_values > 1)


STARS = RecountedMeasure(
    name="stars",
    recount=recount,
    floor=floor,
)
