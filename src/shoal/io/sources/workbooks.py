"""Workbooks of Excel and its like. One with several sheets is asked for one of them, as in ``people.xlsx#May``; ``#May:B4`` where the columns' names begin in that cell."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import polars as pl

from shoal.errors import DataError, some
from shoal.io.sources.statistics import whole_numbers
from shoal.io.sources.whole import extra
from shoal.io.unpacking import check_workbook

CORNER = re.compile(r"([^:]*):([A-Za-z]{0,3})([1-9][0-9]{0,5})")
"""No sheet's name has a colon in it."""
DEEPEST = 12
"""So many rows are searched for the names of the columns."""


def load(place: Path, name: str, asked: str | None) -> pl.DataFrame:
    library = extra("fastexcel", name)
    check_workbook(place, name)
    book = library.read_excel(place)
    names = list(book.sheet_names)
    sheet, column, row = _place(asked)
    if sheet is not None and sheet not in names:
        raise DataError(f"'{name}' has no sheet '{sheet}'. Its sheets are: {some(names)}.")
    if sheet is None and len(names) > 1:
        raise DataError(
            f"'{name}' has {len(names)} sheets: {some(names)}. Which one is the table? Name it behind the file: '{name}#{names[0]}'."
        )
    sheet = names[0] if sheet is None else sheet

    def rows_from(row: int, **more: Any) -> pl.DataFrame:
        return pl.DataFrame(book.load_sheet(sheet, header_row=row - 1, use_columns=f"{column}:" if column else None, **more))

    frame = rows_from(row, schema_sample_rows=None)
    if unnamed := _unnamed(frame):
        begins = next((r for r in range(row + 1, row + DEEPEST) if not _unnamed(rows_from(r, n_rows=1))), None)
        there = (
            "delete what stands above or beside the table"
            if begins is None
            else f"if they stand in row {begins}, write '{name}#{sheet}:{begins}'"
        )
        raise DataError(
            f"'{name}': {f'column {unnamed[0]} has' if len(unnamed) == 1 else f'columns {some(unnamed)} have'} no name in row {row} of the sheet, which must name every column. "
            f"Titles above the table? Say where the names stand: {there}."
        )
    return whole_numbers(frame)


def _place(asked: str | None) -> tuple[str | None, str, int]:
    """A sheet, and the cell at which the names of the columns begin: ``May:B4``.

    >>> _place("May:B4"), _place("May"), _place(":3"), _place(None)
    (('May', 'B', 4), ('May', '', 1), (None, '', 3), (None, '', 1))
    """
    match = CORNER.fullmatch(asked or "")
    if match is None:
        return asked, "", 1
    return match[1] or None, match[2].upper(), int(match[3])


def _unnamed(frame: pl.DataFrame) -> list[int]:
    """The columns, counted from 1, that have no name."""
    return [j for j, column in enumerate(frame.columns, start=1) if not column.strip() or column.startswith("__UNNAMED__")] or [1] * (
        frame.width == 0
    )
