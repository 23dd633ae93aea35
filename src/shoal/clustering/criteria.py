"""What is asked of the sensitive values of every cluster, as the search sees it.

The recount has a definition of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shoal.clustering.points import Bools, Ints, Longs
from shoal.errors import Infeasible
from shoal.policy.policy import Policy
from shoal.privacy.base import Demand, histogram
from shoal.privacy.meaning import scale_of
from shoal.table import Table


@dataclass(frozen=True, eq=False)
class Watched:
    """A criterion asked of a sensitive column, and the column's values."""

    demand: Demand
    value: Ints
    """The number of each row's value."""
    whole: Longs
    """How often each value occurs in the table."""

    @property
    def n_different(self) -> int:
        """How many different values every cluster must have; 0 where that is not what is asked."""
        wanted = self.demand.criterion.different
        return int(self.demand.parameters[wanted]) if wanted else 0


def watched(table: Table | None, policy: Policy, sensitive: Sequence[str]) -> tuple[Watched, ...]:
    """The criteria of a policy with the values of their columns.

    An empty text is a missing cell: where counts are published, it looks the same.
    """
    if table is None:
        return ()
    found = []
    there = table.with_missing(("",), sensitive)
    for name in sensitive:
        for criterion, parameters in policy.columns[name].demands:
            column = there.coded(name)
            scale = scale_of(column.values.to_list())
            value = scale.codes(column.codes)
            found.append(
                Watched(
                    scale.demand(criterion, name, parameters), value, np.bincount(value, minlength=scale.missing + 1)
                )
            )
    return tuple(found)


def are_met(asked: Sequence[Watched], label: Ints, n_clusters: int, rows: Longs | None = None) -> Bools:
    """Whether each cluster keeps all that is asked.

    ``label`` is of all rows, −1 for an outlier, or of ``rows`` alone.
    """
    fine = np.ones(n_clusters, dtype=np.bool_)
    for one in asked:
        value = one.value if rows is None else one.value[rows]
        fine &= one.demand.is_met(histogram(label, value, n_clusters, one.whole))
    return fine


def check_whole(asked: Sequence[Watched]) -> None:
    """Raise :class:`Infeasible` if one cluster of all rows breaks a criterion."""
    for one in asked:
        counts = histogram(np.zeros(len(one.value), dtype=np.int32), one.value, 1)
        if not one.demand.is_met(counts)[0]:
            raise Infeasible(
                f"Even one cluster of all {len(one.value)} rows does not keep {one.demand.text()}: it reaches "
                f"{float(one.demand.reached(counts)[0]):.4g}. Ask for less, or leave this out."
            )
