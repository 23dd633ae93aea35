"""A table of SQLite: alone in a private file until it is verified, which then becomes the database, or is copied into the one that is there, in one transaction.

Whoever opens a database that was there sees the old table or the new one, also after a crash. What is deleted is overwritten.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from pathlib import Path

import polars as pl

from shoal.disk.atomic import check_place, place_part
from shoal.disk.spill import Spill
from shoal.errors import WriteError
from shoal.io.addresses import Uri, same_file
from shoal.io.ahead import ahead
from shoal.io.source import ROWS
from shoal.io.sql import sqlite
from shoal.io.sql.names import quoted
from shoal.io.target import Rows, Target, check_told, told_of

QUICK = ("PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF", "PRAGMA locking_mode = EXCLUSIVE")
"""For a file that nobody else sees, and that is flushed to the disk as a whole."""
KEPT = "release"
BUSY = "The connection is in a transaction. Commit it or roll it back first: the release is written in a transaction of its own."


class SqliteTarget(Target):
    """By an address, or by a connection that is open."""

    def __init__(self, uri: Uri, connection: sqlite3.Connection | None = None, *, force: bool = False, memory: int | None = None) -> None:
        self.uri, self.name, self.given, self.force = uri, uri.name, connection, force
        self._open = ExitStack()

    def check(self, inputs: Iterable[object] = ()) -> None:
        if self.uri.table is None:
            raise WriteError("A release is written to a table, not to a query: name it with table=.")
        if str(self.uri.table).lower().startswith("sqlite_"):
            raise WriteError("Names that begin with 'sqlite_' are the database's own. Choose another table.")
        if self.given is not None:
            if self.given.in_transaction:
                raise WriteError(BUSY)
            return
        if any(same_file(self.uri, given) for given in inputs):
            raise WriteError(
                f"'{self.uri.path}' holds the original. Write to another file: whoever gets this one would get the original with the release."
            )
        check_place(self.uri.path)
        if Path(self.uri.path).exists():
            with sqlite.told(self.uri, WriteError), closing(sqlite.connect(Path(self.uri.path), "rw")) as connection:
                _check_free(connection, self.uri, self.force)

    def write(self, rows: Rows, shown: Sequence[str] = (), given: object = None) -> None:
        spill = Spill(None if self.given is not None else Path(os.path.realpath(self.uri.path)).parent)
        self._open.callback(spill.remove)
        self._path = spill.folder / "new.db"
        with sqlite.told(self.uri, WriteError):
            self._connection = self._open.enter_context(closing(sqlite.connect(self._path, "rwc")))
            self._schema = _filled(self._connection, KEPT, rows)

    def rows(self) -> Rows:
        return ahead(_rows(self._connection, self.uri, KEPT, self._schema))

    def publish(self, sha256: str | None) -> None:
        if self.given is not None:
            with sqlite.told(self.uri, WriteError), sqlite.exact_texts(self.given):
                self._copy(self.given, sha256)
        elif Path(self.uri.path).exists():
            with sqlite.told(self.uri, WriteError), closing(sqlite.connect(Path(self.uri.path), "rw")) as connection:
                self._copy(connection, sha256)
        else:
            with sqlite.told(self.uri, WriteError):
                if self.uri.table != KEPT:
                    self._connection.execute(f"ALTER TABLE {KEPT} RENAME TO {quoted(str(self.uri.table))}")
                self._connection.close()
            place_part(self._path, self.uri.path, force=False)

    def _copy(self, connection: sqlite3.Connection, sha256: str | None) -> None:
        """Into a database that exists, in one transaction: whoever opens it after a crash has the old table."""

        def fill(part: str) -> None:
            for frame in _rows(self._connection, self.uri, KEPT, self._schema):
                _insert(connection, part, frame)
            check_told(_rows(connection, self.uri, part, self._schema), sha256 or told_of(self.rows()))

        _replace_by(connection, self.uri, self._schema, fill, self.force)

    def close(self) -> None:
        self._open.close()


def _filled(connection: sqlite3.Connection, table: str, rows: Rows) -> dict[str, pl.DataType]:
    """A new table of these rows; gives the columns and the types that they are read back with."""
    for setting in QUICK:
        connection.execute(setting)
    connection.execute("BEGIN")
    schema: dict[str, pl.DataType] = {}
    for frame in rows:
        cells = sqlite.cells_of(frame)
        if not schema:
            schema = dict(cells.schema)
            _create(connection, table, schema)
        _insert(connection, table, cells)
    connection.execute("COMMIT")
    return schema


def _rows(connection: sqlite3.Connection, uri: Uri, table: str, schema: Mapping[str, pl.DataType]) -> Iterator[pl.DataFrame]:
    with sqlite.told(uri, WriteError):
        cursor, n_rows = connection.execute(f"SELECT * FROM {quoted(table)} ORDER BY rowid"), 0
        while rows := cursor.fetchmany(ROWS):
            cells = zip(schema.items(), zip(*rows, strict=True), strict=True)
            yield pl.DataFrame([sqlite.cells(name, given, n_rows, dtype) for (name, dtype), given in cells])
            n_rows += len(rows)


def _create(connection: sqlite3.Connection, table: str, schema: Mapping[str, pl.DataType]) -> None:
    types = {name: "INTEGER" if dtype.is_integer() else "REAL" if dtype.is_float() else "TEXT" for name, dtype in schema.items()}
    connection.execute(f"CREATE TABLE {quoted(table)} ({', '.join(f'{quoted(name)} {kind}' for name, kind in types.items())})")


def _insert(connection: sqlite3.Connection, table: str, piece: pl.DataFrame) -> None:
    for part in piece.iter_slices(ROWS):
        connection.executemany(f"INSERT INTO {quoted(table)} VALUES ({', '.join('?' * part.width)})", part.rows())


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


def _replace_by(
    connection: sqlite3.Connection, uri: Uri, schema: Mapping[str, pl.DataType], fill: Callable[[str], None], force: bool
) -> None:
    """A new table, which ``fill`` fills and checks, takes the place of the old one, all in one transaction."""
    part = f"shoal part {secrets.token_hex(6)}"
    connection.execute("PRAGMA secure_delete = ON")
    connection.execute("BEGIN IMMEDIATE")
    try:
        old = _check_free(connection, uri, force)
        _create(connection, part, schema)
        fill(part)
        if old is not None:
            connection.execute(f"DROP TABLE {quoted(old)}")
        connection.execute(f"ALTER TABLE {quoted(part)} RENAME TO {quoted(str(uri.table))}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
