"""Tables of SQLite in stretches: read in one snapshot, written to a private file that becomes the target, or is copied into it in one transaction."""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path

import polars as pl

from shoal.disk.atomic import place_part
from shoal.errors import DataError, WriteError
from shoal.io import sqlite
from shoal.io.databases import quoted
from shoal.io.source import check_input
from shoal.io.table_rows import STRETCH, Room, Rows, TableSource, TableTarget, check_told
from shoal.io.uris import Uri

TYPES = {frozenset(["integer"]): pl.Int64(), frozenset(["real"]): pl.Float64()}
QUICK = ("PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF", "PRAGMA locking_mode = EXCLUSIVE")
"""For a file that nobody else sees, and that is flushed to the disk as a whole."""
KEPT = "release"


class SqliteSource(TableSource):
    """All statements are of one transaction, so they see one moment."""

    def __init__(self, uri: Uri, room: Room) -> None:
        self.uri, self.name = uri, uri.name
        with sqlite.told(uri, DataError):
            self._connection = sqlite.connect(check_input(uri.path), "ro")
            try:
                self._connection.execute("BEGIN")
                self._origin = sqlite.source_of(self._connection, uri)
                asked = self._connection.execute(uri.query or f"SELECT * FROM {self._origin}")  # it is begun, and no row of it is read
                self.schema = _schema(self._connection, self._origin, sqlite.names_of(asked, self.name))
            except BaseException:
                self._connection.close()
                raise
        self.columns = tuple(self.schema)

    def rows(self, names: Sequence[str], most: int | None = None) -> Rows:
        cells = ", ".join(quoted(name) for name in names)
        statement = f"SELECT {cells} FROM {self._origin}" + ("" if most is None else f" LIMIT {most}")
        return _stretches(self._connection, self.uri, statement, {name: self.schema[name] for name in names})

    def close(self) -> None:
        self._connection.close()


def _schema(connection: sqlite3.Connection, origin: str, names: Sequence[str]) -> dict[str, pl.DataType]:
    """The type of each column: numbers if all its cells are, else texts. SQLite lets a column hold both, so all cells are looked at."""
    found: dict[str, pl.DataType] = {}
    for start in range(0, len(names), 100):  # so that a statement has not more columns than SQLite takes
        part = names[start : start + 100]
        asked = ", ".join(f"max(typeof({quoted(n)}) = '{kind}')" for n in part for kind in ("integer", "real", "text", "blob"))
        flags = connection.execute(f"SELECT {asked} FROM {origin}").fetchone()
        for j, name in enumerate(part):
            kinds = [kind for kind, flag in zip(("integer", "real", "text", "blob"), flags[4 * j : 4 * j + 4], strict=True) if flag]
            if "blob" in kinds:
                raise DataError(sqlite.BYTES.format(name))
            found[name] = TYPES.get(frozenset(kinds), pl.String())
    return found


def _stretches(connection: sqlite3.Connection, uri: Uri, statement: str, schema: dict[str, pl.DataType]) -> Rows:
    with sqlite.told(uri, DataError):
        cursor, n_rows = connection.execute(statement), 0
        while rows := cursor.fetchmany(STRETCH):
            cells = zip(schema.items(), zip(*rows, strict=True), strict=True)
            yield pl.DataFrame([sqlite.cells(name, given, n_rows, dtype) for (name, dtype), given in cells])
            n_rows += len(rows)


class SqliteTarget(TableTarget):
    """The new table is alone in a private file until it is verified."""

    def __init__(self, uri: Uri, room: Room, force: bool) -> None:
        self.uri, self.force, self._folder = uri, force, room.folder
        self._connection: sqlite3.Connection | None = None

    def write(self, rows: Rows, shown: Sequence[str], given: object) -> None:
        with sqlite.told(self.uri, WriteError):
            self._fill(rows)

    def _fill(self, rows: Rows) -> None:
        """Into a new file; the one before, if there is one, is removed afterwards."""
        before, self._path = self._connection, self._folder / f"{secrets.token_hex(6)}.db"
        connection = sqlite.connect(self._path, "rwc")
        try:
            self.schema = _filled(connection, KEPT, rows)
        finally:
            self._connection = connection
            if before is not None:
                before.close()

    def rows(self) -> Rows:
        assert self._connection is not None
        return _stretches(self._connection, self.uri, f"SELECT * FROM {KEPT} ORDER BY rowid", self.schema)

    def sort(self, arranged: Callable[[Rows], Rows]) -> None:
        old = self._path
        with sqlite.told(self.uri, WriteError):
            self._fill(arranged(self.rows()))
        old.unlink()

    def publish(self, sha256: str) -> None:
        if Path(self.uri.path).exists():
            self._copy(sha256)
            return
        assert self._connection is not None
        with sqlite.told(self.uri, WriteError):
            if self.uri.table != KEPT:
                self._connection.execute(f"ALTER TABLE {KEPT} RENAME TO {quoted(str(self.uri.table))}")
            self._connection.close()
        place_part(self._path, self.uri.path, force=False)

    def _copy(self, sha256: str) -> None:
        """Into a database that exists, in one transaction: whoever opens it after a crash has the old table."""
        with sqlite.told(self.uri, WriteError):
            connection = sqlite.connect(Path(self.uri.path), "rw")
            try:
                sqlite.replace_by(connection, self.uri, self.schema, self._copied(connection, sha256), self.force)
            finally:
                connection.close()

    def _copied(self, connection: sqlite3.Connection, sha256: str) -> Callable[[str], None]:
        def fill(part: str) -> None:
            for frame in self.rows():
                sqlite.insert(connection, part, frame)
            check_told(_stretches(connection, self.uri, f"SELECT * FROM {quoted(part)} ORDER BY rowid", self.schema), sha256)

        return fill

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()


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
            sqlite.create(connection, table, schema)
        sqlite.insert(connection, table, cells)
    connection.execute("COMMIT")
    return schema


def n_bytes(uri: Uri) -> float:
    """About how many bytes the rows have as a frame; what the file says, without reading it."""
    with sqlite.told(uri, DataError):
        connection = sqlite.connect(check_input(uri.path), "ro")
        try:
            origin = sqlite.source_of(connection, uri)
            sample = connection.execute(f"SELECT * FROM {origin} LIMIT 1000").fetchall()
            size = sum(len(str(cell)) + 1 for row in sample for cell in row)
            return float(size) if len(sample) < 1000 else size / 1000 * _n_rows(connection, uri)
        finally:
            connection.close()


def _n_rows(connection: sqlite3.Connection, uri: Uri) -> float:
    """The greatest row number, which is found at once; of what has none, rows of ten bytes that fill the file."""
    try:
        return float(connection.execute(f"SELECT max(rowid) FROM {quoted(str(uri.table))}").fetchone()[0] or 0)
    except (sqlite3.Error, TypeError):
        return Path(uri.path).stat().st_size / 10
