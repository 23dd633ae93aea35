"""The cells that the search for hints looks at: some rows of both tables, in random order, as texts, places and numbers.

Rows are drawn by the release's own fingerprint, so that the same two files always get the same answer. Columns in which most cells differ are drawn with
their repeats: what tells a code from an amount is whether the rows that share it agree.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.judge.hints.pieces import pieces_of, presence
from shoal.text.cells import as_text, has_text
from shoal.text.dates import date_forms, parse_moments
from shoal.text.numbers import parse_numbers, read_numbers

Floats = NDArray[np.float64]
Shorts = NDArray[np.int16]
Longs = NDArray[np.int64]
Flags = NDArray[np.bool_]

BASE = 2500
"""Rows that are looked at in any case."""
MORE = 300
"""Rows that are added for a column of which few cells are there, or hidden, or for what repeats in it."""
MOST = 15_000
UNALIKE = 0.7
"""With a larger share of different cells a column's repeats are looked for among all rows."""


@dataclass(frozen=True, eq=False)
class DrawnColumn:
    """A column in the rows that are looked at."""

    name: str
    texts: pl.Series
    place: Shorts
    """The place of each cell's text or number in their order; −1 where it is missing."""
    number: Floats
    """NaN where a cell is no number and no date."""
    repeats: float = 1.0
    """The share of all rows that have a twin in this column; 1 where nobody counted."""

    @cached_property
    def listed(self) -> list[str | None]:
        return self.texts.to_list()

    @cached_property
    def _bare(self) -> dict[str | None, str]:
        return {None: ""}

    def bare(self, rows: Longs) -> list[str]:
        """The texts of some rows without case, blanks and marks; each is computed once."""
        known, texts = self._bare, [self.listed[row] for row in rows.tolist()]
        for text in texts:
            if text not in known:
                known[text] = bare(text or "")
        return [known[text] for text in texts]

    @cached_property
    def pieces(self) -> list[DrawnColumn]:
        """Parts of its cells: a number of a person often tells the sex or the year in some of its characters, and a cell something by being there."""
        found = [presence(self.texts)] if self.texts.null_count() else []
        if len(np.unique(self.place)) >= UNALIKE * max(len(self.place), 1):
            found += pieces_of(self.texts)
        return [cells_of(self.name, piece) for piece in found if piece.n_unique() > 1]

    @property
    def is_there(self) -> Flags:
        return np.asarray(self.place >= 0)

    @property
    def is_numeric(self) -> bool:
        return bool(np.isfinite(self.number).sum() >= 0.95 * max(int(self.is_there.sum()), 1))


@dataclass(frozen=True, eq=False)
class HiddenColumn:
    """A quasi-identifier's original cells, what the release shows in their stead, and in which rows these differ."""

    cells: DrawnColumn
    shown: Shorts
    """A number for each released text."""
    is_hidden: Flags


def bare(text: str) -> str:
    """A text without case, blanks and marks."""
    return text if text.isdecimal() else "".join(c for c in text.casefold() if c.isalnum())


def draw(columns: Iterable[pl.Series], flags: Iterable[Flags], n_rows: int, seed: int) -> tuple[Longs, dict[str, float]]:
    """Which released rows are looked at, in random order, and the share of each column's cells that repeat, where most differ.

    ``flags`` say which cells are hidden: some of each are drawn, however few they are.
    """
    rng = np.random.default_rng(seed)
    every = rng.permutation(n_rows).astype(np.int64)
    drawn, repeats = [every[:BASE]], {}
    first = every[:BASE]
    for flag in flags:
        drawn.append(_up_to(every, flag, first))
    for column in columns:
        missing = column.is_null().to_numpy() if column.null_count() else None
        if missing is not None:
            drawn.append(_up_to(every, ~missing, first))
        if not has_text(column.dtype) or n_rows <= BASE:
            continue
        few = column.gather(pl.Series(first)).drop_nulls()
        if few.n_unique() < UNALIKE * max(len(few), 1):
            continue
        twin = (column.is_duplicated() & column.is_not_null()).to_numpy()
        repeats[column.name] = float(twin.mean())
        drawn.append(_whole_groups(column, np.flatnonzero(twin), seed))
    return rng.permutation(np.unique(np.concatenate(drawn)))[:MOST], repeats


def _up_to(every: Longs, flag: Flags, first: Longs) -> Longs:
    """More of the rows that have a flag, if few of the first ones do."""
    few = MORE - int(flag[first].sum())
    return every[:0] if few <= 0 else every[flag[every]][:MORE]


def _whole_groups(column: pl.Series, rows: Longs, seed: int) -> Longs:
    """Some of these rows, such that those with equal cells are drawn together."""
    if len(rows) <= 4 * MORE:
        return rows
    marks = column.gather(pl.Series(rows)).hash(seed).to_numpy()
    return rows[np.argsort(marks)[: 4 * MORE]]


def cells_of(name: str, column: pl.Series, repeats: float = 1.0, is_label: bool = False) -> DrawnColumn:
    """A drawn column's cells."""
    texts = _plain(texts_of(column))
    values = texts.drop_nulls().unique().sort()
    number = numbers_of(values, is_label)
    place_of = _places(number)
    at = texts.cast(pl.Enum(values)).to_physical()
    code = at.cast(pl.Int64).fill_null(-1).to_numpy()
    return DrawnColumn(name, texts, np.append(place_of, -1)[code].astype(np.int16), np.append(number, np.nan)[code], repeats)


def _places(number: Floats) -> Longs:
    """The places of different texts in the order of their numbers; where some are none, in that of their letters after them."""
    if np.isfinite(number).all():
        return np.unique(number, return_inverse=True)[1].reshape(-1)
    place = np.empty(len(number), dtype=np.int64)
    place[np.argsort(number, kind="stable")] = np.arange(len(number))
    return place


def texts_of(column: pl.Series) -> pl.Series:
    """A text for each cell of any type: durations as whole numbers, lists and bytes as Python writes them."""
    if has_text(column.dtype):
        return as_text(column).alias("v")
    if isinstance(column.dtype, pl.Duration):
        return column.to_physical().cast(pl.String).alias("v")
    return pl.Series("v", [None if cell is None else repr(cell) for cell in column.to_list()], dtype=pl.String)


def _plain(texts: pl.Series) -> pl.Series:
    """Letters and digits that can be written in several ways, in one."""
    if texts.str.len_bytes().eq_missing(texts.str.len_chars()).all():
        return texts
    digits = {c: str(unicodedata.digit(c)) for c in set("".join(texts.drop_nulls().unique())) if c.isdigit() and not c.isascii()}
    return texts.str.normalize("NFKC").str.replace_many(digits)


def numbers_of(values: pl.Series, is_label: bool = False) -> Floats:
    """The numbers or dates of different texts, if nearly all are; else NaN. Of labels those that are plain numbers."""
    number, wrong = parse_numbers(values)
    if is_label or len(wrong) <= 0.02 * len(values):
        return number
    some = values.gather_every(max(len(values) // 50, 1))
    if all(any(c.isdigit() for c in text) for text in some.to_list()):
        return _dressed(values, some)
    return np.full(len(values), np.nan)


def _dressed(values: pl.Series, some: pl.Series) -> Floats:
    """Numbers as people write them, or dates."""
    if not len(read_numbers(some)[1]):
        number, wrong = read_numbers(values)
        return number if not len(wrong) else np.full(len(values), np.nan)
    for form, unfit in date_forms(some).items():
        if unfit <= 0.02 * len(some):
            moment, wrong = parse_moments(values, form)
            seconds = moment.astype(np.float64)
            seconds[wrong] = np.nan
            return seconds
    return np.full(len(values), np.nan)


def hidden_of(cells: DrawnColumn, shown: pl.Series) -> HiddenColumn:
    """A quasi-identifier beside what the release shows of it."""
    there = cells_of(cells.name, shown, is_label=True)
    is_same = there.texts.eq_missing(cells.texts).to_numpy() | (there.number == cells.number)
    return HiddenColumn(cells, there.place, ~is_same & cells.is_there)


def unreleased(cells: DrawnColumn) -> HiddenColumn:
    """A column of which the release shows nothing."""
    return HiddenColumn(cells, np.zeros(len(cells.place), dtype=np.int16), cells.is_there)
