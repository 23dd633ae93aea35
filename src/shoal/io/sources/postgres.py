"""A table or a query of PostgreSQL, at one moment. Cells are the server's texts, so it counts them as they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from typing import Any

import polars as pl

from shoal.errors import DataError
from shoal.io.addresses import Uri
from shoal.io.ahead import ahead
from shoal.io.source import Source, Stretch
from shoal.io.sql import postgres
from shoal.io.sql.postgres import told

OF_A_ROW = 40
"""Bytes that a row has beside its cells, about."""


class PostgresSource(Source):
    """By an address, or by a connection that is open; what that one has begun is not ended."""

    given: postgres.ServerTypes

    def __init__(self, uri: Uri, connection: Any = None, memory: int | None = None) -> None:
        self.uri, self.name, self._is_own = uri, uri.name, connection is None
        self._open = ExitStack()
        try:
            with told(uri, DataError):
                self._connection = self._open.enter_context(postgres.connecting(uri)) if connection is None else self._borrowed(connection)
                self._origin = postgres.source_of(self._connection, uri)
                self.given = postgres.columns_of(self._connection, self._origin, uri.name)
        except BaseException:
            self.close()
            raise

    def _borrowed(self, connection: Any) -> Any:
        """In a transaction that is rolled back, so that its settings are as before."""
        is_first = connection.info.transaction_status.name == "IDLE"
        self._open.enter_context(connection.transaction(force_rollback=True))
        if is_first:
            connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        postgres.prepare(connection)
        return connection

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(self.given.types)

    def _read(self, names: Sequence[str] | None, most: int | None) -> Iterator[Stretch]:
        found = self._stretches(self.columns if names is None else names, most)
        yield from ahead(found) if self._is_own else found

    def _stretches(self, names: Sequence[str], most: int | None) -> Iterator[Stretch]:
        first, limit = 0, "" if most is None else f" LIMIT {most}"
        for frame in postgres.rows_of(self._connection, self.uri, postgres.texts_from(names, self._origin) + limit, names):
            yield Stretch(frame, first)
            first += frame.height
        if first == 0:
            raise DataError(f"{self.name} has no rows.")

    def counted(self, names: Sequence[str]) -> Iterator[pl.DataFrame]:
        return postgres.counted_by(self._connection, self.uri, names, self._origin)

    def n_bytes(self) -> float | None:
        """As far as the server knows before they are read."""
        if not self._is_own:
            return None
        with told(self.uri, DataError):
            plan = self._connection.execute(f"EXPLAIN (FORMAT JSON) SELECT * FROM {self._origin}".encode()).fetchone()
        about = plan[0][0]["Plan"] if plan is not None else {}
        return float(about.get("Plan Rows", 0) * (about.get("Plan Width", 0) + OF_A_ROW))

    def close(self) -> None:
        self._open.close()
