"""The demands of a problem as the search checks them, one group at a time."""

from __future__ import annotations

import numpy as np

from shoal.kernels import Promise
from shoal.privacy.base import Demand
from shoal.problem import Ints, Problem

KINDS = {
    "distinct-l-diversity": "distinct",
    "entropy-l-diversity": "entropy",
    "recursive-l-diversity": "recursive",
    "t-closeness": "close",
}


def can_search(problem: Problem) -> bool:
    """Whether the search knows every criterion that is demanded; others are only met by merging.

    It knows of no missing cells: only to t-closeness of categories are they a value like any other.
    """
    for demand, value in zip(problem.demands, problem.sensitive, strict=True):
        name = demand.criterion.name
        if name not in KINDS and name != "k-anonymity":
            return False
        has_missing = demand.missing is not None and bool((value == demand.missing).any())
        if has_missing and (name != "t-closeness" or demand.parameters.get("ordered")):
            return False
    return True


def promises_of(problem: Problem) -> list[Promise]:
    """What the search has to keep, for each demand."""
    return [
        promise_of(demand, value)
        for demand, value in zip(problem.demands, problem.sensitive, strict=True)
        if demand.criterion.name in KINDS
    ]


def promise_of(demand: Demand, value: Ints) -> Promise:
    asked = demand.parameters
    kind = KINDS[demand.criterion.name]
    if kind == "close" and asked.get("ordered"):
        kind = "close-ordered"
    count = np.bincount(value)
    return Promise(
        kind,
        np.ascontiguousarray(value, dtype=np.int32),
        count / max(len(value), 1),
        l=float(asked.get("l", 0.0)),
        c=float(asked.get("c", 0.0)),
        t=float(asked.get("t", 0.0)),
    )
