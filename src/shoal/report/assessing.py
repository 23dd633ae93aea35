"""``shoal.assess``: the risk of a table as it is."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from shoal import io
from shoal.encode import check_columns
from shoal.policy.given import make_policy
from shoal.policy.policy import Policy
from shoal.report.risk import Assessment, assess_table


def assess(
    data: Any,
    *,
    quasi_identifiers: Iterable[str] | None = None,
    sensitive: Iterable[str] | None = None,
    largest_subset: int = 3,
    person: str | None = None,
    missing_values: Iterable[str] | None = None,
    policy: Policy | str | Path | None = None,
) -> Assessment:
    """Count what a table gives away: a pandas, polars or pyarrow table, or a path. With ``person``, a column that says
    who a row is about, in people.

    ``missing_values`` are texts that stand for a missing cell, as for :func:`shoal.anonymize`. What is not given is
    taken from the policy, if there is one.
    """
    asked = make_policy(
        policy, quasi_identifiers=quasi_identifiers, sensitive=sensitive, person=person, missing_values=missing_values
    )
    table = asked.with_missing(io.read(data))
    check_columns(table.frame, table.source, asked)
    names, watched = asked.named("quasi-identifier"), asked.named("sensitive")
    return assess_table(table, names, watched, largest_subset=largest_subset, person=asked.person)
