"""Which columns look like quasi-identifiers: a ranked suggestion with reasons, never taken by itself."""

from __future__ import annotations

import re
from dataclasses import dataclass

from shoal.table import Coded, Table

KNOWN = {
    "identifier": (
        r"\b(id|uuid|guid|ssn|iban|e.?mail|phone|mobile|passport|record|number|name|surname|first.?name|last.?name|address|street|ip)\b",
    ),
    "quasi-identifier": (
        r"\b(age|birth|born|dob|year|sex|gender|zip|postal|postcode|plz|city|town|county|region|state|country|nation|native|race|ethnic)",
        r"\b(job|occupation|profession|work|education|school|degree|marital|status|civil|religion|language|admi(?:ssion|tt)|discharge|date|day|month|employer)",
    ),
    "sensitive": (
        r"\b(diagnos|disease|illness|icd|drug|medication|salary|income|wage|crime|offence|debt|score|test.?result|hiv|therap|grade)",
    ),
}


@dataclass(frozen=True)
class Suggestion:
    """What a column looks like, and why."""

    column: str
    role: str
    score: float
    reasons: tuple[str, ...]
    n_values: int = 0
    n_missing: int = 0
    n_alone: int = 0
    """Rows that have a value of their own."""


def suggest_roles(table: Table) -> tuple[Suggestion, ...]:
    """A role for each column from its name and how it tells rows apart; the likeliest quasi-identifiers first."""
    found = overview(table)
    order = {"quasi-identifier": 0, "identifier": 1, "sensitive": 2, "insensitive": 3}
    return tuple(sorted(found, key=lambda s: (order[s.role], -s.score, s.column)))


def overview(table: Table) -> list[Suggestion]:
    """The same in the table's order."""
    return [suggest_role(table.coded(name)) for name in table.columns]


def suggest_role(column: Coded) -> Suggestion:
    """A role for one column."""
    unique = int((column.counts() == 1).sum())
    role, score, reasons = _judge(column.name, column, max(len(column.codes) - column.n_missing, 1), unique)
    return Suggestion(column.name, role, score, reasons, column.n_values, column.n_missing, unique)


def _judge(name: str, coded: Coded, n: int, unique: int) -> tuple[str, float, tuple[str, ...]]:
    """A role, how sure that is, and why."""
    distinct = coded.n_values / n
    role = _by_name(name)
    reasons = ["its name"] if role is not None else []
    if coded.n_values <= 1:
        return "insensitive", 0.0, ("it has the same value everywhere",)
    if distinct > 0.95 and n >= 20 and role in (None, "identifier"):
        return "identifier", distinct, (*reasons, f"{coded.n_values:,} values in {n:,} rows: nearly each row has its own")
    if unique:
        reasons.append(f"{unique:,} {'row has a value of its' if unique == 1 else 'rows have a value of their'} own")
    reasons.append(f"{coded.n_values:,} different values")
    if role is None:
        role = "quasi-identifier" if 0 < distinct <= 0.5 and coded.n_values <= 200 else "insensitive"
    score = min(1.0, 0.5 * (role == _by_name(name)) + 0.5 * min(distinct * 10, 1.0))
    return role, score, tuple(reasons)


def _by_name(name: str) -> str | None:
    words = re.sub(r"(?<=[a-z])(?=[A-Z])|[_\W]+", " ", name).lower()
    for role, patterns in KNOWN.items():
        if any(re.search(pattern, words) for pattern in patterns):
            return role
    return None
