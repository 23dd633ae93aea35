"""The recount of what is asked of sensitive values: from the cells of the published clusters, by the definitions by
which releases are judged.

Nothing here is shared with the search: neither codes nor its definitions of the criteria. An empty text is a missing
cell.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import polars as pl

from shoal.clustering.shown import counts_told
from shoal.errors import NotAnonymous
from shoal.judge.criteria.base import Requirement
from shoal.judge.criteria.judging import judge
from shoal.policy.policy import Policy
from shoal.table import Table
from shoal.text.cells import as_text

SCHEMA = {"group": pl.Int64, "value": pl.String, "n": pl.Int64}


def check_criteria(table: Table, published: pl.DataFrame, policy: Policy) -> tuple[str, ...]:
    """Hold the published clusters to all that a policy asks of sensitive columns; what they keep, in words."""
    kept = []
    for name in policy.named("sensitive"):
        for criterion, asked in policy.columns[name].demands:
            whole = Counter(cell or None for cell in as_text(table.column(name)).to_list())
            told = [counts_told(name, text) for text in as_text(published[name]).to_list()]
            clusters = [Counter({value or None: n for value, n in counts.items()}) for counts in told]
            kept.append(check_criterion(name, criterion, asked, whole, clusters))
    return tuple(kept)


def one_valued(published: pl.DataFrame, name: str) -> int:
    """In how many clusters all rows whose value is known have the same one."""
    told = [counts_told(name, text) for text in as_text(published[name]).to_list()]
    return sum(len(counts.keys() - {""}) == 1 for counts in told)


def check_criterion(
    column: str,
    criterion: str,
    asked: Mapping[str, float],
    whole: Counter[str | None],
    clusters: Sequence[Counter[str | None]],
) -> str:
    """Raise :class:`NotAnonymous` if a cluster breaks a criterion:

    ``whole`` has the cells of the original, ``clusters`` those that are published.
    """
    wanted = Requirement(criterion, column, asked)
    found = judge(wanted, _counted([whole]), _counted(clusters))
    if found.is_broken.any():
        raise NotAnonymous(f"{int(found.is_broken.sum())} of {len(clusters)} clusters break {wanted.text()}.")
    return wanted.text()


def _counted(groups: Sequence[Counter[str | None]]) -> pl.DataFrame:
    """How many rows of each group have each text."""
    lines = [(number, text, n) for number, cells in enumerate(groups) for text, n in cells.items()]
    return pl.DataFrame(lines, schema=SCHEMA, orient="row")
