"""NCP, for the verifier: a label's values over the column's, or its width over the domain's."""

from __future__ import annotations

from fractions import Fraction

from shoal.judge.measures.base import LabelSet, Recounted, RecountedMeasure
from shoal.judge.measures.exact import (
    Known,
)


def floor(node: Known) -> Fraction:
    if node.share is not None:
        return node.share
    return Fraction(len(node.counts), node.n_values) if len(node.counts) > 1 else Fraction(0)


def recount(shown: LabelSet, column: Recounted) -> float:
    if shown.width is not None:
        return shown.width
    return shown.n_values / column.n_values if shown.n_values > 1 else 0.0


NCP = RecountedMeasure(
    name="ncp",
    recount=recount,
    floor=floor,
)
