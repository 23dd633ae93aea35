"""k-anonymity of people: the rows that look alike are of at least k different people. A row whose person is not known counts for nobody.

Reference.   Sweeney 2002 takes a row for a person; counted by people as in (X, Y)-privacy: Wang and Fung, KDD 2006.
"""

from __future__ import annotations

from shoal.judge.criteria.base import Definition, GroupCounts, Parameters, WholeCounts


def reached(group: GroupCounts, whole: WholeCounts, asked: Parameters) -> float:
    return len(group.counts)


def is_enough(n_people: float, asked: Parameters) -> bool:
    return n_people >= asked["k"]


K_PEOPLE = Definition("k-people", reached, is_enough, more_is_better=True, different="k")
