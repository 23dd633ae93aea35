"""Whose row it is: a column that numbers or names people and repeats.

Then several rows may be about one person, and k has to count people, not rows.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.columns import names
from shoal.columns.evidence import SAME_PERSON
from shoal.columns.roles import Suggestion, judge_together
from shoal.table import Coded, Table
from shoal.table.coded import code
from shoal.text.cells import has_text

FEWEST_PEOPLE = 5
"""An identifier of fewer values does not say whose row it is."""
LOOKED_AT = 100_000
"""Rows in which columns are set side by side."""
CLEARLY = 0.98
"""Up to this share of different values among the cells, an identifier repeats: a number that was typed twice by mistake
is no second row of a person.
"""
TIMES = 3
"""Full names agree by chance in a large table. They repeat if so many times more pairs of rows agree than forenames and
surnames drawn by themselves would.
"""


@dataclass(frozen=True)
class Whose:
    """A column that may say who a row is about, since it has fewer values than rows."""

    column: str
    n_values: int
    n_rows: int
    is_sure: bool = False
    """Whether its name speaks of people, or other columns about a person are the same for each value of it."""


def repeating(columns: Sequence[Coded]) -> list[Whose]:
    """Which of these columns say that several rows may be about one person, those that are sure first, then those with
    the fewest values.
    """
    found = judge_together(columns)
    return whose({column.name: column for column in columns}, found)


def repeating_in(table: Table, judged: Collection[str]) -> list[Whose]:
    """The same of the first rows of a table.

    A column that the owner has judged, such as a quasi-identifier, is one only if that is sure.
    """
    found = repeating([code(column) for column in table.frame.head(LOOKED_AT).iter_columns() if has_text(column.dtype)])
    return [who for who in found if who.is_sure or who.column not in judged]


def whose(coded: Mapping[str, Coded], found: Sequence[Suggestion]) -> list[Whose]:
    """The same of columns that were looked at already."""
    made = [
        Whose(s.column, s.n_values, len(coded[s.column].codes), _is_sure(s))
        for s in found
        if s.column in coded and says_whose_row(coded[s.column], s)
    ]
    return sorted(made, key=lambda w: (not w.is_sure, w.n_values, w.column))


def says_whose_row(column: Coded, s: Suggestion) -> bool:
    """Whether several rows are about one person by this column: a number of people, or a full name, that clearly
    repeats. A forename is many people's.
    """
    if s.role != "identifier" or not FEWEST_PEOPLE <= s.n_values <= CLEARLY * (len(column.codes) - s.n_missing):
        return False
    if s.kind == "name":
        return names_repeat(column.values, column.counts())
    return s.kind == "identifier" or names.has(s.column, *names.ONE_PERSONS)


def may_be_a_person(column: Coded, s: Suggestion) -> bool:
    """Whether a full name occurs again, if only by chance: worth a word, not a warning."""
    if s.kind != "name" or not FEWEST_PEOPLE <= s.n_values < len(column.codes) - s.n_missing:
        return False
    return int(column.values.str.contains(r"\S[ ,]+\S").sum()) > 0.5 * column.n_values


def names_repeat(values: pl.Series, counts: NDArray[np.int64]) -> bool:
    """Whether whole names occur again more often than chance lets people have the same name."""
    n = int(counts.sum())
    parts = pl.DataFrame(
        {"first": values.str.extract(r"^(\S+?)[ ,]"), "last": values.str.extract(r"[ ,](\S+)$"), "n": counts}
    ).drop_nulls()
    if parts.height <= 0.5 * len(values) or n < 2:
        return False
    by_chance = n * (n - 1) / 2
    for part in ("first", "last"):
        share = parts.group_by(part).agg(pl.col("n").sum())["n"].to_numpy() / n
        by_chance *= float((share * share).sum())
    agree = float((counts * (counts - 1) / 2).sum())
    return agree >= 10 and agree >= TIMES * by_chance


def _is_sure(s: Suggestion) -> bool:
    return (
        names.is_person_and_number(s.column)
        or names.has(s.column, *names.ONE_PERSONS)
        or any(SAME_PERSON in why for why in s.reasons)
    )


def rows_counted(found: Mapping[str, Any] | Whose, n_rows: int) -> str:
    """What is said where k counts rows although a column says whose they are: in capitals, before everything else."""
    told = found if isinstance(found, Mapping) else vars(found)
    column = told["column"]
    where = "" if told["n_rows"] >= n_rows else "first "
    return (
        f"'{column}' has {told['n_values']:,} different values in {'the ' if where else ''}{where}{told['n_rows']:,} "
        "rows. If it says who a row is about, a group of k "
        f"rows may be of fewer than k people: give --person '{column}' (person='{column}' in Python). If each row is a "
        "different person, nothing is to be done."
    )
