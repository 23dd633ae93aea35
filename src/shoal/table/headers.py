"""Naming a table's columns in a message, unless its header seems to be somebody's row."""

from __future__ import annotations

import polars as pl

from shoal.errors import DataError, some
from shoal.table.text import as_text, has_text

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


def need_header(frame: pl.DataFrame, source: str) -> None:
    """Refuse a table whose header seems to be somebody's row, before its names are shown."""
    if is_headerless(frame):
        raise DataError(f"{source}: {columns_in_words(frame)}")
