"""A table of DuckDB: alone in a private file until it is verified, which then becomes the file, or is copied into the one that is there, in one transaction.

DuckDB does not overwrite what is deleted. So a table is replaced only where it is alone in its file, which is then made anew; a table that is added to a file leaves the others as they are.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

from shoal.disk.atomic import check_place, place_part
from shoal.disk.spill import Spill
from shoal.errors import WriteError
from shoal.io.addresses import Uri, same_file
from shoal.io.ahead import ahead
from shoal.io.sql import duckdb
from shoal.io.sql.names import quoted
from shoal.io.target import Rows, Target, check_told, told_of


class DuckdbTarget(Target):
    """By an address, or by a connection that is open."""

    def __init__(self, uri: Uri, connection: Any = None, *, force: bool = False, memory: int | None = None) -> None:
        self.uri, self.name, self.given, self.force, self.memory = uri, uri.name, connection, force, memory
        self.table = str(uri.table)
        self._open = ExitStack()

    def check(self, inputs: Iterable[object] = ()) -> None:
        if self.uri.table is None:
            raise WriteError("A release is written to a table, not to a query: name it with table=.")
        if self.given is not None:
            with duckdb.told(self.uri, WriteError):
                _refuse_known(self.given, self.table)
            return
        if any(same_file(self.uri, given) for given in inputs):
            raise WriteError(
                f"'{self.uri.path}' holds the original. Write to another file: whoever gets this one would get the original with the release."
            )
        check_place(self.uri.path)
        if Path(self.uri.path).exists():
            with duckdb.told(self.uri, WriteError), closing(duckdb.connect(Path(self.uri.path), read_only=False)) as connection:
                _check_free(connection, self.uri, self.force)

    def write(self, rows: Rows, shown: Sequence[str] = (), given: object = None) -> None:
        spill = Spill(None if self.given is not None else Path(os.path.realpath(self.uri.path)).parent)
        self._open.callback(spill.remove)
        self._path = spill.folder / "new.duckdb"
        with duckdb.told(self.uri, WriteError):
            made = duckdb.connect(self._path, read_only=False, folder=None if self.memory is None else spill.folder, memory=self.memory)
            self._connection = self._open.enter_context(closing(made))
            made.execute("BEGIN")
            for number, frame in enumerate(rows):
                duckdb.insert(made, self.table, duckdb.cells_of(frame, shown), is_new=number == 0)
            made.execute("COMMIT")
            made.execute("CHECKPOINT")

    def rows(self) -> Rows:
        return ahead(self._rows(self._connection))

    def _rows(self, connection: Any) -> Rows:
        with duckdb.told(self.uri, WriteError):
            yield from duckdb.frames_of(connection.sql(f"SELECT * FROM {quoted(self.table)}"))

    def publish(self, sha256: str | None) -> None:
        if self.given is not None:
            with duckdb.told(self.uri, WriteError):
                _refuse_known(self.given, self.table)
                self._copy(self.given, sha256)
            return
        if Path(self.uri.path).exists():
            with duckdb.told(self.uri, WriteError), closing(duckdb.connect(Path(self.uri.path), read_only=False)) as connection:
                if not _check_free(connection, self.uri, self.force):
                    self._copy(connection, sha256)
                    return
        self._connection.close()
        place_part(self._path, self.uri.path, force=self.force)

    def _copy(self, connection: Any, sha256: str | None) -> None:
        """Into a database that has other tables, in one transaction."""

        def fill() -> None:
            for number, frame in enumerate(self._rows(self._connection)):
                duckdb.insert(connection, self.table, frame, is_new=number == 0)
            check_told(self._rows(connection), sha256 or told_of(self.rows()))

        duckdb.in_transaction(connection, fill)

    def close(self) -> None:
        self._open.close()


def _refuse_known(connection: Any, table: str) -> None:
    """By a connection that is open, a table is only added."""
    if table.lower() in {name.lower() for name in duckdb.tables_of(connection)}:
        raise WriteError(f"The table '{table}' exists already, and DuckDB keeps in a file what is deleted. Choose another name.")


def _check_free(connection: Any, uri: Uri, force: bool) -> bool:
    """Whether the file has the table, which may then be replaced with its file."""
    found = connection.execute("SELECT lower(table_name), table_type FROM information_schema.tables").fetchall()
    if str(uri.table).lower() not in dict(found):
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
