"""A table or a query of SQLite, at one moment: all statements are of one transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import cached_property
from pathlib import Path

import polars as pl

from shoal.errors import DataError
from shoal.io.addresses import Uri
from shoal.io.ahead import ahead
from shoal.io.paths import check_input
from shoal.io.source import ROWS, Source, Stretch
from shoal.io.sql import sqlite
from shoal.io.sql.names import quoted

TYPES = {frozenset(["integer"]): pl.Int64(), frozenset(["real"]): pl.Float64()}
SAMPLE = 1000


class SqliteSource(Source):
    """By an address, or by a connection that is open; that one is left as it was."""

    def __init__(self, uri: Uri, connection: sqlite3.Connection | None = None, memory: int | None = None) -> None:
        self.uri, self.name, self._is_own = uri, uri.name, connection is None
        self._open = ExitStack()
        try:
            with sqlite.told(uri, DataError):
                self._connection = self._begun(connection)
                self._origin = sqlite.source_of(self._connection, uri)
                self._is_table = uri.query is None and sqlite.is_table(self._connection, str(uri.table))
                asked = self._connection.execute(self._statement(()))  # it is begun, and no row of it is read
                self._names = sqlite.names_of(asked, self.name)
                asked.close()
        except BaseException:
            self.close()
            raise

    def _begun(self, given: sqlite3.Connection | None) -> sqlite3.Connection:
        """A connection in a transaction in which nothing can be written."""
        if given is None:
            own = sqlite.connect(check_input(self.uri.path), "ro")
            self._open.callback(own.close)
            own.execute("BEGIN")
            return own
        self._open.enter_context(sqlite.exact_texts(given))
        self._open.enter_context(_only_reading(given))
        if not given.in_transaction:
            given.execute("BEGIN")
            self._open.callback(given.execute, "ROLLBACK")
        return given

    def _statement(self, names: Sequence[str]) -> str:
        """A table is read without its indexes, and a query or a view as a whole: some columns alone might come from an index, in another order."""
        if self.uri.query is not None:
            return self.uri.query
        cells = ", ".join(quoted(name) for name in names) or "*"
        return f"SELECT {cells} FROM {self._origin} NOT INDEXED" if self._is_table else f"SELECT * FROM {self._origin}"

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(self._names)

    @cached_property
    def _schema(self) -> dict[str, pl.DataType]:
        with sqlite.told(self.uri, DataError):
            return _schema(self._connection, self._origin, self._names)

    def _read(self, names: Sequence[str] | None, most: int | None) -> Iterator[Stretch]:
        asked = self._names if names is None else list(names)
        found = self._stretches(asked)
        yield from ahead(found) if self._is_own else found

    def _stretches(self, names: Sequence[str]) -> Iterator[Stretch]:
        there = names if self._is_table else self._names
        place = [there.index(name) for name in names]
        with sqlite.told(self.uri, DataError):
            cursor, first = self._connection.execute(self._statement(there)), 0
            while rows := cursor.fetchmany(ROWS):
                columns = list(zip(*rows, strict=True))
                cells = [sqlite.cells(name, columns[j], first, self._schema[name]) for name, j in zip(names, place, strict=True)]
                yield Stretch(pl.DataFrame(cells), first)
                first += len(rows)
        if first == 0:
            raise DataError(f"{self.name} has no rows.")

    def n_bytes(self) -> float | None:
        """What the file says, without reading it."""
        if not self._is_own:
            return None
        with sqlite.told(self.uri, DataError):
            sample = self._connection.execute(f"SELECT * FROM {self._origin} LIMIT {SAMPLE}").fetchall()
            size = sum(len(str(cell)) + 1 for row in sample for cell in row)
            return float(size) if len(sample) < SAMPLE else size / SAMPLE * self._n_rows()

    def _n_rows(self) -> float:
        """The greatest row number, which is found at once; of what has none, rows of ten bytes that fill the file."""
        try:
            found = self._connection.execute(f"SELECT max(rowid) FROM {self._origin}").fetchone()[0] if self._is_table else None
        except sqlite3.Error:
            found = None
        return float(found or Path(self.uri.path).stat().st_size / 10)

    def close(self) -> None:
        self._open.close()


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


@contextmanager
def _only_reading(connection: sqlite3.Connection) -> Iterator[None]:
    """SQLite takes DELETE … RETURNING, also after WITH, for a statement that gives rows: nothing can be written meanwhile."""
    (before,) = connection.execute("PRAGMA query_only").fetchone()
    connection.execute("PRAGMA query_only = ON")
    try:
        yield
    finally:
        connection.execute(f"PRAGMA query_only = {int(before)}")
