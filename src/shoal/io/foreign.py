"""Files of other programs: Excel, SPSS, Stata, SAS, JSON lines and Arrow. They are read, never written.

Excel and the statistics packages need a library that is not installed by default; the message says which.
Value labels take the place of the codes that they explain, where all or some of a column's values have one.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import polars as pl

from shoal.errors import DataError, some
from shoal.io.source import check_input, name_of
from shoal.io.unpacking import check_arrow, check_texts, check_workbook
from shoal.table.table import Table

SHEETS = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods")
CORNER = re.compile(r"([^:]*):([A-Za-z]{0,3})([1-9][0-9]{0,5})")
"""No sheet's name has a colon in it."""
DEEPEST = 12
"""So many rows are searched for the names of the columns."""
EXTRAS = {"fastexcel": "excel", "pyreadstat": "stats"}


def is_foreign(path: str | os.PathLike[str]) -> bool:
    """Whether a file's name says that it is of another program."""
    return ending_of(split(path)[0]) in READERS


def ending_of(name: str) -> str:
    return os.path.splitext(name.lower())[1]


def split(path: str | os.PathLike[str]) -> tuple[str, str | None]:
    """A path, and the sheet that is named behind it: ``people.xlsx#May``.

    >>> split("people.xlsx#May"), split("people.xlsx"), split("c#.csv")
    (('people.xlsx', 'May'), ('people.xlsx', None), ('c#.csv', None))
    """
    name = os.fspath(path)
    book, mark, sheet = name.partition("#")
    return (book, sheet) if mark and ending_of(book) in SHEETS and not os.path.exists(name) else (name, None)


def read_foreign(path: str | os.PathLike[str]) -> Table:
    """The table in a file of another program; of a workbook with several sheets, the one named as in ``people.xlsx#May``; ``#May:B4`` where the columns' names begin in that cell."""
    file, sheet = split(path)
    place, name = check_input(file), name_of(file)
    ending = ending_of(name)
    try:
        frame = READERS[ending](place, name, sheet)
    except (DataError, MemoryError, KeyboardInterrupt):
        raise
    except (Exception, pl.exceptions.PanicException) as error:
        raise DataError(
            f"'{name}' ends in {ending} but cannot be read as that ({type(error).__name__}): it is damaged, protected or something else. "
            "Save it again, or export the table as CSV."
        ) from None
    if frame.width == 0 or frame.height == 0:
        raise DataError(f"'{name}' has no rows. There is nothing to anonymize; check how it was exported.")
    return Table(frame, "path", name, given=place)


def _library(module: str, name: str) -> Any:
    try:
        return import_module(module)
    except ImportError:
        raise DataError(
            f"'{name}' needs the library {module}, which is not installed: pip install 'shoal[{EXTRAS[module]}]', or pip install {module}."
        ) from None


def _excel(place: Path, name: str, asked: str | None) -> pl.DataFrame:
    library = _library("fastexcel", name)
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

    def load(row: int, **more: Any) -> pl.DataFrame:
        return pl.DataFrame(book.load_sheet(sheet, header_row=row - 1, use_columns=f"{column}:" if column else None, **more))

    frame = load(row, schema_sample_rows=None)
    if unnamed := _unnamed(frame):
        begins = next((r for r in range(row + 1, row + DEEPEST) if not _unnamed(load(r, n_rows=1))), None)
        there = (
            "delete what stands above or beside the table"
            if begins is None
            else f"if they stand in row {begins}, write '{name}#{sheet}:{begins}'"
        )
        raise DataError(
            f"'{name}': {f'column {unnamed[0]} has' if len(unnamed) == 1 else f'columns {some(unnamed)} have'} no name in row {row} of the sheet, which must name every column. "
            f"Titles above the table? Say where the names stand: {there}."
        )
    return _whole(frame)


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


def _statistics(function: str) -> Callable[[Path, str, str | None], pl.DataFrame]:
    def read(place: Path, name: str, sheet: str | None) -> pl.DataFrame:
        frame, about = getattr(_library("pyreadstat", name), function)(place, output_format="polars")
        return _labelled(_whole(frame), about.variable_value_labels)

    return read


def _whole(frame: pl.DataFrame) -> pl.DataFrame:
    """These programs keep every number as a float: those that are all whole become whole numbers again."""
    is_whole = [
        c.name for c in frame.iter_columns() if c.dtype.is_float() and bool(((c.fill_nan(None).drop_nulls() % 1) == 0).all()) and _fits(c)
    ]
    return frame.with_columns(pl.col(name).fill_nan(None).cast(pl.Int64) for name in is_whole)


def _fits(column: pl.Series) -> bool:
    return column.fill_nan(None).null_count() < len(column) and bool((column.fill_nan(None).drop_nulls().abs() < 2**53).all())


def _labelled(frame: pl.DataFrame, labels: Mapping[str, Mapping[Any, str]]) -> pl.DataFrame:
    """Codes as the words that explain them; a code without a word stays as it is."""
    made = []
    for name, words in labels.items():
        if name not in frame.columns or not words:
            continue
        text = {_code(code): str(word) for code, word in words.items()}
        codes = frame[name].cast(pl.String)
        made.append(codes.replace_strict(list(text), list(text.values()), default=codes, return_dtype=pl.String).alias(name))
    return frame.with_columns(made)


def _code(code: Any) -> str:
    return str(int(code)) if isinstance(code, float) and code == int(code) else str(code)


def _json_lines(place: Path, name: str, sheet: str | None) -> pl.DataFrame:
    return pl.read_ndjson(place, infer_schema_length=None)


def _arrow(place: Path, name: str, sheet: str | None) -> pl.DataFrame:
    check_arrow(place, name)
    with place.open("rb") as file:
        is_file = file.read(6) == b"ARROW1"
    frame = pl.read_ipc(place) if is_file else pl.read_ipc_stream(place)
    check_texts(frame.lazy(), place.stat().st_size, name)
    return frame


READERS: dict[str, Callable[[Path, str, str | None], pl.DataFrame]] = {
    **dict.fromkeys(SHEETS, _excel),
    ".sav": _statistics("read_sav"), ".zsav": _statistics("read_sav"), ".por": _statistics("read_por"),
    ".dta": _statistics("read_dta"), ".sas7bdat": _statistics("read_sas7bdat"), ".xpt": _statistics("read_xport"),
    ".jsonl": _json_lines, ".ndjson": _json_lines, ".arrow": _arrow, ".feather": _arrow, ".ipc": _arrow,
}  # fmt: skip
