"""What a column holds, read from its name and its values, with the evidence in words.

Everything is read from the distinct values and how often each occurs, so a million rows cost little more than sorting
them. No reason ever shows a value: reasons speak of names, shapes and counts.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, get_args

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.columns import names
from shoal.columns.forenames import COMMON
from shoal.columns.ordered import order_of
from shoal.columns.values import Told, told_by
from shoal.table import Coded
from shoal.table.once import once
from shoal.text.dates import SWAPPED, date_forms, has_times, n_read_by_none, parse_dates, parse_times
from shoal.text.missing import marks_in
from shoal.text.numbers import PLAIN, Floats, Style, has_leading_zeros, parse_numbers, styles

Longs = NDArray[np.int64]
Kind = Literal["number", "code", "ordered", "category", "boolean", "constant", "year", "date", "time", "timestamp",
               "latitude", "longitude",
               "postal code", "name", "text", "identifier"]  # fmt: skip
KINDS: tuple[Kind, ...] = get_args(Kind)

MOST_CODES = 12
"""Whole numbers with more different values than this are not codes, unless the column's name says so."""
MOST_CATEGORIES = 60
NEARLY_ALL = 0.95
FEWEST_ROWS = 20
"""In a table of fewer rows than this, it says nothing that each row has a value of its own."""
YES_NO = (
    {"yes", "no"},
    {"y", "n"},
    {"true", "false"},
    {"t", "f"},
    {"0", "1"},
    {"0.0", "1.0"},
    {"ja", "nein"},
    {"oui", "non"},
    {"si", "no"},
    {"sí", "no"},
)
_CODE = r"^[A-Za-z0-9][A-Za-z0-9./_-]*(?: [A-Za-z0-9]+)?$"


@dataclass(frozen=True)
class Understanding:
    """What a column holds, how sure that is, and why."""

    column: str
    kind: Kind
    confidence: float
    evidence: tuple[str, ...]
    n_rows: int
    n_values: int
    n_missing: int
    n_alone: int
    """Rows that have a value of their own."""
    style: Style | None = None
    """How its numbers are written."""
    form: str | None = None
    """How its dates are written; None where two readings are possible."""
    order: tuple[str, ...] = field(default=(), repr=False)
    """The values of an ordered category from low to high."""
    marks: tuple[str, ...] = ()
    """Texts that probably stand for a missing value."""
    question: str | None = None
    """What only the owner of the table can say."""
    told: Told | None = None
    """What the values say of a role."""
    holds: str | None = None
    """A column of names or numbers of people whose values stand in these texts."""

    @property
    def n_present(self) -> int:
        return self.n_rows - self.n_missing

    @property
    def tells_rows_apart(self) -> bool:
        """Whether nearly each row has a value of its own."""
        return self.n_present >= FEWEST_ROWS and self.n_values >= NEARLY_ALL * self.n_present


@dataclass(frozen=True)
class Found:
    """What one look at the values found."""

    kind: Kind
    confidence: float
    evidence: tuple[str, ...]
    style: Style | None = None
    form: str | None = None
    order: tuple[str, ...] = ()
    question: str | None = None


def understand(column: Coded) -> Understanding:
    """What a column holds."""
    return once(column, ("understood",), lambda: _understand(column))


def _understand(column: Coded) -> Understanding:
    counts = column.counts()
    marks = marks_in(column.values, counts) if column.n_values > 1 else ()
    keep = ~column.values.is_in(list(marks)).to_numpy() if marks else np.ones(column.n_values, dtype=bool)
    values, kept = (column.values.filter(pl.Series(keep)), counts[keep]) if marks else (column.values, counts)
    found = look_at(column.name, values, kept)
    evidence = found.evidence
    if marks:
        evidence = (
            *evidence,
            (
                f"{int(counts[~keep].sum()):,} cells hold {' and '.join(repr(m) for m in marks)}, which probably mean "
                "a missing value"
            ),
        )
    return Understanding(
        column.name, found.kind, found.confidence, evidence, len(column.codes), column.n_values, column.n_missing,
        int((counts == 1).sum()),
        found.style, found.form, found.order, marks, found.question, told_by(values),
    )  # fmt: skip


def look_at(name: str, values: pl.Series, counts: Longs) -> Found:
    if len(values) <= 1:
        return Found("constant", 1.0, ("it has the same value everywhere" if len(values) else "it is empty",))
    for look in (_boolean, _digits_of_a_date, _number, _date, _time, _ordered):
        found = look(name, values, counts)
        if found is not None:
            return found
    return _text(name, values, counts)


def _boolean(name: str, values: pl.Series, counts: Longs) -> Found | None:
    if len(values) == 2 and set(values.str.to_lowercase().to_list()) in YES_NO:
        return Found("boolean", 1.0, ("its two values are yes and no, or 0 and 1",))
    return None


def _number(name: str, values: pl.Series, counts: Longs) -> Found | None:
    found = styles(values)
    if not found:
        return None
    if len(found) > 1:
        examples = " or as ".join(style.grouping for style in found)
        return Found(
            "number", 0.6, ("its values are numbers with a comma or a dot in them",), found[0],
            question=f"Are its numbers written like {examples}?",
        )  # fmt: skip
    style = found[0]
    number, _ = parse_numbers(values, style)
    if place := _place(name, values, number, style):
        return place
    if not style.is_plain:
        return Found("number", 0.95, (f"its values are numbers {style.words}",), style)
    return _plain_number(name, values, number, counts)


def _plain_number(name: str, values: pl.Series, number: Floats, counts: Longs) -> Found:
    is_whole = bool((number == np.round(number)).all())
    low, high = float(number.min()), float(number.max())
    if not is_whole:
        return _two(values) or Found("number", 1.0, ("its values are numbers",), PLAIN)
    if names.has(name, *names.POSTAL, *names.CLASSIFICATION) or has_leading_zeros(values):
        return _code_text(
            name,
            values,
            counts,
            "its values are digits with zeros in front" if has_leading_zeros(values) else "its values are digits",
        )
    if (
        low >= 1000
        and high <= 2100
        and (names.has(name, *names.YEAR) or (low >= 1850 and high <= 2050 and len(values) >= 3))
    ):
        return Found("year", 0.95, ("its values are years",), PLAIN)
    if why := _counted(name, number, counts):
        return Found("identifier", 0.9, (why,), PLAIN)
    return _small_number(name, values, number, counts)


def _place(name: str, values: pl.Series, number: Floats, style: Style) -> Found | None:
    """Degrees of latitude or longitude: the name, decimals, and how far they go."""
    if not values.str.contains(r"[.,][0-9]*[1-9]").any():
        return None
    largest = float(np.abs(number).max())
    if names.has(name, *names.LATITUDE) and largest <= 90:
        return Found("latitude", 0.95, ("its name, and all values lie between -90 and 90",), style)
    if names.has(name, *names.LONGITUDE) and largest <= 180:
        return Found("longitude", 0.95, ("its name, and all values lie between -180 and 180",), style)
    return None


def _small_number(name: str, values: pl.Series, number: Floats, counts: Longs) -> Found:
    """A quantity, a scale, or a code that only looks like a number."""
    low, high, n = float(number.min()), float(number.max()), len(number)
    is_tight = low >= -MOST_CODES and high <= MOST_CODES and n >= 0.6 * (high - min(low, 1) + 1)
    quantity, nominal = names.has(name, *names.QUANTITY), names.has(name, *names.NOMINAL)
    if two := _two(values):
        return two
    if nominal and not quantity and n <= 200 and high < 1000:
        return Found("code", 0.8, ("its name speaks of kinds, and its values are small whole numbers",), PLAIN)
    if not is_tight or quantity:
        return Found("number", 0.95 if quantity or n > MOST_CODES else 0.8, ("its values are numbers",), PLAIN)
    order = tuple(values[int(i)] for i in np.argsort(number))
    if n >= 4 and (low <= 0 or n >= 8):
        return Found(
            "ordered",
            0.7,
            (f"its {n} values follow each other {'from 0 ' if low == 0 else ''}like those of a scale",),
            PLAIN,
            order=order,
        )
    if n >= 4 and _rises_and_falls(counts[np.argsort(number)]):
        return Found(
            "ordered",
            0.6,
            (f"its {n} values follow each other, and their counts rise and fall once like those of a scale",),
            PLAIN,
            order=order,
        )
    return Found(
        "code",
        0.6,
        (f"its {n} values are small whole numbers, and nothing says that their size means anything",),
        PLAIN,
    )


def _two(values: pl.Series) -> Found | None:
    """Of two numbers, no interval says anything."""
    return Found("code", 0.7, ("it has two values, and they are numbers",), PLAIN) if len(values) == 2 else None


def _rises_and_falls(counts: Longs) -> bool:
    """Whether the counts rise to one peak and fall again; small dips are ignored."""
    dent = 0.1 * float(counts.max())
    top = int(np.argmax(counts))
    rise, fall = np.diff(counts[: top + 1]), np.diff(counts[top:])
    return bool((rise >= -dent).all() and (fall <= dent).all())


def _counted(name: str, number: Floats, counts: Longs) -> str | None:
    """Why whole numbers are an identifier: they count the rows, the name says so, or none occurs twice though some
    would by chance.
    """
    n, rows = len(number), int(counts.sum())
    if rows < FEWEST_ROWS or n < NEARLY_ALL * rows:
        named = names.numbers_people(name) and not names.has(name, *names.NAME_OF_A_THING)
        return (
            f"its name, and {n:,} different numbers" if named and n > max(MOST_CODES, 0.02 * rows) and n >= 20 else None
        )
    if names.numbers_people(name):
        return "its name, and nearly each row has its own number"
    if names.has(name, *names.MEASURED):
        return None
    if n == rows and float(number.max() - number.min()) == n - 1:
        return "it counts the rows"
    spread = float(np.subtract(*np.quantile(number, [0.95, 0.05]))) / 0.9 + 1
    if n == rows and rows >= 50 and rows * rows / (2 * spread) >= 5:
        return "no number occurs twice, though some would if they were measurements"
    return None


def _digits_of_a_date(name: str, values: pl.Series, counts: Longs) -> Found | None:
    """Eight digits may be any number: that they are a date, the name has to say too."""
    if (
        not names.has(name, *names.DAY)
        or not values.str.contains(r"^[0-9]{8}$").all()
        or len(parse_dates(values, "YYYYMMDD")[1])
    ):
        return None
    return Found("date", 1.0, ("its name, and its values are dates written YYYYMMDD",), form="YYYYMMDD")


def _date(name: str, values: pl.Series, counts: Longs) -> Found | None:
    unfit = date_forms(values)
    forms = [form for form, n_unfit in unfit.items() if n_unfit == 0]
    if not forms and unfit:
        return _uneven_dates(values, list(unfit))
    if not forms or (forms == ["YYYYMMDD"] and not names.has(name, *names.DAY)):
        return None
    kind: Kind = "timestamp" if has_times(values) else "date"
    swapped = [pair for pair in SWAPPED if set(pair) <= set(forms)]
    if swapped:
        day, month = swapped[0]
        question = (
            f"Are its dates written {day} or {month}? Both readings are possible, so only years are used until you say."
        )
        return Found(kind, 0.9, ("its values are dates, with the day or the month first",), question=question)
    return Found(
        kind,
        1.0,
        (f"its values are dates written {forms[0]}{' with a time' if kind == 'timestamp' else ''}",),
        form=forms[0],
    )


def _uneven_dates(values: pl.Series, forms: list[str]) -> Found | None:
    """A column of dates that cannot be read in one form: nothing is guessed, and that is said."""
    n = n_read_by_none(values, forms)
    if n > (1 - NEARLY_ALL) * len(values):
        return None
    if len(forms) > 1:
        question = (
            "Its dates are written in several ways, so they can only be suppressed. Can you write all of them in one "
            "way, such as 2016-01-31?"
        )
        return Found("text", 0.8, ("its values are dates, written in several ways",), question=question)
    question = (
        f"{n:,} of its {len(values):,} values are not dates like the rest, so it can only be suppressed. Can you "
        "correct them, or empty their cells?"
    )
    return Found("text", 0.8, (f"its values are dates written {forms[0]}, but for {n:,}",), question=question)


def _time(name: str, values: pl.Series, counts: Longs) -> Found | None:
    if len(parse_times(values)[1]):
        return None
    return Found("time", 0.95, ("its values are times of a day",))


def _ordered(name: str, values: pl.Series, counts: Longs) -> Found | None:
    if len(values) > MOST_CATEGORIES or len(values) < 3:
        return None
    found = order_of(
        values.to_list(), is_nominal=names.has(name, *names.NOMINAL) and not names.has(name, "educ", "edu$")
    )
    return None if found is None else Found("ordered", 0.9, (found[1],), order=tuple(found[0]))


def _text(name: str, values: pl.Series, counts: Longs) -> Found:
    rows = int(counts.sum())
    distinct = len(values) / max(rows, 1)
    n_words = _share(values.str.count_matches(r"\S+"))
    if (n_words >= 6 and len(values) > MOST_CODES) or (
        n_words >= 4 and (distinct > 0.5 or n_words >= 5) and len(values) > MOST_CATEGORIES
    ):
        return Found("text", 0.9, (f"its values have {n_words:.0f} words each on average",))
    if n_words >= 2 and len(values) > MOST_CODES and names.has(name, *names.FREE_TEXT):
        return Found("text", 0.9, (f"its name, and its values have {n_words:.0f} words each on average",))
    if why := _names_people(name, values, distinct):
        return Found("name", 0.9, (why,))
    if _are_codes(values):
        return _code_text(name, values, counts, "its values are short codes of letters and digits")
    if rows >= FEWEST_ROWS and distinct >= NEARLY_ALL:
        is_number = names.numbers_people(name) or names.has(name, *names.CONTACT)
        why = "nearly each row has a text of its own"
        return Found("identifier" if is_number else "text", 0.8, (f"its name, and {why}" if is_number else why,))
    if names.numbers_people(name) and len(values) > max(MOST_CODES, 0.1 * rows):
        return Found("identifier", 0.7, (f"its name, and {len(values):,} different texts",))
    return Found(
        "category",
        0.9 if len(values) <= MOST_CATEGORIES else 0.7,
        (f"{len(values):,} different texts that occur again and again",),
    )


def _share(column: pl.Series) -> float:
    """The mean of a column of numbers or of true and false."""
    return float(column.cast(pl.Float64).fill_null(0.0).to_numpy().mean())


def _names_people(name: str, values: pl.Series, distinct: float) -> str | None:
    """Why texts are names of people: the column is called so, or many values begin or end with a common forename."""
    if names.has(name, *names.PERSONAL_NAME) and not names.has(name, *names.NAME_OF_A_THING) and len(values) >= 10:
        return "its name, and its values are texts"
    if len(values) < 15:
        return None
    sample = values.gather_every(max(len(values) // 2000, 1)).str.to_lowercase()
    parts = sample.str.extract_all(r"[\p{L}]+").list
    known = list(COMMON)
    share = _share(
        parts.first().is_in(known)
        | parts.last().is_in(known)
        | parts.get(1, null_on_oob=True).is_in(known).fill_null(False)
    )
    return f"{share:.0%} of its values hold a common forename" if share >= 0.15 else None


def _are_codes(values: pl.Series) -> bool:
    """Short texts with at most one blank, nearly each with a digit in it, several of them beginning alike."""
    if len(values) < 3 or not bool((values.str.contains(_CODE) & values.str.len_chars().is_between(3, 16)).all()):
        return False
    if not bool(values.str.contains("[0-9]").all()):
        return False
    return values.str.slice(0, 2).n_unique() < len(values)


def _code_text(name: str, values: pl.Series, counts: Longs, why: str) -> Found:
    """Codes of letters and digits: postal codes, identifiers, or codes that can be cut to their first characters."""
    if names.has(name, *names.POSTAL):
        return Found("postal code", 0.95, (f"its name, and {why}",))
    rows = int(counts.sum())
    is_one_each = rows >= FEWEST_ROWS and len(values) >= NEARLY_ALL * rows
    if is_one_each or (names.numbers_people(name) and len(values) > max(MOST_CODES, 0.1 * rows)):
        return Found(
            "identifier", 0.9, (f"{why}, and nearly each row has its own" if is_one_each else f"its name, and {why}",)
        )
    return Found("code", 0.8, (why,))
