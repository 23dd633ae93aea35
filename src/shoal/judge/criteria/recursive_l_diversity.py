"""Recursive (c, l)-diversity: r_1 < c · (r_l + … + r_m) for the counts of a group's values in falling order.

A missing cell counts as the group's commonest value.
Reached.     r_1 / (r_l + … + r_m); infinite where the group has fewer than l values.
Reference.   Machanavajjhala et al., l-diversity, ICDE 2006, definition 4.2.
"""

from __future__ import annotations

import math

from shoal.judge.criteria.base import Definition, GroupCounts, Parameters, WholeCounts


def reached(group: GroupCounts, whole: WholeCounts, asked: Parameters) -> float:
    falling = group.filled()
    rare = sum(falling[int(asked["l"]) - 1 :])
    return falling[0] / rare if rare else math.inf


def is_enough(ratio: float, asked: Parameters) -> bool:
    return ratio < asked["c"]


RECURSIVE_L_DIVERSITY = Definition("recursive-l-diversity", reached, is_enough)
