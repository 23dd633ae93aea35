"""The demands of a problem as the search checks them, one group at a time."""

from __future__ import annotations

import numpy as np

from shoal.kernels import Promise
from shoal.privacy.base import Demand
from shoal.problem import Ints, Problem


def can_search(problem: Problem) -> bool:
    """Whether the search can check every criterion that is demanded; others are only met by merging.

    It knows of no missing cells, but where a criterion takes them for a value like any other.
    """
    for demand, value in zip(problem.demands, problem.sensitive, strict=True):
        if demand.criterion.about_rows:
            continue
        has_missing = demand.missing is not None and bool((value == demand.missing).any())
        if demand.criterion.primitive is None or (has_missing and not demand.criterion.counts_missing(demand.parameters)):
            return False
    return True


def promises_of(problem: Problem) -> list[Promise]:
    """What the search has to keep, for each demand."""
    return [
        promise_of(demand, value)
        for demand, value in zip(problem.demands, problem.sensitive, strict=True)
        if demand.criterion.primitive is not None
    ]


def promise_of(demand: Demand, value: Ints) -> Promise:
    assert demand.criterion.primitive is not None
    share = np.bincount(value) / max(len(value), 1)
    known = demand.criterion.primitive(demand.parameters, share)
    return Promise(known.form, np.ascontiguousarray(value, dtype=np.int32), share, l=known.l, c=known.c, t=known.t)
