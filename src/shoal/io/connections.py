"""Tables by a connection that is open already: of psycopg, sqlite3 or duckdb, with the rights and the moment that it has.

shoal.anonymize(shoal.source(connection, table="people"), quasi_identifiers=["age"])
release.write(shoal.source(connection, table="release"))
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import polars as pl

from shoal.errors import DataError, WriteError
from shoal.io.uris import Uri, bare_name, check_query
from shoal.judge.verdict import Verdict
from shoal.table.table import Table

SCHEMES = {"psycopg": "postgresql", "sqlite3": "sqlite", "duckdb": "duckdb", "_duckdb": "duckdb"}
BUSY = "The connection is in a transaction. Commit it or roll it back first: the release is written in a transaction of its own."


@dataclass(frozen=True)
class Source:
    """A table or a query, and the connection by which it is reached."""

    connection: Any
    uri: Uri


def source(connection: Any, *, table: str | None = None, query: str | None = None) -> Source:
    """A table or a query of an open connection (psycopg, sqlite3, duckdb), for whatever takes a table; with ``table`` also a place to write a release to."""
    scheme = SCHEMES.get(type(connection).__module__.partition(".")[0])
    if scheme is None or not hasattr(connection, "execute") or not hasattr(connection, "close"):
        raise DataError(
            f"shoal takes connections of psycopg, sqlite3 and duckdb, not a {type(connection).__name__}. Give an address or a dataframe."
        )
    if (table is None) == (query is None):
        raise DataError("Say which table, or which query: source(connection, table='people').")
    named = table if table is None or scheme == "postgresql" else bare_name(table)
    return Source(connection, Uri("the connection", named, query, scheme))


def read_source(given: Source) -> Table:
    """The rows of one statement. The connection is left as it was."""
    uri = given.uri
    check_query(uri)
    if uri.scheme == "postgresql":
        return _from_postgres(given)
    if uri.scheme == "sqlite":
        from shoal.io import sqlite

        with sqlite.told(uri, DataError), _exact_texts(given.connection), _only_reading(given.connection):
            frame = sqlite.read_from(given.connection, uri)
    else:
        from shoal.io import duckdb

        with duckdb.told(uri, DataError):
            frame = duckdb.read_from(given.connection, uri)
    if frame.height == 0:
        raise DataError(f"{uri.name} has no rows.")
    return Table(frame, kind="path", source=uri.name)


def _from_postgres(given: Source) -> Table:
    from shoal.io import postgres

    with postgres.told(given.uri, DataError), given.connection.transaction(force_rollback=True):  # so that settings are as before
        postgres.prepare(given.connection)
        return postgres.read_from(given.connection, given.uri)


@contextmanager
def _only_reading(connection: Any) -> Iterator[None]:
    """SQLite takes DELETE … RETURNING, also after WITH, for a statement that gives rows: nothing can be written meanwhile."""
    (before,) = connection.execute("PRAGMA query_only").fetchone()
    connection.execute("PRAGMA query_only = ON")
    try:
        yield
    finally:
        connection.execute(f"PRAGMA query_only = {int(before)}")


@contextmanager
def _exact_texts(connection: Any) -> Iterator[None]:
    """Texts that are no UTF-8 are found by us: SQLite's own error would show the cell."""
    from shoal.io import sqlite

    before = connection.text_factory, connection.row_factory
    connection.text_factory, connection.row_factory = sqlite.decoded, None
    try:
        yield
    finally:
        connection.text_factory, connection.row_factory = before


def write_source(frame: pl.DataFrame, to: Source, verdict: Verdict, *, given: object = None, force: bool = False) -> None:
    """Write a verified frame to a table, in a transaction of its own."""
    uri = to.uri
    if uri.table is None:
        raise WriteError("A release is written to a table, not to a query: source(connection, table='release').")
    if uri.scheme == "postgresql":
        _to_postgres(frame, to, verdict, given, force)
    elif uri.scheme == "sqlite":
        from shoal.io import sqlite

        if to.connection.in_transaction:
            raise WriteError(BUSY)
        with sqlite.told(uri, WriteError), _exact_texts(to.connection):
            sqlite.replace_table(to.connection, sqlite.cells_of(frame), uri, verdict, force)
    else:
        from shoal.io import duckdb

        with duckdb.told(uri, WriteError):
            duckdb.add_by(to.connection, frame, uri, verdict)


def _to_postgres(frame: pl.DataFrame, to: Source, verdict: Verdict, given: object, force: bool) -> None:
    from shoal.io import postgres
    from shoal.io import postgres_writing as writing

    if to.connection.info.transaction_status.name != "IDLE":
        raise WriteError(BUSY)
    with postgres.told(to.uri, WriteError), to.connection.transaction():
        postgres.prepare(to.connection)
        writing.write_to(to.connection, frame, to.uri, verdict, writing.types_for(frame, verdict.quasi_identifiers, given), force)
