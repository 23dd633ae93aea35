"""Tables of SQLite: read in one snapshot, written in one transaction.

A database that does not exist is made in memory and appears as a whole file. In one that exists, the release is written beside the old table and
recounted by the database, and takes the old one's name in the same transaction: a reader sees the old table or the new one, and so does
whoever opens the file after a crash. What is deleted is overwritten. Messages of the database are not passed on: they may hold cells.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

import polars as pl

from shoal.disk.atomic import check_place, writing
from shoal.errors import DataError, WriteError, some
from shoal.io.databases import check_cells, check_groups, check_names, count_groups, quoted
from shoal.io.source import check_input
from shoal.io.uris import Uri
from shoal.judge.verdict import Verdict
from shoal.table.table import Table
from shoal.text.cells import as_text

BATCH = 50_000
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


def read_table(uri: Uri) -> Table:
    """A table, or what a query gives, as it is at one moment."""
    path = check_input(uri.path)
    with told(uri, DataError), closing(connect(path, "ro")) as connection:
        frame = read_from(connection, uri)
    if frame.height == 0:
        raise DataError(f"{uri.name} has no rows.")
    return Table(frame, kind="path", source=uri.name)


def read_from(connection: sqlite3.Connection, uri: Uri) -> pl.DataFrame:
    """The rows, by a connection that gives texts as ``decoded`` does."""
    return _frame(connection, uri.query or f"SELECT * FROM {source_of(connection, uri)}", uri.name)


def source_of(connection: sqlite3.Connection, uri: Uri) -> str:
    """What stands after FROM: the table, or the query in brackets."""
    if uri.query is not None:
        return f"(\n{uri.query.strip().rstrip(';')}\n)"
    if uri.table not in (tables := _tables(connection)):
        raise DataError(f"There is no table '{uri.table}' in '{uri.path}'. Its tables are: {some(tables, 40)}.")
    return quoted(str(uri.table))


def check_target(uri: Uri, source: Uri | None = None, *, force: bool = False) -> None:
    """Raise what writing there would raise, as far as that is known before the work begins. ``source`` is what is read."""
    if uri.table is None:
        raise WriteError("A release is written to a table, not to a query: name it with table=.")
    if source is not None and os.path.realpath(uri.path) == os.path.realpath(source.path):
        raise WriteError(
            f"'{uri.path}' holds the original. Write to another file: whoever gets this one would get the original with the release."
        )
    if uri.table.lower().startswith("sqlite_"):
        raise WriteError("Names that begin with 'sqlite_' are the database's own. Choose another table.")
    check_place(uri.path)
    if Path(uri.path).exists():
        with told(uri, WriteError), closing(connect(Path(uri.path), "rw")) as connection:
            _check_free(connection, uri, force)


def write_table(frame: pl.DataFrame, uri: Uri, verdict: Verdict, *, given: object = None, force: bool = False) -> None:
    """Write a verified frame to a table. Without ``force``, a table that exists is not replaced."""
    check_target(uri, force=force)
    texts = cells_of(frame)
    if Path(uri.path).exists():
        with told(uri, WriteError), closing(connect(Path(uri.path), "rw")) as connection:
            replace_table(connection, texts, uri, verdict, force)
        return
    with told(uri, WriteError), closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        replace_table(connection, texts, uri, verdict, force)
        whole = connection.serialize()
    with writing(uri.path, force=False) as file:
        file.write(whole)


def cells_of(frame: pl.DataFrame) -> pl.DataFrame:
    """Numbers as numbers, and all other cells as texts."""
    return pl.DataFrame(
        [column if column.dtype.is_integer() or column.dtype.is_float() else as_text(column) for column in frame.iter_columns()]
    )


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


def _frame(connection: sqlite3.Connection, query: str, name: str) -> pl.DataFrame:
    """All rows of one statement: that is one snapshot."""
    cursor = connection.execute(query)
    names = names_of(cursor, name)
    parts: list[list[pl.Series]] = [[] for _ in names]
    n_rows = 0
    while rows := cursor.fetchmany(BATCH):
        for column, given, done in zip(names, zip(*rows, strict=True), parts, strict=True):
            done.append(cells(column, given, n_rows))
        n_rows += len(rows)
    return pl.DataFrame([_together(column, done) for column, done in zip(names, parts, strict=True)])


def names_of(cursor: sqlite3.Cursor, what: str) -> list[str]:
    """The columns of what a statement gives."""
    if cursor.description is None:
        raise DataError(f"{what} gives no table. Only a SELECT does.")
    return check_names([str(column[0]) for column in cursor.description], what)


def cells(column: str, given: Sequence[object], before: int, dtype: pl.DataType | None = None) -> pl.Series:
    """Some cells of a column: of the column's type, if that is known; else numbers if all are, else texts. SQLite lets a column hold both."""
    kinds = {type(cell) for cell in given} - {type(None)}
    if bytes in kinds:
        raise DataError(BYTES.format(column))
    if kinds in ({int}, {float}) and dtype != pl.String:
        return pl.Series(column, given, dtype=pl.Int64 if kinds == {int} else pl.Float64)
    if dtype is not None and dtype != pl.String:
        return pl.Series(column, given, dtype=dtype)
    try:
        return pl.Series(column, given if kinds <= {str} else _texts(given), dtype=pl.String)
    except UnicodeEncodeError:
        row = next(i for i, cell in enumerate(given) if isinstance(cell, str) and not _is_text(cell))
        raise DataError(f"Column '{column}': the text in row {before + row + 1} is not UTF-8. Correct it in the database.") from None


def _texts(given: Sequence[object]) -> list[str | None]:
    return [cell if cell is None or isinstance(cell, str) else str(cell) for cell in given]


def _is_text(cell: str) -> bool:
    return not any("\ud800" <= letter <= "\udfff" for letter in cell)


def _together(column: str, parts: list[pl.Series]) -> pl.Series:
    known = {part.dtype for part in parts if part.null_count() < len(part)}
    dtype = known.pop() if len(known) == 1 else pl.String()
    return pl.concat([_of_type(part, dtype) for part in parts]).rename(column) if parts else pl.Series(column, [], dtype=pl.String)


def _of_type(part: pl.Series, dtype: pl.DataType) -> pl.Series:
    """Numbers among texts are the same texts whatever stands beside them."""
    return cells(part.name, part.to_list(), 0, dtype) if part.dtype == pl.Float64 and dtype == pl.String else part.cast(dtype)


def _check_free(connection: sqlite3.Connection, uri: Uri, force: bool) -> str | None:
    """The table that has the name, if there is one and it may be replaced."""
    found = connection.execute("SELECT type, name FROM sqlite_master WHERE lower(name) = lower(?)", (uri.table,)).fetchone()
    if found is None:
        return None
    if found[0] != "table":
        raise WriteError(f"'{uri.table}' is a {found[0]} in '{uri.path}', not a table. Choose another name.")
    if not force:
        raise WriteError(
            f"The table '{uri.table}' exists already in '{uri.path}', and nothing was written. Choose another name, or give --force (force=True in Python) to replace it."
        )
    return str(found[1])


def replace_table(connection: sqlite3.Connection, texts: pl.DataFrame, uri: Uri, verdict: Verdict, force: bool) -> None:
    """A release that is in memory takes the place of a table."""

    def fill(part: str) -> None:
        for piece in texts.iter_slices(BATCH):
            insert(connection, part, piece)
        _recount(connection, part, texts, verdict)

    replace_by(connection, uri, texts.schema, fill, force)


def replace_by(
    connection: sqlite3.Connection, uri: Uri, schema: Mapping[str, pl.DataType], fill: Callable[[str], None], force: bool
) -> None:
    """A new table, which ``fill`` fills and checks, takes the place of the old one, all in one transaction."""
    part = f"shoal part {secrets.token_hex(6)}"
    connection.execute("PRAGMA secure_delete = ON")
    connection.execute("BEGIN IMMEDIATE")
    try:
        old = _check_free(connection, uri, force)
        create(connection, part, schema)
        fill(part)
        if old is not None:
            connection.execute(f"DROP TABLE {quoted(old)}")
        connection.execute(f"ALTER TABLE {quoted(part)} RENAME TO {quoted(str(uri.table))}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def create(connection: sqlite3.Connection, table: str, schema: Mapping[str, pl.DataType]) -> None:
    types = {name: "INTEGER" if dtype.is_integer() else "REAL" if dtype.is_float() else "TEXT" for name, dtype in schema.items()}
    connection.execute(f"CREATE TABLE {quoted(table)} ({', '.join(f'{quoted(name)} {kind}' for name, kind in types.items())})")


def insert(connection: sqlite3.Connection, table: str, piece: pl.DataFrame) -> None:
    connection.executemany(f"INSERT INTO {quoted(table)} VALUES ({', '.join('?' * piece.width)})", piece.rows())


def _recount(connection: sqlite3.Connection, part: str, texts: pl.DataFrame, verdict: Verdict) -> None:
    """Groups as the database counts them, and every cell as it gives it back, before anybody else can see the table."""
    check_groups(connection.execute(count_groups(quoted(part), verdict)).fetchone(), verdict)
    check_cells(_frame(connection, f"SELECT * FROM {quoted(part)}", "the release"), texts)
