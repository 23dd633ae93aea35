"""The demands of a problem as the search checks them, one group at a time."""

from __future__ import annotations

import numpy as np

from shoal.kernels import Promise
from shoal.privacy.base import Demand
from shoal.problem import Ints, Problem


def can_search(problem: Problem) -> bool:
    """Whether the search can check every criterion that is demanded; others are only met by merging."""
    return all(demand.criterion.about_rows or demand.criterion.primitive is not None for demand in problem.demands)


def promises_of(problem: Problem) -> list[Promise]:
    """What the search has to keep, for each demand."""
    return [
        promise_of(demand, value, problem.rows_of_unit)
        for demand, value in zip(problem.demands, problem.sensitive, strict=True)
        if demand.criterion.primitive is not None
    ]


def promise_of(demand: Demand, value: Ints, rows: Ints) -> Promise:
    assert demand.criterion.primitive is not None
    share = np.bincount(value, weights=rows) / max(int(rows.sum()), 1)
    known = demand.criterion.primitive(demand.parameters, share)
    missing = -1 if demand.missing is None or demand.missing >= len(share) or known.takes_missing else demand.missing
    limits = share if known.cap is None else np.ascontiguousarray(known.cap, dtype=np.float64)
    return Promise(
        known.form,
        np.ascontiguousarray(value, dtype=np.int32),
        limits,
        l=known.l,
        c=known.c,
        t=known.t,
        missing=missing,
    )
