"""Monotone entropy, for the verifier: entropy times the share of rows that a label's values have."""

from __future__ import annotations

from fractions import Fraction

from shoal.judge.measures import entropy
from shoal.judge.measures.base import LabelSet, Recounted, RecountedMeasure
from shoal.judge.measures.exact import (
    Known,
)


def floor(node: Known) -> Fraction:
    return entropy.floor(node) * node.held / max(node.total, 1)


def recount(shown: LabelSet, column: Recounted) -> float:
    return shown.weight / max(column.n_rows, 1) * entropy.recount(shown, column)


MONOTONE_ENTROPY = RecountedMeasure(
    name="monotone-entropy",
    recount=recount,
    floor=floor,
)
