"""Non-uniform entropy, for the verifier: log2 of the rows of a label's values, less that of the cell's own value."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from shoal.judge.measures.base import Counts, Floats, LabelSet, Recounted, RecountedMeasure
from shoal.judge.measures.exact import (
    Bits,
    Known,
    log_above,
    log_below,
)


def floor(node: Known) -> Fraction:
    return log_below(node.held)


def offset_ceiling(n: int, bits: Bits) -> Fraction:
    return log_above(n)


def recount(shown: LabelSet, column: Recounted) -> float:
    return math.log2(max(shown.weight, 1))


def recount_offset(count: Counts, column: Recounted) -> Floats:
    return np.log2(np.maximum(count, 1))


NON_UNIFORM_ENTROPY = RecountedMeasure(
    name="non-uniform-entropy",
    recount=recount,
    recount_offset=recount_offset,
    floor=floor,
    offset_ceiling=offset_ceiling,
)
