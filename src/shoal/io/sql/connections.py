"""Tables by a connection that is open already: of psycopg, sqlite3 or duckdb, with the rights and the moment that it has.

shoal.anonymize(shoal.source(connection, table="people"), quasi_identifiers=["age"])
release.write(shoal.source(connection, table="release"))
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from shoal.errors import DataError
from shoal.io.addresses import Uri, bare_name

SCHEMES = {"psycopg": "postgresql", "sqlite3": "sqlite", "duckdb": "duckdb", "_duckdb": "duckdb"}


@dataclass(frozen=True)
class ByConnection:
    """A table or a query, and the connection by which it is reached."""

    connection: Any
    uri: Uri


def source(connection: Any, *, table: str | None = None, query: str | None = None) -> ByConnection:
    """A table or a query of an open connection (psycopg, sqlite3, duckdb), for whatever takes a table; with ``table`` also a place to write a release to."""
    scheme = SCHEMES.get(type(connection).__module__.partition(".")[0])
    if scheme is None or not hasattr(connection, "execute") or not hasattr(connection, "close"):
        raise DataError(
            f"shoal takes connections of psycopg, sqlite3 and duckdb, not a {type(connection).__name__}. Give an address or a dataframe."
        )
    if (table is None) == (query is None):
        raise DataError("Say which table, or which query: source(connection, table='people').")
    named = table if table is None or scheme == "postgresql" else bare_name(table)
    return ByConnection(connection, Uri("the connection", named, query, scheme))
