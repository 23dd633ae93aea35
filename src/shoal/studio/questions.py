"""What only the owner of the table can say. Questions are put one by one, and a run waits until all are answered.

Each answer changes the desk: a role, a form of dates, a mark of missing cells. The answers and their reasons become
comments of the policy.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from shoal.columns.relations import Relation
from shoal.columns.roles import ASK, Suggestion
from shoal.table import Coded
from shoal.text.dates import SWAPPED, date_forms
from shoal.text.numbers import styles

ROLES = {
    "identifier": ("drop", "identifier"),
    "quasi-identifier": ("protect", "quasi-identifier"),
    "sensitive": ("sensitive", "sensitive attribute"),
    "insensitive": ("leave as it is", "insensitive"),
    "person": ("whose row it is", "k counts people; dropped"),
}
"""What a steward says for each role, and the literature's name."""
ABOUT_ROLES = {
    "identifier": "It names people. It is not in the release.",
    "quasi-identifier": "Outsiders may know it of somebody. It becomes coarser where somebody would stand alone.",
    "sensitive": "What nobody should learn. It is released as it is; groups can be asked to vary in it.",
    "insensitive": "It is released as it is, on purpose: it says nothing of a person.",
    "person": "It says which rows are one person's. k counts people, and the column is dropped.",
}
YES, NO = "yes", "no"


@dataclass(frozen=True)
class Question:
    """A question, and the answers that it can have: (value, what the button says)."""

    key: str
    text: str
    answers: tuple[tuple[str, str], ...]
    column: str = ""
    why: str = ""
    others: int = 0
    """How many more questions can have the same answer at once."""


@dataclass(frozen=True)
class Heard:
    """What the questions are about: the columns, what was decided so far, and what was answered."""

    columns: tuple[Suggestion, ...]
    relations: tuple[Relation, ...]
    coded: Mapping[str, Coded]
    repeats: frozenset[str]
    """Identifiers that may say whose row it is, since they occur again."""
    roles: Mapping[str, str]
    has_hierarchy: frozenset[str]
    """Columns of which a hierarchy was chosen."""
    marks: tuple[str, ...]
    answers: Mapping[str, str]


def open_questions(known: Heard) -> list[Question]:
    """All that is still open, in the order in which it is asked: roles first, since other questions follow from
    them.
    """
    asked = [*_roles(known), *_people(known), *_forms(known), *_marks(known), *_relations(known)]
    return [question for question in asked if question.key not in known.answers]


def undecided(known: Heard) -> list[str]:
    """Columns without a role for which one is suggested: one click takes all of them."""
    return [s.column for s in known.columns if s.column not in known.roles and s.role != ASK]


def _roles(known: Heard) -> Iterator[Question]:
    unclear = [s for s in known.columns if s.role == ASK and s.column not in known.roles]
    for s in unclear:
        answers = tuple(
            (role, ROLES[role][0])
            for role in ("identifier", "quasi-identifier", "sensitive", "insensitive")
            if s.kind != "nested" or role in ("identifier", "insensitive")
        )
        alike = sum(other.question == s.question for other in unclear) - 1
        text = in_plain_words(str(s.question))
        yield Question(f"role {s.column}", text, answers, s.column, "; ".join(s.reasons), alike)


def in_plain_words(question: str) -> str:
    """A question about a role, with the words that stand on the buttons.

    >>> in_plain_words("Drop it (identifier), or make it a quasi-identifier?")
    'Drop it, or protect it?'
    """
    for technical, plain in (
        (" (identifier)", ""),
        ("make it a quasi-identifier", "protect it"),
        ("quasi-identifier", "protect"),
    ):
        question = question.replace(technical, plain)
    return question


def _people(known: Heard) -> Iterator[Question]:
    if "person" in known.roles.values():
        return
    for s in known.columns:
        if s.column in known.repeats and known.roles.get(s.column) == "identifier":
            n_rows = len(known.coded[s.column].codes)
            text = (
                f"Are all rows with the same '{s.column}' about the same person? It has {s.n_values:,} values in "
                f"{n_rows:,} rows."
            )
            why = "If so, it says whose row it is, and k counts people instead of rows. It is dropped in any case."
            yield Question(
                f"person {s.column}", text, ((YES, "Yes, count people"), (NO, "No, just drop it")), s.column, why
            )


def _forms(known: Heard) -> Iterator[Question]:
    """Dates and numbers that can be read in two ways; only where the column is protected, and no hierarchy was chosen
    that says it.
    """
    for s in known.columns:
        if known.roles.get(s.column) != "quasi-identifier" or s.column in known.has_hierarchy or s.question is None:
            continue
        forms = readings(s, known.coded[s.column])
        if forms:
            answers = tuple((form, form) for form in forms)
            extra = (
                (("years", "I do not know: use only the year"),)
                if s.kind != "number"
                else (("suppress", "I do not know: hide it where needed"),)
            )
            yield Question(
                f"form {s.column}", _reading_words(s, known.coded[s.column], forms), (*answers, *extra), s.column
            )


def readings(s: Suggestion, column: Coded) -> tuple[str, ...]:
    """The forms in which all of a column's values can be read, where there are two."""
    values = column.values.filter(~column.values.is_in(list(s.marks))) if s.marks else column.values
    if s.kind in ("date", "timestamp"):
        fit = [form for form, unfit in date_forms(values).items() if unfit == 0]
        return next((pair for pair in SWAPPED if set(pair) <= set(fit)), ())
    found = tuple(dict.fromkeys(style.grouping for style in styles(values))) if s.kind == "number" else ()
    return found if len(found) > 1 else ()


def _reading_words(s: Suggestion, column: Coded, forms: tuple[str, ...]) -> str:
    if s.kind == "number":
        return f"Are the numbers of '{s.column}' written like {' or like '.join(forms)}?"
    return (
        f"How are the dates of '{s.column}' written: the day first ({forms[0]}) or the month first ({forms[1]})? Both "
        "readings are possible."
    )


def _marks(known: Heard) -> Iterator[Question]:
    where: dict[str, list[str]] = {}
    for s in known.columns:
        for mark in s.marks:
            where.setdefault(mark, []).append(s.column)
    for mark, columns in where.items():
        if mark not in known.marks:
            shown = ", ".join(f"'{name}'" for name in columns[:4]) + (
                f" and {len(columns) - 4} more columns" if len(columns) > 4 else ""
            )
            yield Question(
                f"mark {mark}",
                f"Does “{mark}” in {shown} stand for a missing cell?",
                ((YES, "Yes, it is missing"), (NO, "No, it is a value")),
            )


def _relations(known: Heard) -> Iterator[Question]:
    """A column that is released as it is and tells what a protected or dropped one hides."""
    hidden = ("quasi-identifier", "identifier", "person")
    for relation in known.relations:
        for shown, hides in ((relation.told, relation.teller), (relation.teller, relation.told)):
            is_told = known.roles.get(hides) == "quasi-identifier" or (
                known.roles.get(hides) in hidden and relation.how == "copy"
            )
            role = known.roles.get(shown)
            says_the_same = (
                role == "sensitive"
                and relation.how in ("copy", "order")
                and known.roles.get(hides) == "quasi-identifier"
            )
            if (role == "insensitive" and is_told) or says_the_same:
                text = f"'{shown}' is to be released as it is, but it tells some of what '{hides}' hides."
                if says_the_same:
                    text = (
                        f"'{shown}' is sensitive and released as it is, but it says the same as '{hides}', which is "
                        "protected."
                    )
                answers = (
                    ("quasi-identifier", "Protect both"),
                    ("identifier", f"Drop '{shown}'"),
                    ("insensitive", "Leave it as it is: I know"),
                )
                yield Question(f"tells {shown} {hides}", text, answers, shown, relation.text)
                break


def reason_of(key: str, answer: str) -> str:
    """An answer as a comment of the policy."""
    kind, _, what = key.partition(" ")
    said = {
        "role": f"answered: {ROLES.get(answer, (answer,))[0]}",
        "person": "answered: it says whose row it is" if answer == YES else "answered: it does not say whose row it is",
        "form": f"answered: written {answer}"
        if answer not in ("years", "suppress")
        else "answered: which of two readings is not known",
        "mark": f"answered: {what} is {'a missing cell' if answer == YES else 'a value'}",
        "tells": f"answered: it tells what another column hides; {ROLES.get(answer, (answer,))[0]}",
    }
    return said.get(kind, "")
