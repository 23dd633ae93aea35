"""Information share, for the verifier: non-uniform entropy over the column's entropy."""

from __future__ import annotations

from fractions import Fraction

from shoal.judge.measures import non_uniform_entropy
from shoal.judge.measures.base import Counts, Floats, LabelSet, Recounted, RecountedMeasure
from shoal.judge.measures.entropy import recount_whole
from shoal.judge.measures.exact import (
    Bits,
    Known,
    log_above,
    log_below,
)


def floor(node: Known) -> Fraction:
    return log_below(node.held) / node.bits.above if node.bits.below > 0 else Fraction(0)


def offset_ceiling(n: int, bits: Bits) -> Fraction:
    return log_above(n) / bits.below if bits.below > 0 else Fraction(0)


def recount(shown: LabelSet, column: Recounted) -> float:
    return recount_per_bit(column) * non_uniform_entropy.recount(shown, column)


def recount_offset(count: Counts, column: Recounted) -> Floats:
    return recount_per_bit(column) * non_uniform_entropy.recount_offset(count, column)


def recount_per_bit(column: Recounted) -> float:
    bits = recount_whole(column)
    return 1 / bits if bits > 0 else 0.0


INFORMATION_SHARE = RecountedMeasure(
    name="information-share",
    recount=recount,
    recount_offset=recount_offset,
    floor=floor,
    offset_ceiling=offset_ceiling,
)
