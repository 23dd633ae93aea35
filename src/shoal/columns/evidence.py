"""What columns say of each other's kind: a number of people tells whose row it is, whatever it is called; a text that
holds names of people is no category.

A column is a number of people if some of its values occur again, it has more of them than categories have, and two
columns about a person, such as the name, the day of birth or the sex, are the same in all rows that share a value.
Cells that are missing, or hold a mark of missing, say nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.columns import names
from shoal.columns.kinds import MOST_CATEGORIES, Understanding, understand
from shoal.columns.relations import SAMPLE, SLACK, follows, n_exceptions
from shoal.table import Coded
from shoal.text.chance import FEWEST

FEWEST_TOLD = 2
"""Columns about a person that a number of people decides, at least."""
SAME_PERSON = "are the same in all rows that share a value of it"
ABOUT_A_PERSON = "who somebody is"
WORD = r"[\p{L}\p{N}'’-]+"
MOST_TEXTS = 20_000
"""Different texts of a column in which names are looked for."""
LONGEST = 2_000
"""Letters of one text in which names are looked for."""
MOST_LETTERS = 4_000_000
SHORTEST = 4
"""Letters of a name that is looked for: shorter ones are parts of any text."""
SURE = 2
"""So many different whole names or numbers in the texts are no accident."""
FEWEST_OWN = 5
"""A name of one word may be a word of the language (``Baker``, ``Weiß``): it counts if so many texts hold the name of
their own row, and few that of another.
"""


def understand_all(columns: Sequence[Coded]) -> list[Understanding]:
    """What each column holds, by its own name and values and by those beside it."""
    found = [understand(column) for column in columns]
    found = _with_numbers_of_people(columns, found)
    return _with_names_inside(columns, found)


def _with_numbers_of_people(columns: Sequence[Coded], found: list[Understanding]) -> list[Understanding]:
    """Columns that decide who somebody is become identifiers."""
    personal = [(column, u) for column, u in zip(columns, found, strict=True) if _is_about_a_person(u)]
    made = []
    for column, u in zip(columns, found, strict=True):
        told = (
            [other.column for y, other in personal if other.column != u.column and _decides(column, u, y, other)]
            if _may_number(column, u)
            else []
        )
        if len(told) >= FEWEST_TOLD:
            why = f"{' and '.join(repr(name) for name in told[:2])} {SAME_PERSON}"
            u = replace(u, kind="identifier", confidence=0.9, evidence=(why, *u.evidence), question=None)
        made.append(u)
    return made


def _may_number(column: Coded, u: Understanding) -> bool:
    """Codes, whole numbers or short texts, of which some occur again, and more than a category has."""
    if (
        u.kind not in ("number", "code", "category")
        or u.n_values <= MOST_CATEGORIES
        or u.n_present - u.n_values < FEWEST
    ):
        return False
    return u.kind != "number" or bool(
        column.values.filter(~column.values.is_in(list(u.marks))).str.contains(r"^[0-9]+(?:\.0+)?$").all()
    )


def _is_about_a_person(u: Understanding) -> bool:
    """Names, days of birth, the sex and the like. What each row has of its own says nothing here."""
    if u.tells_rows_apart or u.n_values < 2:
        return False
    if u.kind == "name" or (u.told is not None and u.told.about == ABOUT_A_PERSON):
        return True
    topics = [
        best for word in names.in_order(u.column)[:1] if (best := names.best(word, names.KNOWN_TO_OTHERS)) is not None
    ]
    return names.has(u.column, *names.BIRTH) or any(about == ABOUT_A_PERSON for _, about in topics)


def _decides(column: Coded, u: Understanding, other: Coded, v: Understanding) -> bool:
    """Whether rows that share a value of one column agree on the other wherever both are there, with few exceptions,
    and not by accident.
    """
    is_there = _there(column, u) & _there(other, v)
    x, y = column.codes[is_there].astype(np.int64), other.codes[is_there].astype(np.int64)
    few = slice(SAMPLE)
    if n_exceptions(x[few], y[few]) > 2 * SLACK * len(x[few]):
        return False
    return len(x) > 0 and bool(y.min() != y.max()) and follows(x, y)


def _there(column: Coded, u: Understanding) -> NDArray[np.bool_]:
    """The rows that have a cell which is no mark of missing."""
    if not u.marks:
        return np.asarray(column.codes >= 0)
    # a missing cell has code −1, which is the last
    good = np.append(~column.values.is_in(list(u.marks)).to_numpy(), False)
    return np.asarray(good[column.codes])


def _with_names_inside(columns: Sequence[Coded], found: list[Understanding]) -> list[Understanding]:
    """Texts of several words that hold values of a column of names or numbers of people become free text, and say
    whose.
    """
    people = [column for column, u in zip(columns, found, strict=True) if u.kind in ("name", "identifier")]
    made = []
    for column, u in zip(columns, found, strict=True):
        if u.kind in ("category", "text") and people and bool(column.values.str.contains(r"\S\s+\S").any()):
            grams = _grams(_some(column.values))
            inside = next(
                (other.name for other in people if _holds_whole(grams, other.values) or _holds_own(column, other)), None
            )
            u = u if inside is None else replace(u, kind="text", holds=inside)
        made.append(u)
    return made


def _some(texts: pl.Series) -> pl.Series:
    """Texts from all over the column, cut to a length, and no more of them than can be looked at in a moment."""
    cut = texts.str.slice(0, LONGEST)
    length = max(float(cut.str.len_chars().cast(pl.Float64).to_numpy().mean()), 1.0)
    return cut.gather_every(max(-(-len(cut) // min(MOST_TEXTS, int(MOST_LETTERS / length))), 1))


def _grams(texts: pl.Series) -> pl.Series:
    """The words of texts, and two of them and three of them that follow each other, as they are written; each once."""
    words = texts.str.extract_all(WORD)
    flat = pl.DataFrame({"text": pl.int_range(len(words), eager=True), "word": words}).explode("word").drop_nulls()
    second, third = pl.col("word").shift(-1).over("text"), pl.col("word").shift(-2).over("text")
    pairs = flat.select(pl.concat_str("word", second, separator=" "))["word"]
    triples = flat.select(pl.concat_str("word", second, third, separator=" "))["word"]
    return pl.concat([flat["word"], pairs, triples]).drop_nulls().unique()


def _holds_whole(grams: pl.Series, values: pl.Series) -> bool:
    """Whether names of several words, or codes of a letter and four digits and more, are among the words of texts.

    A bare number may be anything.
    """
    shape = pl.DataFrame({"v": values.str.extract_all(WORD).list.join(" ")}).filter(
        pl.col("v").str.contains(r" |\p{L}.*[0-9]{4}")
    )
    turned = shape["v"].str.replace(r"^(\S+) (\S+)$", "${2} ${1}")  # Meyer, Anna is Anna Meyer
    return int(pl.concat([shape["v"], turned]).unique().is_in(grams.implode()).sum()) >= SURE


def _holds_own(texts: Coded, people: Coded) -> bool:
    """Whether texts hold the name of their own row, far more often than that of another row."""
    rows = np.flatnonzero((texts.codes >= 0) & (people.codes >= 0))
    rows = rows[:: max(len(rows) // MOST_TEXTS, 1)]
    named, other = people.codes[rows], np.roll(people.codes[rows], len(rows) // 2)
    own, by_chance = (
        _n_inside(texts.values.gather(texts.codes[rows]), people.values.gather(who)) for who in (named, other)
    )
    return own >= FEWEST_OWN and own >= 3 * (by_chance + 1)


def _n_inside(texts: pl.Series, people: pl.Series) -> int:
    """How many texts hold the name beside them, with more words than that."""
    pairs = pl.DataFrame({"text": texts, "name": people})
    long_enough = (pl.col("name").str.len_chars() >= SHORTEST) & (
        pl.col("name").str.len_chars() < pl.col("text").str.len_chars()
    )
    return pairs.filter(long_enough & pl.col("text").str.contains(pl.col("name"), literal=True)).height
