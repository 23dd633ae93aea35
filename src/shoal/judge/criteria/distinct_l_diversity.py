"""Distinct l-diversity: at least l different sensitive values in every group. A missing cell does not count as one.

Reference.   Machanavajjhala et al., l-diversity, ICDE 2006; Aggarwal et al. 2005, section 7.
"""

from __future__ import annotations

from shoal.judge.criteria.base import Definition, GroupCounts, Parameters, WholeCounts


def reached(group: GroupCounts, whole: WholeCounts, asked: Parameters) -> float:
    return len(group.counts)


def is_enough(n_values: float, asked: Parameters) -> bool:
    return n_values >= asked["l"]


DISTINCT_L_DIVERSITY = Definition("distinct-l-diversity", reached, is_enough, more_is_better=True, different="l")
