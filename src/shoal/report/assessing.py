"""``shoal.assess``: the risk of a table as it is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from shoal import io
from shoal.encode import check_columns
from shoal.policy import Policy, with_roles
from shoal.report.risk import Assessment, assess_table


def assess(
    data: Any,
    *,
    quasi_identifiers: Iterable[str],
    sensitive: Iterable[str] = (),
    largest_subset: int = 3,
    population: int | None = None,
    person: str | None = None,
) -> Assessment:
    """Count what a table gives away: a pandas, polars or pyarrow table, or a path. With ``person``, a column that says who a row is about, in people."""
    table = io.read(data)
    names, watched = list(quasi_identifiers), list(sensitive)
    policy = Policy(person=person)
    check_columns(table.frame, table.source, policy.changed(columns=with_roles(policy.columns, names, watched, None)))
    return assess_table(table, names, watched, largest_subset=largest_subset, population=population, person=person)
