"""What the groups of a session promise: how many cells its table hides at most, beside the best table of the same rows,
and a bound from what the miner sees.

A cell counts if the table does not show it exactly; of a row that is not in the table all quasi-identifiers count. The
best table is the one in which the fewest cells count, of all tables whose groups have at least as many rows as the
session's. It may leave rows out too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Distances = NDArray[np.int64]
MOST_COMPARED = 4000
"""Up to so many different rows, each is compared with each."""


@dataclass(frozen=True)
class Grouping:
    """A way to form groups, and what it promises.

    A factor depends on the least size of a group and the number of quasi-identifiers.
    """

    name: str
    title: str
    reference: str
    guarantee_text: str
    guarantee: Callable[[int, int], float | None]


@dataclass(frozen=True)
class Reached:
    """What the table hides, what any table of these rows hides at least, and what is proved for every session."""

    grouping: str
    guarantee: float | None
    note: str
    loss: int
    lower_bound: int

    @property
    def ratio(self) -> float | None:
        """How far from the best table at most; None if nothing is known."""
        if self.lower_bound == 0:
            return 1.0 if self.loss == 0 else None
        return self.loss / self.lower_bound

    def sentence(self) -> str:
        near = "" if self.ratio is None else f", so it is at most {self.ratio:.3f} times the best"
        return (
            f"{self.grouping}: {self.loss} cells are not shown exactly, all those of rows left out among them; "
            f"no table of these rows in groups as large has fewer than {self.lower_bound}{near}. {self.note}"
        )


def reached(grouping: Grouping, least: int, columns: int, loss: int, lower_bound: int, lost: int) -> Reached:
    """``least`` is the least size of a group.

    ``lost`` rows should be in the table: their owners went, came late, or sent what does not open.
    """
    factor = grouping.guarantee(least, columns)
    if factor is None:
        return Reached(grouping.name, None, f"No guarantee: {grouping.guarantee_text}.", loss, lower_bound)
    if lost:
        note = f"No guarantee: {lost} rows came late, or their owners went or sent what does not open."
        return Reached(grouping.name, None, note, loss, lower_bound)
    note = f"Guarantee: at most {factor:.4g} times the cells of the best table ({grouping.guarantee_text})."
    return Reached(grouping.name, factor, note, loss, lower_bound)


def bound_by_distances(distances: Distances, least: int) -> int:
    """Each row is with ``least`` − 1 others, and its group hides the columns in which it differs from any of them: the
    farthest is no nearer than its (``least`` − 1)-th nearest. A row that is left out pays more than any distance."""
    if len(distances) < least:
        return 0
    return int(np.sort(distances, axis=1)[:, least - 1].sum())


def bound_by_rows(rows: Sequence[tuple[str, ...]], least: int) -> int:
    """The same, from the rows themselves.

    Only rows that fewer than ``least`` share are compared; where these are too many, each counts once.
    """
    count = Counter(rows)
    kinds = sorted(count)
    rare = [i for i, kind in enumerate(kinds) if count[kind] < least]
    if len(rows) < least or len(kinds) > MOST_COMPARED:
        return sum(count[kinds[i]] for i in rare)
    codes = np.stack([np.unique(list(column), return_inverse=True)[1] for column in zip(*kinds, strict=True)], axis=1)
    weight = np.array([count[kind] for kind in kinds], dtype=np.int64)
    total = 0
    for i in rare:
        near = np.bincount((codes != codes[i]).sum(axis=1), weights=weight)
        total += int(np.searchsorted(np.cumsum(near), least)) * int(weight[i])
    return total


EXTRACTION = Grouping(
    "extraction",
    "The rows whose exact quasi-identifier enough others share",
    "Zhong, Yang and Wright 2005, section 4",
    "the number of quasi-identifiers times the cells; no table of exact rows has more rows",
    lambda least, columns: float(columns),
)
STAR = Grouping(
    "star",
    "Rounds from exact labels to general ones",
    "Davidson et al. 2022; rounds over coarser labels are ours",
    "the number of quasi-identifiers times the cells",
    lambda least, columns: float(columns),
)
CATALOG = {"extraction": "shoal.protocol.grouping:EXTRACTION", "star": "shoal.protocol.grouping:STAR"}
"""The protocols whose groups need no choice; those of suppression are in ``suppression.partition``."""
