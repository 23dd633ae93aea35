"""The first step: what the columns of a table look like, before anybody has given them a role."""

from __future__ import annotations

from html import escape
from typing import Any

from shoal import io
from shoal.columns.roles import ASK, Suggestion, suggest_roles
from shoal.table.headers import need_header

WIDTH = 24


class Suggestions(tuple[Suggestion, ...]):
    """A suggestion for each column, the likeliest quasi-identifiers first."""

    def __repr__(self) -> str:
        return "\n".join(self.lines())

    def lines(self) -> list[str]:
        """One line a column, its question and what others tell of it below."""
        said = []
        for s in self:
            said.append(f"  {s.role:<17}{s.column:<{WIDTH}}{s.kind}: {'; '.join(s.reasons)}")
            said += [f"  {'':<17}{'':<{WIDTH}}{more}" for more in ((s.question,) if s.question else ()) + _told(s)]
        return said

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{escape(s.column)}</td><td>{'<b>please decide</b>' if s.role == ASK else escape(s.role)}</td><td>{escape(s.kind)}</td>"
            f"<td>{escape('; '.join((*s.reasons, *((s.question,) if s.question else ()), *s.relations)))}</td></tr>"
            for s in self
        )
        return f"<table><thead><tr><th>column</th><th>role</th><th>kind</th><th>why</th></tr></thead><tbody>{rows}</tbody></table>"

    def to_dicts(self) -> list[dict[str, Any]]:
        """As plain values, for JSON."""
        return [dict(vars(s)) for s in self]

    def named(self, role: str) -> list[str]:
        """The columns with a role."""
        return [s.column for s in self if s.role == role]


def _told(s: Suggestion) -> tuple[str, ...]:
    """What others tell of a column, at most two of them."""
    return s.relations[:2] + ((f"… and {len(s.relations) - 2} more columns tell of it",) if len(s.relations) > 2 else ())


def suggest(data: Any) -> Suggestions:
    """A role for each column of a table, from names and values, with reasons; nothing is taken by itself.

    ``data`` is a path, or a table of pandas, polars or pyarrow. A role is identifier, quasi-identifier, sensitive, insensitive or
    ``ask``: then ``question`` says what only the owner of the table can know.
    """
    table = io.read(data)
    need_header(table.frame, table.source)
    return Suggestions(suggest_roles(table))
