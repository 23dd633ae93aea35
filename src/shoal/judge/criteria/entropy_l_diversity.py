"""Entropy l-diversity: −Σ p log p ≥ log l over the shares p of a group's sensitive values. A missing cell counts as the group's commonest value.

Reached.     2 to the power of the entropy: how many equally likely values are as uncertain.
Reference.   Machanavajjhala et al., l-diversity, ICDE 2006, definition 4.1.
"""

from __future__ import annotations

import math

from shoal.judge.criteria.base import ROUNDING, Definition, GroupCounts, Parameters, WholeCounts


def reached(group: GroupCounts, whole: WholeCounts, asked: Parameters) -> float:
    n = group.n_rows
    return math.exp2(math.fsum(count / n * math.log2(n / count) for count in group.filled()))


def is_enough(effective: float, asked: Parameters) -> bool:
    return effective >= asked["l"] * (1 - ROUNDING)


ENTROPY_L_DIVERSITY = Definition("entropy-l-diversity", reached, is_enough, more_is_better=True)
