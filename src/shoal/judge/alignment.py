"""Released rows set beside original rows: as told, by position, in their order, or in any order, and each cell compared.

A release is called untrue only if no assignment of its rows makes it true. There may be such an assignment, but in another order than the
user stated. Then the cells count as not compared. If the user says that rows were reordered, such an assignment is enough.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal.errors import NotAnonymous
from shoal.judge import matching
from shoal.judge.advice import HINT, advice
from shoal.judge.compare import Compared, compare, lexicon_of
from shoal.judge.covering import TooLarge
from shoal.judge.lexicon import Lexicon
from shoal.judge.matching import Sides
from shoal.judge.reading import Longs
from shoal.judge.texts import Texts
from shoal.text.cells import as_text
from shoal.text.exact import differing, exact_text

MOST_READINGS = 300_000_000
"""Labels times values of a column: beyond this, rows are not matched."""


@dataclass(frozen=True, eq=False)
class Alignment:
    """Rows beside rows, and what comparing them found."""

    how: str | None
    """'row by row', 'by position', 'in order' or 'in any order'; None where cells could not be compared."""
    columns: tuple[Compared, ...]
    why_not: str = ""
    """Why cells could not be compared."""
    is_unique: bool = True
    """Whether no other rows fit: what depends on each row's own value is then certain."""
    rows: Longs | None = None
    """Which row of the original each released row is, or may be."""
    latest: Longs | None = None
    """In order, the last row that each may be, where ``rows`` are the first."""
    sides: Sides | None = None
    """Both tables in numbers, where rows were matched by what they show."""
    is_certain: bool = True
    """Whether it is certain which rows of the original are missing from the release, or at least what they hold."""

    @property
    def is_true(self) -> bool:
        return all(column.is_true for column in self.columns)


class Aligner:
    """Two tables, ready to be compared."""

    def __init__(
        self,
        original: pl.DataFrame,
        released: pl.DataFrame,
        names: Sequence[str],
        texts: Mapping[str, Texts],
        kept: Sequence[str],
        suppressed: Sequence[str] = (),
    ) -> None:
        self.original, self.released, self.names, self.kept = original, released, names, kept
        self.before = [as_text(original[name]) for name in names]
        self.shown = [starred(exact_text(released[name]), suppressed) for name in names]
        self.lexicons = [lexicon_of(cells, texts.get(name)) for name, cells in zip(names, self.before, strict=True)]

    def given(self, rows: Longs) -> Alignment:
        """Row by row, as told; a label that is a name of the hierarchy is read as that name only."""
        return Alignment("row by row", self._compare(rows, strict=True), rows=rows)

    def find(self, reordered: bool) -> Alignment:
        """By position or in order, if every cell covers its original that way. In any order, if that is allowed or needed to tell untrue from unknown."""
        n, m = self.original.height, self.released.height
        first = Alignment("by position", self._compare(np.arange(m)), rows=np.arange(m)) if n == m else None
        if first is not None and first.is_true:
            return first
        unread = self._unread(first)
        try:
            found = self._in_order(unread, reordered) if n > m else None
            found = found or self._in_any_order(unread)
        except TooLarge:
            why = "rows could not be matched: there are too many different ones, and they are not in the original's order."
            return Alignment(None, () if first is None else first.columns, f"Cells were not compared: {why}")
        if found is None:
            raise NotAnonymous(self._untrue(first, reordered))
        if unread:
            return Alignment(None, found.columns, _unread_words(found.columns))
        if found.how == "in any order" and not reordered:
            what = "in another order" if n == m else "in another order, and fewer"
            why = (
                f"the rows are {what}. They can be matched so that every cell covers its original one: say --reordered if they were moved."
            )
            return Alignment(None, found.columns, f"Cells were not compared by their rows: {why}", is_certain=found.is_certain)
        return found

    def _compare(self, rows: Longs, strict: bool = False) -> tuple[Compared, ...]:
        source = pl.Series(rows)
        is_all = len(rows) == self.original.height and np.array_equal(rows, np.arange(len(rows)))
        cells = self.before if is_all else [column.gather(source) for column in self.before]
        found = [compare(*one, strict) for one in zip(self.names, cells, self.shown, self.lexicons, strict=True)]
        for name in self.kept:
            column = self.original[name] if is_all else self.original[name].gather(source)
            wrong = differing(column, self.released[name]).arg_true()
            found.append(Compared(name, len(rows), tuple((wrong[:5] + 1).to_list()), len(wrong), kind="kept"))
        return tuple(found)

    def _unread(self, first: Alignment | None) -> bool:
        if first is not None:
            return any(column.n_unread for column in first.columns)
        return any(
            lexicon.holding(label, True) is None
            for lexicon, cells in zip(self.lexicons, self.shown, strict=True)
            for label in cells.unique().to_list()
        )

    def _in_order(self, unread: bool, reordered: bool) -> Alignment | None:
        for sides in self._sides():
            rows = matching.in_order(sides)
            if rows is not None:
                back = matching.in_order(sides.reversed())
                latest = None if back is None else sides.n_before - 1 - back[::-1]
                unique = latest is not None and np.array_equal(rows, latest)
                certain = (unique and not reordered) or matching.is_certain(sides, rows)
                found = Alignment(
                    "in order", self._compare(rows), is_unique=unique, rows=rows, latest=latest, sides=sides, is_certain=certain
                )
                if unread or found.is_true:
                    return found
        return None

    def _in_any_order(self, unread: bool) -> Alignment | None:
        for sides in self._sides():
            rows = matching.in_any_order(sides)
            if rows is not None:
                is_whole = self.original.height == self.released.height
                certain = is_whole or matching.is_certain(sides, rows)
                found = Alignment("in any order", self._compare(rows), is_unique=is_whole, rows=rows, sides=sides, is_certain=certain)
                if unread or found.is_true:
                    return found
        return None

    def _sides(self) -> Iterator[Sides]:
        """Both tables in numbers, with labels read as names; then as what their texts say, where that differs."""
        kept = [[exact_text(frame[name]) for name in self.kept if _has_text(frame[name])] for frame in (self.original, self.released)]
        same = matching.numbered(*kept) if kept[0] else (np.zeros(self.original.height, np.int64), np.zeros(self.released.height, np.int64))
        sides = list(zip(self.before, self.shown, self.lexicons, strict=True))
        names = [_column(*one, as_names=True) for one in sides]
        yield Sides(names, *same)
        named = [any(label in lexicon.named for label in shown.unique().to_list()) for _, shown, lexicon in sides]
        texts = [_column(*one, as_names=False) if is_named else own for one, own, is_named in zip(sides, names, named, strict=True)]
        if any((own.covers != other.covers).any() for own, other in zip(names, texts, strict=True)):
            yield Sides(texts, *same)

    def widest(self) -> tuple[Sides, int]:
        """Both tables in numbers, with a label standing for all that any reading of it allows, and how many readings there are."""
        readings = list(self._sides())
        first = readings[0]
        columns = [
            matching.MatchedColumn(own.place, own.label, np.logical_or.reduce([reading.columns[j].covers for reading in readings]))
            for j, own in enumerate(first.columns)
        ]
        return Sides(columns, first.same_before, first.same_after), len(readings)

    def _untrue(self, first: Alignment | None, reordered: bool) -> str:
        """What is wrong, by position where rows have one."""
        if first is None or reordered:
            return (
                "The release is not true: its rows cannot be assigned to different rows of the original so that every cell covers its own "
                f"and every other column is equal. {self._advice()}"
            )
        wrong = next(column for column in first.columns if not column.is_true)
        either = "The rows cannot be matched in another order either."
        if wrong.kind == "kept":
            return f"Column '{wrong.name}' is in both tables and no quasi-identifier, and {wrong.fault()}. {either} {self._advice()}"
        return f"Column '{wrong.name}': {wrong.fault()}. {either} {self._advice()}"

    def _advice(self) -> str:
        kept = [name for name in self.kept if _has_text(self.original[name]) and _has_text(self.released[name])]
        return advice(
            zip(self.names, self.before, self.shown, strict=True), [(name, self.original[name], self.released[name]) for name in kept]
        )


def starred(cells: pl.Series, marks: Sequence[str]) -> pl.Series:
    """Marks that stand for any value, as ``*``; an empty mark is a missing cell or an empty text."""
    if not marks:
        return cells
    whole = cells.fill_null("") if "" in marks else cells
    return pl.select(pl.when(whole.is_in(list(marks))).then(pl.lit("*")).otherwise(cells).alias(cells.name)).to_series()


def _has_text(series: pl.Series) -> bool:
    return not (series.dtype.is_nested() or series.dtype in (pl.Binary, pl.Object, pl.Duration))


def _column(before: pl.Series, shown: pl.Series, lexicon: Lexicon, as_names: bool) -> matching.MatchedColumn:
    labels = shown.unique(maintain_order=True)
    if len(labels) * lexicon.n_values > MOST_READINGS:
        raise TooLarge
    everything = np.ones(lexicon.n_values, dtype=bool)
    masks = [lexicon.holding(label, as_names) for label in labels.to_list()]
    number = matching.numbered([labels], [shown])[1]
    return matching.MatchedColumn(lexicon.places(before), number, np.stack([everything if mask is None else mask for mask in masks]))


def _unread_words(columns: Sequence[Compared]) -> str:
    told = ", ".join(f"'{column.name}' ({column.n_unread} cells)" for column in columns if column.n_unread)
    return f"Cells could not be compared: labels of {told} can be read neither as values nor as names, sets, intervals or masks. {HINT}"
