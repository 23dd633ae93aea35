"""(α, k)-anonymity: no sensitive value has more than the share α of a group. A missing cell counts as the group's commonest value.

Reference.   Wong, Li, Fu and Wang, (α, k)-anonymity: an enhanced k-anonymity model for privacy preserving data publishing, KDD 2006,
             definition 3, asked of every value of the column.
"""

from __future__ import annotations

from shoal.judge.criteria.base import ROUNDING, Definition, GroupCounts, Parameters, WholeCounts


def reached(group: GroupCounts, whole: WholeCounts, asked: Parameters) -> float:
    return group.filled()[0] / group.n_rows


def is_enough(share: float, asked: Parameters) -> bool:
    return share <= asked["alpha"] + ROUNDING


ALPHA_K_ANONYMITY = Definition("alpha-k-anonymity", reached, is_enough)
