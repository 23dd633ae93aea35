"""A role for each column, in doubt the safer one: suggested with reasons, never decided without the user.

Only a column that has the same value everywhere is called insensitive. A sensitive column is released as it is, so it
takes evidence of its own to be called so: its name or its values speak of a finding, of money, of an act, an answer or
a mark. Where they speak of what outsiders may know as well, that counts. The columns beside it are no evidence. What
name and values leave open is protected, if it has few values; else it becomes a question, which the owner of the table
has to answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import polars as pl

from shoal.columns import names
from shoal.columns.evidence import understand_all
from shoal.columns.kinds import MOST_CODES, Understanding, understand
from shoal.columns.relations import Relation, relations
from shoal.errors import PolicyError
from shoal.table import Coded, Table
from shoal.text.cells import has_text
from shoal.text.headers import need_header

ASK = "ask"
"""No role, but a question."""
ORDER = {"quasi-identifier": 0, ASK: 1, "identifier": 2, "sensitive": 3, "insensitive": 4}
DATED = ("date", "time", "timestamp", "year")
PLACED = ("latitude", "longitude", "postal code")
FREE_TEXT = (
    "Its texts are nearly all different and may name people. Drop it (identifier), or, if outsiders may know it, make "
    "it a quasi-identifier?"
)
NESTED = "shoal cannot look into it. Drop it (identifier), or is it known to say nothing of a person?"
UNCLEAR = "May an outsider know this of somebody (quasi-identifier), or is it what nobody should learn (sensitive)?"
SAFE = "its name says nothing, so it is protected to be safe"
FEW = 12
"""A column of at most so many values of which nothing is known is protected rather than asked about: that costs little
and exposes nobody.
"""


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
    holds: str | None = None
    """A column of names or numbers of people whose values stand in its texts."""


def suggest_roles(table: Table) -> tuple[Suggestion, ...]:
    """A role for each column from its name and its values; the likeliest quasi-identifiers first."""
    return tuple(sorted(overview(table), key=lambda s: (ORDER[s.role], -s.score, s.column)))


def overview(table: Table) -> list[Suggestion]:
    """The same in the table's order."""
    return study(table)[0]


def study(table: Table, coded: Callable[[str], Coded] | None = None) -> tuple[list[Suggestion], list[Relation]]:
    """A suggestion for each column in the table's order, and which columns tell what others hide.

    ``coded`` gives columns that are coded already.
    """
    look = coded or table.coded
    columns = understand_all([look(name) for name in table.columns if has_text(table.column(name).dtype)])
    told = relations(table.frame, columns)
    found = {s.column: s for s in _with_relations(judge_all(columns), told)}
    return [found.get(name) or _nested(name, str(table.column(name).dtype.base_type())) for name in table.columns], told


def _nested(name: str, dtype: str) -> Suggestion:
    """A column of lists, structs, bytes or durations: nothing can be said of its values."""
    return Suggestion(
        name,
        ASK,
        0.0,
        (f"it holds {dtype.lower()} values, which cannot be generalized",),
        kind="nested",
        question=NESTED,
    )


def _with_relations(found: list[Suggestion], told: Sequence[Relation]) -> list[Suggestion]:
    """Each column with what others tell about it.

    If one of two columns that say the same has only a question, it takes the other's role.
    """
    by_name = {s.column: s for s in found}
    for relation in told:
        for one, two in ((relation.teller, relation.told), (relation.told, relation.teller)):
            a, b = by_name[one], by_name[two]
            by_name[one] = replace(
                _like(a, b) if relation.how in ("copy", "order") else a, relations=(*a.relations, relation.text)
            )
    return [by_name[s.column] for s in found]


def _like(unclear: Suggestion, other: Suggestion) -> Suggestion:
    """A column of which nothing is known says the same as another: its role is the other's."""
    if unclear.role != ASK or other.role in (ASK, "insensitive") or unclear.kind == "text":
        return unclear
    if unclear.kind == "number" and other.role == "identifier":
        # something that was measured once of each person says who it is only beside the number: the owner has to say
        # what it is
        return unclear
    return replace(
        unclear, role=other.role, question=None, reasons=(f"it says the same as '{other.column}'", *unclear.reasons)
    )


def suggest_role(column: Coded) -> Suggestion:
    """A role for one column, by itself."""
    return judge_all([understand(column)])[0]


def judge_together(columns: Sequence[Coded]) -> list[Suggestion]:
    """Roles for these columns, each by its name and values and by those of the columns beside it."""
    return judge_all(understand_all(columns))


def refuse_identifiers(found: Sequence[Suggestion], rows: pl.DataFrame, source: str) -> None:
    """Raise a PolicyError if one of these columns, which have no role, looks like a name or a number of people, or
    holds some, and say what can be done.

    ``rows`` are some of the table.
    """
    found = [s for s in found if s.role == "identifier"]
    if not found:
        return
    need_header(rows, source)  # else what is named here may be somebody's cells
    shown = "; ".join(f"'{s.column}' ({s.reasons[0]})" for s in found[:5]) + (
        f" and {len(found) - 5} more" if len(found) > 5 else ""
    )
    first = found[0].column
    repeats = next((s.column for s in found if s.kind == "identifier" and s.n_alone < s.n_values), None)
    person = (
        ""
        if repeats is None
        else (
            f"If one says who a row is about, --person '{repeats}' (person='{repeats}') drops it and lets k count "
            "people. "
        )
    )
    raise PolicyError(
        f"{len(found)} {'column that has no role looks' if len(found) == 1 else 'columns that have no role look'} like "
        f"names or numbers of people: {shown}. "
        f"Are they? Then drop them: --identifier '{first}' (identifiers=['{first}'] in Python). {person}If outsiders "
        f"may know them, --qi '{first}'. "
        f"If they are to be released as they are, say so: --keep '{first}' (keep=['{first}'])."
    )


def judge_all(columns: Sequence[Understanding]) -> list[Suggestion]:
    """Roles for these columns, each by its own name and values."""
    return [_judge(u) for u in columns]


def _judge(u: Understanding) -> Suggestion:
    """A role, and why."""
    role, why, question = _decide(u)
    reasons = [*why, *(e for e in u.evidence if e not in why)]
    if u.kind != "constant":
        if u.n_alone:
            reasons.append(
                f"{u.n_alone:,} {'row has a value of its' if u.n_alone == 1 else 'rows have a value of their'} own"
            )
        reasons.append(f"{u.n_values:,} different values")
    question = question or u.question
    distinct = u.n_values / max(u.n_present, 1)
    score = min(1.0, 0.5 * bool(why) + 0.5 * min(distinct * 10, 1.0)) if role != "insensitive" else 0.0
    return Suggestion(
        u.column,
        role,
        score,
        tuple(reasons),
        u.n_values,
        u.n_missing,
        u.n_alone,
        u.kind,
        u.confidence,
        question,
        u.marks,
        holds=u.holds,
    )


def _decide(u: Understanding) -> tuple[str, tuple[str, ...], str | None]:
    """The role, what of the name tells it, and the question that is left."""
    if u.kind == "constant":
        return "insensitive", (), None
    because = _identifies(u)
    if because is not None:
        return "identifier", because, None
    if u.kind in DATED or u.kind in PLACED:
        return (
            "quasi-identifier",
            (("when something happened",) if u.kind in DATED else ("where somebody lives or was",)),
            None,
        )
    named = _by_name(u)
    if u.kind == "text":
        if u.question is not None:
            return "quasi-identifier", ("when something happened",), u.question
        known = named is not None and named[0] == "quasi-identifier"
        return ("quasi-identifier", (f"its name: {named[1]}",), None) if known and named else (ASK, (), FREE_TEXT)
    if u.told is not None and u.told.role == "quasi-identifier":
        return "quasi-identifier", (f"its values: {u.told.about}",), None
    if named is not None:
        return named[0], (f"its name: {named[1]}",), None
    if u.told is not None:
        return u.told.role, (f"its values: {u.told.about}",), None
    if u.n_values <= FEW and not names.has(u.column, *names.UNSAID):
        return "quasi-identifier", (SAFE,), None
    return ASK, (), UNCLEAR


def _identifies(u: Understanding) -> tuple[str, ...] | None:
    """What of a column tells that it names people; nothing more is said where its kind does. None if it does not."""
    if u.kind in ("name", "identifier"):
        return ()
    if u.holds is not None:
        return (f"it contains values of '{u.holds}'",)
    is_contact = names.has(u.column, *names.CONTACT) and u.kind in ("text", "category", "code", "number")
    is_always = names.has(u.column, *names.ALWAYS) and u.kind != "boolean"
    if (is_contact and u.n_values > MOST_CODES) or (is_always and u.n_values > 2):
        return ("its name",)
    return None


def _by_name(u: Understanding) -> tuple[str, str] | None:
    """The role that the name speaks of, and of what.

    The first word that says something decides, in the order of :func:`names.in_order`, but an age is an age wherever it
    is said. Of two stems that fit it the longer one counts: a ``discharge`` is no ``charge``. Where they are of one
    length, outsiders may know it.
    """
    if u.kind == "number" and names.has(u.column, *names.DEATH):
        return "quasi-identifier", "when something happened"
    whole = "".join(names.words(u.column))
    for topics, role in ((names.KNOWN_TO_OTHERS, "quasi-identifier"), (names.SENSITIVE, "sensitive")):
        for about, stems in topics:
            if any(whole == stem.rstrip("$") for stem in stems):
                return role, about
    in_order = names.in_order(u.column)
    for word in (*(w for w in in_order if f"{w}$" in names.PLAINLY_KNOWN), *in_order):
        known, secret = names.best(word, names.KNOWN_TO_OTHERS), names.best(word, names.SENSITIVE)
        if secret is not None and (known is None or secret[0] > known[0]):
            return "sensitive", secret[1]
        if known is not None:
            return "quasi-identifier", known[1]
    return ("quasi-identifier", "who somebody is") if names.has(u.column, *names.PERSONAL_NAME) else None
