"""Basic β-likeness: (q − p) / p ≤ β for every sensitive value, q its share in the group and p in the whole table. A missing cell is a value.

Reference.   Cao and Karras, Publishing microdata with a robust privacy guarantee, PVLDB 5(11), 2012, definition 1.
"""

from __future__ import annotations

from shoal.judge.criteria.base import ROUNDING, Definition, GroupCounts, Parameters, WholeCounts


def reached(group: GroupCounts, whole: WholeCounts, asked: Parameters) -> float:
    return max(whole.ratio(group, value) - 1 for value in group.cells)


def is_enough(gain: float, asked: Parameters) -> bool:
    return gain <= asked["beta"] * (1 + ROUNDING) + ROUNDING


BASIC_BETA_LIKENESS = Definition("basic-beta-likeness", reached, is_enough)
