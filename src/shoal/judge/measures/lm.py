"""LM, for the verifier: a label's values less one over the column's less one, or its width over the domain's."""

from __future__ import annotations

from fractions import Fraction

from shoal.judge.measures.base import LabelSet, Recounted, RecountedMeasure
from shoal.judge.measures.exact import (
    Known,
)


def floor(node: Known) -> Fraction:
    return node.share if node.share is not None else Fraction(len(node.counts) - 1, max(node.n_values - 1, 1))


def recount(shown: LabelSet, column: Recounted) -> float:
    if shown.width is not None:
        return shown.width
    return (shown.n_values - 1) / max(column.n_values - 1, 1)


LM = RecountedMeasure(
    name="lm",
    recount=recount,
    floor=floor,
)
