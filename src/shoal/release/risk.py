"""The risk of being picked out, before and after: from the sizes of the groups alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.release.release import Release


@dataclass(frozen=True)
class Risk:
    """What somebody learns who knows a person's quasi-identifiers and that she is in the table."""

    k: int
    n_rows: int
    n_groups: int
    n_unique: int
    n_below_k: int
    highest: float
    """The chance of picking the right row of the most exposed person."""
    average: float
    """The same, averaged over all rows: the number of groups over the number of rows."""


def risk_of(sizes: NDArray[np.int64], k: int) -> Risk:
    """The risk of a table whose groups have these sizes."""
    n_rows = int(sizes.sum())
    return Risk(
        k=k,
        n_rows=n_rows,
        n_groups=len(sizes),
        n_unique=int((sizes == 1).sum()),
        n_below_k=int(sizes[sizes < k].sum()),
        highest=1.0 / int(sizes.min()) if n_rows else 0.0,
        average=len(sizes) / n_rows if n_rows else 0.0,
    )


def risks(release: Release) -> tuple[Risk, Risk]:
    """Before, over the original rows, and after, over the released ones."""
    problem = release.problem
    return risk_of(problem.weight, problem.k), risk_of(np.array(release.verdict.sizes, dtype=np.int64), problem.k)
