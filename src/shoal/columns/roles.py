"""A role for each column, in doubt the safer one: suggested with reasons, never decided without the user.

Only a column that has the same value everywhere is called insensitive. What the name or the values tell is reported. What they leave
open becomes a question, which the owner of the table has to answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from shoal.columns import names
from shoal.columns.kinds import MOST_CODES, Understanding, understand
from shoal.columns.relations import Relation, relations
from shoal.errors import PolicyError
from shoal.table import Coded, Table
from shoal.table.headers import need_header
from shoal.table.text import has_text

ASK = "ask"
"""No role, but a question."""
ORDER = {"quasi-identifier": 0, ASK: 1, "identifier": 2, "sensitive": 3, "insensitive": 4}
DATED = ("date", "time", "timestamp", "year")
PLACED = ("latitude", "longitude", "postal code")
FREE_TEXT = "Its texts are nearly all different and may name people. Drop it (identifier), or, if outsiders may know it, make it a quasi-identifier?"
NESTED = "shoal cannot look into it. Drop it (identifier), or is it known to say nothing of a person?"
UNCLEAR = "May an outsider know this of somebody (quasi-identifier), or is it what nobody should learn (sensitive)?"
SAFE = "its name says nothing, so it is protected to be safe"
FEW = 12
"""A column of at most so many values of which nothing is known is protected rather than asked about: that costs little and exposes nobody."""
MEDICAL = 0.2
"""A table of which this share of the columns, three at least, speaks of health is a table about health."""


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
    kind: str = "category"
    confidence: float = 0.0
    """How sure the kind is."""
    question: str | None = None
    """What only the owner of the table can say."""
    marks: tuple[str, ...] = ()
    """Texts that probably stand for a missing value."""
    relations: tuple[str, ...] = ()
    """What other columns tell of this one, in words."""


def suggest_roles(table: Table) -> tuple[Suggestion, ...]:
    """A role for each column from its name and its values; the likeliest quasi-identifiers first."""
    return tuple(sorted(overview(table), key=lambda s: (ORDER[s.role], -s.score, s.column)))


def overview(table: Table) -> list[Suggestion]:
    """The same in the table's order."""
    columns = [understand(table.coded(name)) for name in table.columns if has_text(table.column(name).dtype)]
    told = relations(table.frame, columns)
    found = {s.column: s for s in _with_relations(judge_all(columns), told)}
    return [found.get(name) or _nested(name, str(table.column(name).dtype.base_type())) for name in table.columns]


def _nested(name: str, dtype: str) -> Suggestion:
    """A column of lists, structs, bytes or durations: nothing can be said of its values."""
    return Suggestion(name, ASK, 0.0, (f"it holds {dtype.lower()} values, which cannot be generalized",), kind="nested", question=NESTED)


def _with_relations(found: list[Suggestion], told: Sequence[Relation]) -> list[Suggestion]:
    """Each column with what others tell about it. If one of two copies has only a question, it takes the other's role."""
    by_name = {s.column: s for s in found}
    for relation in told:
        for one, two in ((relation.teller, relation.told), (relation.told, relation.teller)):
            a, b = by_name[one], by_name[two]
            role = b.role if relation.how == "copy" and a.role == ASK and b.role in ("identifier", "quasi-identifier") else a.role
            by_name[one] = replace(a, role=role, question=None if role != a.role else a.question, relations=(*a.relations, relation.text))
    return [by_name[s.column] for s in found]


def suggest_role(column: Coded) -> Suggestion:
    """A role for one column, by itself."""
    return judge_all([understand(column)])[0]


def refuse_identifiers(table: Table, names: Sequence[str]) -> None:
    """Raise a PolicyError if one of these columns looks like a name or a number of people, and say what can be done."""
    there = [understand(table.coded(name)) for name in names if has_text(table.column(name).dtype)]
    found = [s for s in judge_all(there) if s.role == "identifier"]
    if not found:
        return
    need_header(table.frame, table.source)  # else what is named here may be somebody's cells
    shown = "; ".join(f"'{s.column}' ({s.reasons[0]})" for s in found[:5]) + (f" and {len(found) - 5} more" if len(found) > 5 else "")
    first = found[0].column
    raise PolicyError(
        f"{len(found)} {'column that has no role looks' if len(found) == 1 else 'columns that have no role look'} like names or numbers of people: {shown}. "
        f"Are they? Then drop them: --identifier '{first}' (identifiers=['{first}'] in Python). If outsiders may know them, --qi '{first}'. "
        f"If they are to be released as they are, say so: --keep '{first}' (keep=['{first}'])."
    )


def judge_all(columns: Sequence[Understanding]) -> list[Suggestion]:
    """Roles for the columns of one table; a column with an unknown name is judged by the columns beside it."""
    first = [_judge(u) for u in columns]
    about = [names.stem_of(s.column, _stems("health")) for s in first if s.role == "sensitive"]
    is_medical = sum(found is not None for found in about) >= max(3, MEDICAL * len(columns))
    return [_in_company(s, u) if is_medical else s for s, u in zip(first, columns, strict=True)]


def _in_company(suggestion: Suggestion, u: Understanding) -> Suggestion:
    """In a table about health, what is unclear is probably a finding."""
    is_unclear = suggestion.role == ASK or SAFE in suggestion.reasons
    if not is_unclear or u.kind in ("text", "identifier", "name") or u.tells_rows_apart:
        return suggestion
    reasons = tuple(reason for reason in suggestion.reasons if reason != SAFE)
    return replace(suggestion, role="sensitive", question=None, reasons=("other columns speak of health", *reasons))


def _judge(u: Understanding) -> Suggestion:
    """A role, and why."""
    role, why, question = _decide(u)
    reasons = [*why, *(e for e in u.evidence if e not in why)]
    if u.kind != "constant":
        if u.n_alone:
            reasons.append(f"{u.n_alone:,} {'row has a value of its' if u.n_alone == 1 else 'rows have a value of their'} own")
        reasons.append(f"{u.n_values:,} different values")
    question = question or u.question
    distinct = u.n_values / max(u.n_present, 1)
    score = min(1.0, 0.5 * bool(why) + 0.5 * min(distinct * 10, 1.0)) if role != "insensitive" else 0.0
    return Suggestion(u.column, role, score, tuple(reasons), u.n_values, u.n_missing, u.n_alone, u.kind, u.confidence, question, u.marks)


def _decide(u: Understanding) -> tuple[str, tuple[str, ...], str | None]:
    """The role, what of the name tells it, and the question that is left."""
    if u.kind == "constant":
        return "insensitive", (), None
    if u.kind in ("name", "identifier"):
        return "identifier", (), None
    if names.has(u.column, *names.CONTACT) and u.kind in ("text", "category", "code", "number") and u.n_values > MOST_CODES:
        return "identifier", ("its name",), None
    if names.has(u.column, *names.ALWAYS) and u.kind != "boolean" and u.n_values > 2:
        return "identifier", ("its name",), None
    named = _by_name(u)
    if u.kind in DATED or u.kind in PLACED:
        return "quasi-identifier", (("when something happened",) if u.kind in DATED else ("where somebody lives or was",)), None
    if u.kind == "text":
        known = named is not None and named[0] == "quasi-identifier"
        return ("quasi-identifier", (f"its name: {named[1]}",), None) if known and named else (ASK, (), FREE_TEXT)
    if named is not None:
        return named[0], (f"its name: {named[1]}",), None
    if u.n_values <= FEW:
        return "quasi-identifier", (SAFE,), None
    return ASK, (), UNCLEAR


def _stems(topic: str) -> tuple[str, ...]:
    return next(stems for about, stems in names.SENSITIVE if about == topic)


def _by_name(u: Understanding) -> tuple[str, str] | None:
    """The role that the name speaks of, and of what. The last word says what a thing is; those before it, of which kind."""
    said = names.words(u.column)
    for part in ("".join(said), *reversed(said)):
        for role, topics in (("sensitive", names.SENSITIVE), ("quasi-identifier", names.KNOWN_TO_OTHERS)):
            for about, stems in topics:
                if names.stem_of(part, stems) is not None and (part != "".join(said) or len(said) == 1 or _whole(part, stems)):
                    return role, about
    return ("sensitive", "an outcome") if names.has(u.column, *names.OUTCOME) else None


def _whole(joined: str, stems: tuple[str, ...]) -> bool:
    return any(joined == stem.rstrip("$") for stem in stems)
