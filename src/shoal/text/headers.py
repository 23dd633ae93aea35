"""Naming a table's columns in a message, unless its header seems to be somebody's row."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

import polars as pl

from shoal.errors import DataError, some
from shoal.text.cells import as_text, has_text

SUSPICIOUS = 1 / 3
"""If so many of the names occur among the values of their own columns, the file probably has no header."""


def is_headerless(frame: pl.DataFrame) -> bool:
    """Whether the header looks like a row: many of its names occur as values of their own columns."""
    inside = sum(bool((as_text(column) == column.name).any()) for column in frame.iter_columns() if has_text(column.dtype))
    return frame.height > 0 and inside >= max(SUSPICIOUS * frame.width, 1)


def columns_in_words(frame: pl.DataFrame) -> str:
    """The columns for a message; if they seem to be a person's row, a question instead."""
    if is_headerless(frame):
        return "The first line looks like a row and not like a header: does the file have one? Add a line with the columns' names."
    return f"Its columns are: {some(frame.columns, 40)}."


def no_such_columns(frame: pl.DataFrame, which: str, absent: Sequence[str]) -> str:
    """That a table does not have some columns, which it has, and which of these may be meant: ``PLZ`` by ``Plz``."""
    said = f"{'The table' if which == 'the table' else which} has no {'column' if len(absent) == 1 else 'columns'} {', '.join(map(repr, absent))}. {columns_in_words(frame)}"
    if is_headerless(frame):
        return said
    plain = {name.casefold(): name for name in frame.columns}
    near = [plain[match] for name in absent for match in get_close_matches(name.casefold(), plain, n=1)]
    return f"{said} Did you mean {', '.join(map(repr, near))}?" if near else said


def need_header(frame: pl.DataFrame, source: str) -> None:
    """Refuse a table whose header seems to be somebody's row, before its names are shown."""
    if is_headerless(frame):
        raise DataError(f"{source}: {columns_in_words(frame)}")


def need_columns(frame: pl.DataFrame, names: Sequence[str], which: str) -> None:
    """Refuse a table that lacks some columns."""
    absent = [name for name in dict.fromkeys(names) if name not in frame.columns]
    if absent:
        raise DataError(no_such_columns(frame, which, absent))
