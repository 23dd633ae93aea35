"""DuckDB: connections, cells, and errors in our own words.

Numbers, texts, dates, moments and lists keep their types; what Arrow has no like for (intervals, times of a day, UUIDs, enumerations, very large numbers) is read as DuckDB's text.
No extension is loaded and no other file is opened. Messages of the database are not passed on: they may hold cells.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import polars as pl

from shoal.errors import DataError, WriteError, some
from shoal.io.addresses import Uri
from shoal.io.source import ROWS
from shoal.io.sql.names import check_names, library, quoted
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


def source_of(connection: Any, uri: Uri) -> str:
    """What stands after FROM: the table, or the query in brackets."""
    if uri.query is None and uri.table not in (tables := tables_of(connection)):
        raise DataError(f"There is no table '{uri.table}' in '{uri.path}'. Its tables are: {some(tables, 40)}.")
    return quoted(str(uri.table)) if uri.query is None else f"(\n{uri.query.strip().rstrip(';')}\n)"


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


def cells_of(frame: pl.DataFrame, shown: Collection[str]) -> pl.DataFrame:
    """Cells of quasi-identifiers are texts, and so is what has no like in DuckDB."""
    return pl.DataFrame([_as_written(column, shown) for column in frame.iter_columns()])


def _as_written(column: pl.Series, shown: Collection[str]) -> pl.Series:
    dtype = column.dtype
    keeps = column.name not in shown and not isinstance(dtype, pl.Categorical | pl.Enum | pl.Time)
    return column if keeps and (dtype == pl.Binary or dtype.is_nested() or has_text(dtype)) else as_text(column)


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


def tables_of(connection: Any) -> list[str]:
    found = connection.execute("SELECT table_name FROM information_schema.tables ORDER BY 1").fetchall()
    return [str(name) for (name,) in found]


def connect(path: Path, *, read_only: bool, folder: Path | None = None, memory: int | None = None) -> Any:
    """A connection that opens no other file. It spills to a folder, if one is given, and takes no more memory than it is given."""
    spill = {} if folder is None else {"temp_directory": str(folder)}
    most = {} if memory is None else {"memory_limit": f"{max(memory, LEAST) >> 20}MiB"}
    connection = library("duckdb").connect(str(path.absolute()), read_only=read_only, config={**CONFIG, **spill, **most})
    connection.execute("SET TimeZone = 'UTC'")
    return connection


def frames_of(relation: Any) -> Iterator[pl.DataFrame]:
    """The rows of a relation, in stretches."""
    import pyarrow as pa

    for batch in relation.to_arrow_reader(ROWS):
        yield pl.DataFrame(pl.from_arrow(pa.Table.from_batches([batch])))


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
