"""Tables of DuckDB files: read in one snapshot, written in one transaction or as a whole file.

Numbers, texts, dates, moments and lists keep their types; what Arrow has no like for (intervals, times of a day, UUIDs, enumerations, very large numbers) is read as DuckDB's text.
DuckDB does not overwrite what is deleted. So a table is replaced only where it is alone in its file, which is then made anew; a table that is added to a file leaves the others as they are.
Nothing is spilled to the disk, no extension is loaded and no other file is opened. Messages of the database are not passed on: they may hold cells.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Collection, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import polars as pl

from shoal.disk.atomic import check_place, writing
from shoal.disk.spill import Spill
from shoal.errors import DataError, WriteError, some
from shoal.io.databases import check_cells, check_groups, check_names, count_groups, library, quoted
from shoal.io.source import check_input
from shoal.io.table_rows import Room
from shoal.io.uris import Uri
from shoal.judge.verdict import Verdict
from shoal.table.table import Table
from shoal.text.cells import as_text, has_text

CONFIG = {
    "enable_external_access": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "temp_directory": "",
}
LEAST = 128 << 20
"""Bytes of memory below which it cannot work."""
PLAIN = {
    "BOOLEAN", "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "FLOAT", "DOUBLE", "VARCHAR", "DATE",
    "TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS", "TIMESTAMP WITH TIME ZONE", "BLOB",
}  # fmt: skip
FULL = ("No space left", "Disk quota exceeded", "File too large", "max_temp_directory_size")
WORDS = {
    "ConnectionException": "this program has it open already. Close it first, or hand over its connection",
    "CatalogException": "the query names something that is not there. Try it in DuckDB's own shell",
    "BinderException": "the query names something that is not there. Try it in DuckDB's own shell",
    "ParserException": "the database does not understand the query. Give one SELECT, and try it in DuckDB's own shell",
    "PermissionException": "the query asks for something that shoal does not let it do, such as opening another file",
    "InvalidInputException": "the query asks for something that a file opened for reading does not allow",
    "OutOfMemoryException": "there is not enough memory",
    "SerializationException": "it is damaged, or of another version of DuckDB",
    "IOException": "it is no database of DuckDB, another program is writing to it, or it may not be opened",
    "TransactionException": "a transaction is open already, or another program is writing. Try again when that is done",
}


def read_table(uri: Uri) -> Table:
    """A table, or what a query gives, as it is at one moment."""
    path = check_input(uri.path)
    with told(uri, DataError), closing(connect(path, read_only=True)) as connection:
        frame = read_from(connection, uri)
    if frame.height == 0:
        raise DataError(f"{uri.name} has no rows.")
    return Table(frame, kind="path", source=uri.name)


def read_from(connection: Any, uri: Uri) -> pl.DataFrame:
    """All rows of one statement: that is one snapshot."""
    return frame_of(connection.sql(f"SELECT * FROM {source_of(connection, uri)} AS asked"), uri.name)


def source_of(connection: Any, uri: Uri) -> str:
    """What stands after FROM: the table, or the query in brackets."""
    if uri.query is None and uri.table not in (tables := _tables(connection)):
        raise DataError(f"There is no table '{uri.table}' in '{uri.path}'. Its tables are: {some(tables, 40)}.")
    return quoted(str(uri.table)) if uri.query is None else f"(\n{uri.query.strip().rstrip(';')}\n)"


def frame_of(relation: Any, what: str) -> pl.DataFrame:
    """The rows of a relation of DuckDB."""
    frame = pl.from_arrow(relation.project(", ".join(cells_from(relation, what).values())).to_arrow_table())
    assert isinstance(frame, pl.DataFrame)
    return frame


def cells_from(relation: Any, what: str) -> dict[str, str]:
    """The columns of a relation, and the expression by which each is read."""
    if relation is None:
        raise DataError(f"{what} gives no table. Only a SELECT does.")
    names = check_names(relation.columns, what)
    return {
        name: quoted(name) if _is_plain(str(kind)) else f"CAST({quoted(name)} AS VARCHAR) AS {quoted(name)}"
        for name, kind in zip(names, relation.types, strict=True)
    }


def _is_plain(kind: str) -> bool:
    return kind in PLAIN or kind.startswith(("DECIMAL(", "STRUCT(")) or kind.endswith("]")


def check_target(uri: Uri, source: Uri | None = None, *, force: bool = False) -> None:
    """Raise what writing there would raise, as far as that is known before the work begins. ``source`` is what is read."""
    if uri.table is None:
        raise WriteError("A release is written to a table, not to a query: name it with table=.")
    if source is not None and os.path.realpath(uri.path) == os.path.realpath(source.path):
        raise WriteError(
            f"'{uri.path}' holds the original. Write to another file: whoever gets this one would get the original with the release."
        )
    check_place(uri.path)
    if Path(uri.path).exists():
        with told(uri, WriteError), closing(connect(Path(uri.path), read_only=False)) as connection:
            check_free(connection, uri, force)


def write_table(frame: pl.DataFrame, uri: Uri, verdict: Verdict, *, given: object = None, force: bool = False) -> None:
    """Write a verified frame to a table. Without ``force``, a table that exists is not replaced."""
    check_target(uri, force=force)
    cells = cells_of(frame, verdict.quasi_identifiers)
    if Path(uri.path).exists():
        with told(uri, WriteError), closing(connect(Path(uri.path), read_only=False)) as connection:
            if not check_free(connection, uri, force):
                _add(connection, cells, uri, verdict)
                return
    spill = Spill(Path(os.path.realpath(uri.path)).parent)
    try:
        made = spill.folder / "new.duckdb"
        with told(uri, WriteError), closing(connect(made, read_only=False)) as connection:
            _add(connection, cells, uri, verdict)
        with made.open("rb") as file, writing(uri.path, force=force) as to:
            shutil.copyfileobj(file, to)
    finally:
        spill.remove()


def add_by(connection: Any, frame: pl.DataFrame, uri: Uri, verdict: Verdict) -> None:
    """Add a table by a connection that is open. One that exists is not replaced: DuckDB keeps what is deleted."""
    if str(uri.table).lower() in {name.lower() for name in _tables(connection)}:
        raise WriteError(f"The table '{uri.table}' exists already, and DuckDB keeps in a file what is deleted. Choose another name.")
    _add(connection, cells_of(frame, verdict.quasi_identifiers), uri, verdict)


def cells_of(frame: pl.DataFrame, shown: Collection[str]) -> pl.DataFrame:
    """Cells of quasi-identifiers are texts, and so is what has no like in DuckDB."""
    return pl.DataFrame([_as_written(column, shown) for column in frame.iter_columns()])


def _as_written(column: pl.Series, shown: Collection[str]) -> pl.Series:
    dtype = column.dtype
    keeps = column.name not in shown and not isinstance(dtype, pl.Categorical | pl.Enum | pl.Time)
    return column if keeps and (dtype == pl.Binary or dtype.is_nested() or has_text(dtype)) else as_text(column)


def _add(connection: Any, cells: pl.DataFrame, uri: Uri, verdict: Verdict) -> None:
    """A new table, recounted by the database before it is there."""

    def fill() -> None:
        insert(connection, str(uri.table), cells, is_new=True)
        check_groups(connection.execute(count_groups(quoted(str(uri.table)), verdict)).fetchall()[0], verdict)
        check_cells(frame_of(connection.sql(f"SELECT * FROM {quoted(str(uri.table))}"), "the release"), cells)

    in_transaction(connection, fill)


def in_transaction(connection: Any, fill: Callable[[], None]) -> None:
    """All of it is there afterwards, or nothing."""
    connection.execute("BEGIN")  # an error here is that of somebody else's transaction, which stays
    try:
        fill()
        connection.execute("COMMIT")
    except BaseException:
        with suppress(library("duckdb").Error):
            connection.execute("ROLLBACK")
        raise
    connection.execute("CHECKPOINT")


def insert(connection: Any, table: str, cells: pl.DataFrame, *, is_new: bool) -> None:
    """Rows into a table, which is made for them if it is new."""
    rows = "shoal cells"
    connection.register(rows, cells.to_arrow())
    try:
        begin = f"CREATE TABLE {quoted(table)} AS" if is_new else f"INSERT INTO {quoted(table)}"
        connection.execute(f"{begin} SELECT * FROM {quoted(rows)}")
    finally:
        connection.unregister(rows)


def check_free(connection: Any, uri: Uri, force: bool) -> bool:
    """Whether the file has the table, which may then be replaced with its file."""
    found = connection.execute("SELECT lower(table_name), table_type FROM information_schema.tables").fetchall()
    kinds = dict(found)
    if str(uri.table).lower() not in kinds:
        return False
    if not force:
        raise WriteError(
            f"The table '{uri.table}' exists already in '{uri.path}', and nothing was written. Choose another name, or give --force (force=True in Python) to replace it."
        )
    if len(found) > 1:
        raise WriteError(
            f"'{uri.path}' has other tables or views beside '{uri.table}', and DuckDB keeps in the file what is deleted. Write to another file or another table."
        )
    return True


def _tables(connection: Any) -> list[str]:
    found = connection.execute("SELECT table_name FROM information_schema.tables ORDER BY 1").fetchall()
    return [str(name) for (name,) in found]


def connect(path: Path, *, read_only: bool, room: Room | None = None) -> Any:
    """A connection that opens no other file; in a room it spills there, else nowhere."""
    config = {} if room is None else {"temp_directory": str(room.folder), "memory_limit": f"{max(room.memory, LEAST) >> 20}MiB"}
    connection = library("duckdb").connect(str(path.absolute()), read_only=read_only, config={**CONFIG, **config})
    connection.execute("SET TimeZone = 'UTC'")
    return connection


@contextmanager
def told(uri: Uri, kind: type[DataError] | type[WriteError]) -> Iterator[None]:
    """Turn the database's errors into ours, without its words."""
    driver = library("duckdb")
    try:
        yield
    except (driver.Error, pl.exceptions.PolarsError) as error:
        known = WORDS.get(type(error).__name__, f"it failed with {type(error).__name__}")
        if any(word in str(error) for word in FULL):
            known = "the disk is full. Free some space"
        raise kind(f"'{uri.path}': {known}.") from None
