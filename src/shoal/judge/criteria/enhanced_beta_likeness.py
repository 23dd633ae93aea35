"""Enhanced β-likeness: (q − p) / p ≤ min(β, −ln p) for every sensitive value, q its share in the group and p in the whole table.

A missing cell is a value.
Reached.     The greatest gain; infinite where one is above −ln p, which no β allows.
Reference.   Cao and Karras, Publishing microdata with a robust privacy guarantee, PVLDB 5(11), 2012, definition 3.
"""

from __future__ import annotations

import math

from shoal.judge.criteria.base import ROUNDING, Definition, GroupCounts, Parameters, WholeCounts


def reached(group: GroupCounts, whole: WholeCounts, asked: Parameters) -> float:
    most = 0.0
    for value in group.cells:
        gain, share = whole.ratio(group, value) - 1, whole.n_of(value) / max(whole.n_rows, 1)
        if not share or gain > -math.log(share) + ROUNDING:
            return math.inf
        most = max(most, gain)
    return most


def is_enough(gain: float, asked: Parameters) -> bool:
    return gain <= asked["beta"] * (1 + ROUNDING) + ROUNDING


ENHANCED_BETA_LIKENESS = Definition("enhanced-beta-likeness", reached, is_enough)
