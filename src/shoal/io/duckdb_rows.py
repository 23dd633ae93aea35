"""Tables of DuckDB files in stretches: read in one snapshot, written to a private file that becomes the target, or is copied into it in one transaction."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import polars as pl

from shoal.disk.atomic import place_part
from shoal.errors import DataError, WriteError
from shoal.io import duckdb
from shoal.io.databases import quoted
from shoal.io.source import check_input
from shoal.io.table_rows import STRETCH, Room, Rows, TableSource, TableTarget, check_told
from shoal.io.uris import Uri

KEPT = "release"
SAMPLE = 1000


class DuckdbSource(TableSource):
    """All statements are of one transaction, so they see one moment."""

    def __init__(self, uri: Uri, room: Room) -> None:
        self.uri, self.name = uri, uri.name
        with duckdb.told(uri, DataError):
            self._connection = duckdb.connect(check_input(uri.path), read_only=True, room=room)
            try:
                self._connection.execute("BEGIN")
                self._origin = duckdb.source_of(self._connection, uri)
                self.columns = tuple(duckdb.cells_from(self._relation(), uri.name))
            except BaseException:
                self._connection.close()
                raise

    def _relation(self) -> Any:
        return self._connection.sql(f"SELECT * FROM {self._origin} AS asked")

    def rows(self, names: Sequence[str], most: int | None = None) -> Rows:
        with duckdb.told(self.uri, DataError):
            cells = duckdb.cells_from(self._relation(), self.uri.name)
            asked = self._relation().project(", ".join(cells[name] for name in names))
            yield from _stretches(asked if most is None else asked.limit(most))

    def close(self) -> None:
        self._connection.close()


def _stretches(relation: Any) -> Rows:
    import pyarrow as pa

    for batch in relation.to_arrow_reader(STRETCH):
        frame = pl.from_arrow(pa.Table.from_batches([batch]))
        assert isinstance(frame, pl.DataFrame)
        yield frame


class DuckdbTarget(TableTarget):
    """The new table is alone in a private file until it is verified."""

    def __init__(self, uri: Uri, room: Room, force: bool) -> None:
        self.uri, self.force, self.room = uri, force, room
        self._connection: Any = None

    def write(self, rows: Rows, shown: Sequence[str], given: object) -> None:
        self._shown = shown
        with duckdb.told(self.uri, WriteError):
            self._fill(rows)

    def _fill(self, rows: Rows) -> None:
        """Into a new file; the one before, if there is one, is closed afterwards."""
        before, self._path = self._connection, self.room.folder / f"{secrets.token_hex(6)}.duckdb"
        connection = duckdb.connect(self._path, read_only=False, room=self.room)
        try:
            connection.execute("BEGIN")
            for number, frame in enumerate(rows):
                duckdb.insert(connection, str(self.uri.table), duckdb.cells_of(frame, self._shown), is_new=number == 0)
            connection.execute("COMMIT")
            connection.execute("CHECKPOINT")
        finally:
            self._connection = connection
            if before is not None:
                before.close()

    def rows(self) -> Rows:
        with duckdb.told(self.uri, DataError):
            yield from _stretches(self._connection.sql(f"SELECT * FROM {quoted(str(self.uri.table))}"))

    def sort(self, arranged: Callable[[Rows], Rows]) -> None:
        old = self._path
        with duckdb.told(self.uri, WriteError):
            self._fill(arranged(self.rows()))
        old.unlink()

    def publish(self, sha256: str) -> None:
        place = Path(self.uri.path)
        if place.exists():
            with duckdb.told(self.uri, WriteError), closing(duckdb.connect(place, read_only=False)) as connection:
                if not duckdb.check_free(connection, self.uri, self.force):
                    self._copy(connection, sha256)
                    return
        self._connection.close()
        place_part(self._path, self.uri.path, force=self.force)

    def _copy(self, connection: Any, sha256: str) -> None:
        """Into a database that has other tables, in one transaction."""
        name = str(self.uri.table)

        def fill() -> None:
            for number, frame in enumerate(self.rows()):
                duckdb.insert(connection, name, frame, is_new=number == 0)
            check_told(_stretches(connection.sql(f"SELECT * FROM {quoted(name)}")), sha256)

        duckdb.in_transaction(connection, fill)

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()


def n_bytes(uri: Uri) -> float:
    """About how many bytes the rows have as a frame; what the file says, without reading it."""
    with duckdb.told(uri, DataError), closing(duckdb.connect(check_input(uri.path), read_only=True)) as connection:
        relation = connection.sql(f"SELECT * FROM {duckdb.source_of(connection, uri)} AS asked LIMIT {SAMPLE}")
        sample = duckdb.frame_of(relation, uri.name)
        if sample.height < SAMPLE:
            return float(sample.estimated_size())
        found = connection.execute("SELECT estimated_size FROM duckdb_tables() WHERE table_name = ?", [uri.table]).fetchall()
        n_rows = float(found[0][0]) if found else Path(uri.path).stat().st_size / 4
        return sample.estimated_size() / SAMPLE * n_rows
