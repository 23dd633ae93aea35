"""A look at the columns before the search: names that nobody gave a role, numbers of people that repeat, names inside texts."""

from __future__ import annotations

from dataclasses import dataclass

from shoal.columns.kinds import understand
from shoal.columns.roles import judge_all, judge_together, refuse_identifiers
from shoal.columns.whose import LOOKED_AT, Whose, whose
from shoal.engines.base import RowSet
from shoal.policy.policy import Policy


@dataclass(frozen=True)
class Looked:
    """What the owner should know of the columns, whatever the release promises."""

    several_rows: tuple[Whose, ...] = ()
    """Columns that may say whose a row is and repeat, where k counts rows."""
    names_inside: tuple[tuple[str, str], ...] = ()
    """Columns that are released, and hold values of a column of names or numbers of people."""


def look(rows: RowSet, policy: Policy) -> Looked:
    """Refuse columns that name people and have no role, and say what else stands out."""
    some = rows.values(rows.columns, LOOKED_AT)
    found = judge_together(some)
    unnamed = {s.column: s for s in found if s.column not in policy.columns}
    if unnamed and len(some[0].codes) >= LOOKED_AT:  # the other rows may tell more
        unnamed |= {s.column: s for s in judge_all([understand(c) for c in rows.values(list(unnamed))]) if s.role == "identifier"}
    refuse_identifiers(list(unnamed.values()), rows.head, rows.source)
    dropped = policy.named("identifier")
    repeats = whose({column.name: column for column in some}, found) if policy.person is None else []
    judged = ("quasi-identifier", "sensitive")
    return Looked(
        tuple(w for w in repeats if w.is_sure or w.column not in policy.columns or policy.columns[w.column].role not in judged),
        tuple((s.column, s.holds) for s in found if s.holds is not None and s.column not in dropped),
    )
