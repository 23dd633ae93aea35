"""k-anonymity: every row is one of at least k that look alike.

Reference.   Samarati and Sweeney 1998; Sweeney, k-anonymity: a model for protecting privacy, 2002.
"""

from __future__ import annotations

from shoal.judge.criteria.base import Definition, GroupCounts, Parameters, WholeCounts


def reached(group: GroupCounts, whole: WholeCounts, asked: Parameters) -> float:
    return group.n_rows


def is_enough(n_rows: float, asked: Parameters) -> bool:
    return n_rows >= asked["k"]


K_ANONYMITY = Definition("k-anonymity", reached, is_enough, more_is_better=True)
