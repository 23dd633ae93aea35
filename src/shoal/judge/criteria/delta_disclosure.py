"""δ-disclosure privacy: |log2(q / p)| < δ for every value of the whole table, q its share in the group and p in the table.

A group that lacks a value breaks it. A missing cell is a value.
Reference.   Brickell and Shmatikov, The cost of privacy: destruction of data-mining utility in anonymized data publishing, KDD 2008,
             definition 1; with logarithms to base 2, as everywhere here.
"""

from __future__ import annotations

import math

from shoal.judge.criteria.base import Definition, GroupCounts, Parameters, WholeCounts


def reached(group: GroupCounts, whole: WholeCounts, asked: Parameters) -> float:
    if group.cells.keys() != whole.cells.keys():
        return math.inf
    return max(abs(math.log2(whole.ratio(group, value))) for value in group.cells)


def is_enough(distance: float, asked: Parameters) -> bool:
    return distance < asked["delta"]


DELTA_DISCLOSURE = Definition("delta-disclosure-privacy", reached, is_enough)
