"""SQLite: connections, cells, and errors in our own words. Messages of the database are not passed on: they may hold cells."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import polars as pl

from shoal.errors import DataError, WriteError, some
from shoal.io.addresses import Uri
from shoal.io.sql.names import check_names, quoted
from shoal.text.cells import as_text

PATIENCE = 10.0
"""Seconds to wait for somebody who is writing to the same database."""
BYTES = "Column '{}' holds bytes (BLOB), which have no text. Leave it out with query= instead of table=."
WORDS = {
    "SQLITE_NOTADB": "it is no database of SQLite",
    "SQLITE_CORRUPT": "it is damaged",
    "SQLITE_BUSY": "another program is writing to it. Try again when that is done",
    "SQLITE_LOCKED": "another program is writing to it. Try again when that is done",
    "SQLITE_FULL": "the disk is full. Free some space",
    "SQLITE_IOERR": "the disk is full, or fails. Free some space",
    "SQLITE_TOOBIG": "a cell or a statement is larger than SQLite takes",
    "SQLITE_READONLY": "you may not write to it",
    "SQLITE_CANTOPEN": "it cannot be opened. Check its permissions and those of its folder",
    "SQLITE_PERM": "you may not open it",
    "SQLITE_ERROR": "the database does not understand the query. Try it in the database's own shell",
}


def source_of(connection: sqlite3.Connection, uri: Uri) -> str:
    """What stands after FROM: the table, or the query in brackets."""
    if uri.query is not None:
        return f"(\n{uri.query.strip().rstrip(';')}\n)"
    if uri.table not in (tables := _tables(connection)):
        raise DataError(f"There is no table '{uri.table}' in '{uri.path}'. Its tables are: {some(tables, 40)}.")
    return quoted(str(uri.table))


def cells_of(frame: pl.DataFrame) -> pl.DataFrame:
    """Numbers as numbers, as far as SQLite has them, and all other cells as texts."""
    return pl.DataFrame([column if _is_number(column.dtype) else as_text(column) for column in frame.iter_columns()])


def _is_number(dtype: pl.DataType) -> bool:
    return dtype.is_float() or (dtype.is_integer() and dtype not in (pl.UInt64, pl.Int128))


def decoded(cell: bytes) -> str:
    """A text, with marks where it is no UTF-8: the error of the database would show the cell."""
    return cell.decode("utf-8", "surrogateescape")


def connect(path: Path, mode: str) -> sqlite3.Connection:
    """A connection that gives texts as ``decoded`` does. One thread uses it at a time, not always the same."""
    place = f"file:{quote(str(path.absolute()))}?mode={mode}"
    connection = sqlite3.connect(place, uri=True, isolation_level=None, timeout=PATIENCE, check_same_thread=False)
    connection.text_factory = decoded
    return connection


@contextmanager
def told(uri: Uri, kind: type[DataError] | type[WriteError]) -> Iterator[None]:
    """Turn the database's errors into ours, without its words."""
    try:
        yield
    except (sqlite3.Error, sqlite3.Warning) as error:
        name = str(getattr(error, "sqlite_errorname", ""))
        known = next((words for start, words in WORDS.items() if name.startswith(start)), f"it failed with {name or type(error).__name__}")
        if "one statement" in str(error):  # the module's own words, which hold no cell
            known = "the query has several statements. Give one SELECT"
        elif kind is DataError and name.startswith("SQLITE_READONLY"):
            known = "the query would change the database, and it is only read. Give a SELECT"
        raise kind(f"'{uri.path}': {known}.") from None


def _tables(connection: sqlite3.Connection) -> list[str]:
    found = connection.execute(
        "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"
    )
    return [str(name) for (name,) in found]


def is_table(connection: sqlite3.Connection, name: str) -> bool:
    """Whether this is a table, and no view."""
    return bool(connection.execute("SELECT type = 'table' FROM sqlite_master WHERE name = ?", (name,)).fetchone()[0])


@contextmanager
def exact_texts(connection: sqlite3.Connection) -> Iterator[None]:
    """For somebody else's connection: texts that are no UTF-8 are found by us, because SQLite's own error would show the cell."""
    before = connection.text_factory, connection.row_factory
    connection.text_factory, connection.row_factory = decoded, None
    try:
        yield
    finally:
        connection.text_factory, connection.row_factory = before


def names_of(cursor: sqlite3.Cursor, what: str) -> list[str]:
    """The columns of what a statement gives."""
    if cursor.description is None:
        raise DataError(f"{what} gives no table. Only a SELECT does.")
    return check_names([str(column[0]) for column in cursor.description], what)


def cells(column: str, given: Sequence[object], before: int, dtype: pl.DataType) -> pl.Series:
    """Some cells of a column, of the type of all its cells; ``before`` are the rows before them."""
    kinds = {type(cell) for cell in given}
    if bytes in kinds:
        raise DataError(BYTES.format(column))
    if dtype != pl.String:
        return pl.Series(column, given, dtype=dtype)
    try:
        return pl.Series(column, given if kinds <= {str, type(None)} else _texts(given), dtype=pl.String)
    except UnicodeEncodeError:
        row = next(i for i, cell in enumerate(given) if isinstance(cell, str) and not _is_text(cell))
        raise DataError(f"Column '{column}': the text in row {before + row + 1} is not UTF-8. Correct it in the database.") from None


def _texts(given: Sequence[object]) -> list[str | None]:
    return [cell if cell is None or isinstance(cell, str) else str(cell) for cell in given]


def _is_text(cell: str) -> bool:
    return not any("\ud800" <= letter <= "\udfff" for letter in cell)
