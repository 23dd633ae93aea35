"""The first step: what the columns of a table look like, and a policy to begin with."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from html import escape
from shlex import quote
from typing import Any

from shoal import io
from shoal.columns.roles import ASK, Suggestion, overview, suggest_roles
from shoal.columns.whose import Whose, may_be_a_person, whose
from shoal.disk.atomic import write_bytes
from shoal.hierarchies import as_toml, default_spec
from shoal.io.addresses import parse
from shoal.policy.toml import toml_key, toml_value
from shoal.table import Table
from shoal.text.headers import need_header

WIDTH = 24
K = 5
HIDDEN = ("laminar", "levels", "neighbours")
"""Hierarchies that would list values of the table in the policy: a column gets them by itself."""


class Suggestions(tuple[Suggestion, ...]):
    """A suggestion for each column, the likeliest quasi-identifiers first."""

    several_rows: tuple[Whose, ...] = ()
    """Columns that may say whose a row is, and repeat."""

    def __repr__(self) -> str:
        return "\n".join(self.lines())

    def lines(self) -> list[str]:
        """One line per column; below it, its question and which other columns tell about it."""
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
    """Which other columns tell about a column, at most two of them."""
    return s.relations[:2] + ((f"… and {len(s.relations) - 2} more columns tell of it",) if len(s.relations) > 2 else ())


def suggest(data: Any) -> Suggestions:
    """A role for each column of a table, from names and values, with reasons; nothing is decided without you.

    ``data`` is a path, or a table of pandas, polars or pyarrow. A role is identifier, quasi-identifier, sensitive, insensitive or
    ``ask``: then ``question`` says what only the owner of the table can know.
    """
    table = io.read(data)
    need_header(table.frame, table.source)
    found = Suggestions(suggest_roles(table))
    found.several_rows = tuple(_several_rows(table, found))
    return found


def init(data: Any, output: str | os.PathLike[str] | None = None, *, force: bool = False) -> str:
    """A starter policy for a table, commented: roles, kinds, hierarchies and the questions left open. Written to ``output``, if given,
    which its owner alone can read: it counts the table and names values.

    It runs as it is. A column that only the owner can judge is dropped until its question is answered.
    """
    return write_starter(io.read(data), output, typed_name(data), force=force)


def typed_name(data: Any) -> str | None:
    """The path of a table as it was given, for commands to type; None for anything else: an address may hold a password."""
    is_file = isinstance(data, str | os.PathLike) and os.fspath(data) != "-" and parse(data) is None
    return os.fspath(data) if is_file else None


def write_starter(table: Table, output: str | os.PathLike[str] | None, name: str | None, flags: str = "", *, force: bool = False) -> str:
    """The same of a table that was read, by ``name`` and with ``flags`` in the commands to type next."""
    need_header(table.frame, table.source)
    found = overview(table)
    marks = tuple(dict.fromkeys(mark for s in found for mark in s.marks))
    table = table.with_missing(marks, table.columns)
    if not any(s.role == "quasi-identifier" for s in found):
        found = [_protected(s) for s in found]
    repeats = _several_rows(table, found)
    lines = [
        *_heading(quote(name or table.source) + flags, found, output, len(repeats)),
        f"k = {min(K, max(table.n_rows, 2))}",
        *_person(table, found, repeats),
    ]
    if marks:
        lines.append(f"missing_values = {toml_value(marks)}  # these texts probably stand for a missing value; take out what does not")
    for s in found:
        lines += ["", *_column(table, s)]
    text = "\n".join(lines) + "\n"
    if output is not None:
        write_bytes(output, text.encode(), private=True, force=force)
    return text


def _protected(s: Suggestion) -> Suggestion:
    """In a table of which no column is known to outsiders for sure, those that may be are protected rather than dropped."""
    may_be = s.role in (ASK, "sensitive") and s.kind not in ("text", "nested")
    return replace(s, role="quasi-identifier") if may_be else s


def _heading(source: str, found: Sequence[Suggestion], output: str | os.PathLike[str] | None, n_repeats: int) -> list[str]:
    """What this is, what to type next, and which columns tell what others hide."""
    name = quote(os.fspath(output) if output is not None else "policy.toml")
    n_asked = n_repeats + sum(s.question is not None for s in found)
    asked = f"# {n_asked} {'question is' if n_asked == 1 else 'questions are'} left open: look for QUESTION. Until it is answered, an unclear column is dropped, and a number of people says whose row it is."
    told = list(dict.fromkeys(text for s in found for text in s.relations))
    return [
        "# A starter policy, from the names and values of the columns. Nothing in it is decided: read it, and change what you know better.",
        *([asked] if n_asked else []),
        "#",
        f"#   shoal anonymize {source} -o release.csv --policy {name}",
        f"#   shoal verify {source} release.csv --policy {name}",
        *(["#", "# Columns that tell what others hide:", *(f"#   {_one_line(text)}" for text in told)] if told else []),
        "",
    ]


def _several_rows(table: Table, found: Sequence[Suggestion]) -> list[Whose]:
    """Identifiers that repeat: several rows may be about one person, and then k has to count people."""
    coded = {s.column: table.coded(s.column) for s in found if s.role == "identifier" and s.kind != "nested"}
    return whose(coded, found)


def _person(table: Table, found: Sequence[Suggestion], repeats: Sequence[Whose]) -> list[str]:
    """The question whose rows they are, with its answers. Until it is answered, k counts people where a column surely numbers them."""
    lines = []
    for i, w in enumerate(repeats):
        name, is_taken = _one_line(w.column), w.is_sure and i == 0
        lines += [
            f"# QUESTION: '{name}' has {w.n_values:,} different values in {w.n_rows:,} rows. Does it say who a row is about?",
            "#   Yes, it is the person: k counts people, "
            + ("as the next line says." if is_taken else "if you take the # of the next line away."),
            f"#   No, each row is a different person, or it is a number of something else: {'delete the next line' if is_taken else 'leave it'}. k then counts rows.",
            f"{'' if is_taken else '# '}person = {toml_value(w.column)}",
        ]
    named = {w.column for w in repeats}
    by_chance = [s for s in found if s.column not in named and s.kind == "name" and may_be_a_person(table.coded(s.column), s)]
    for s in [] if repeats else by_chance:
        lines += [
            f"# '{_one_line(s.column)}' has {s.n_values:,} values in {table.n_rows:,} rows. If it says whose row it is, let k count people, and take the # away:",
            f"# person = {toml_value(s.column)}",
        ]
    return lines


def _column(table: Table, s: Suggestion) -> list[str]:
    """A column's table in TOML, with the reasons."""
    lines = [f"[columns.{toml_key(s.column)}]", f"# {s.kind}: {_one_line('; '.join(s.reasons))}"]
    if s.question is not None:
        lines.append(f"# QUESTION: {s.question}")
    lines.append(
        f'role = "{"identifier" if s.role == ASK else s.role}"' + ("  # dropped until the question is answered" if s.role == ASK else "")
    )
    if s.role == "quasi-identifier":
        coded = table.coded(s.column)
        spec = default_spec(s.column, coded.values.to_list(), coded.counts())
        shown = f"hierarchy = {toml_value(as_toml(spec))}"
        lines.append(f"# hierarchy: {spec.description}" if spec.name in HIDDEN else shown)
    return lines


def _one_line(text: str) -> str:
    return " ".join(text.split())
