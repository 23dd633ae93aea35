"""Root share, for the verifier: square roots of shares, over what is left of 1 without Σ p^(3/2)."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from shoal.judge.measures.base import Counts, Floats, LabelSet, Recounted, RecountedMeasure, once
from shoal.judge.measures.exact import (
    Bits,
    Known,
    root_above,
    root_below,
)


def floor(node: Known) -> Fraction:
    return root_below(node.held) * node.bits.per_root_below


def offset_ceiling(n: int, bits: Bits) -> Fraction:
    return root_above(n) * bits.per_root_above


def recount(shown: LabelSet, column: Recounted) -> float:
    return math.sqrt(shown.weight) * recount_per_root(column)


def recount_offset(count: Counts, column: Recounted) -> Floats:
    return np.asarray(np.sqrt(count) * recount_per_root(column))


@once
def recount_per_root(column: Recounted) -> float:
    """A second definition: 1 / √n over the chance that is left, 1 − Σ p^(3/2)."""
    if column.n_present <= 1:
        return 0.0
    share = column.count[column.count > 0] / column.n_rows
    return 1 / (math.sqrt(column.n_rows) * (1 - float((share * np.sqrt(share)).sum())))


ROOT_SHARE = RecountedMeasure(
    name="root-share",
    recount=recount,
    recount_offset=recount_offset,
    floor=floor,
    offset_ceiling=offset_ceiling,
)
