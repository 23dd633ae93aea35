"""Who reads what is given, and who writes to a place."""

from __future__ import annotations

import os
from typing import Any

from shoal import registry
from shoal.disk.atomic import check_place
from shoal.errors import DataError, WriteError
from shoal.io import addresses
from shoal.io.endings import form_of
from shoal.io.paths import check_input
from shoal.io.source import Source
from shoal.io.sources import frames
from shoal.io.sources.folders import is_many
from shoal.io.sources.parquet import ParquetSource
from shoal.io.sources.text import TextSource
from shoal.io.sources.whole import WholeFile, is_foreign
from shoal.io.sql.connections import ByConnection
from shoal.io.target import Target
from shoal.table.table import Table

SOURCES = {
    "duckdb": "shoal.io.sources.duckdb:DuckdbSource",
    "postgresql": "shoal.io.sources.postgres:PostgresSource",
    "sqlite": "shoal.io.sources.sqlite:SqliteSource",
}
TARGETS = {
    "duckdb": "shoal.io.targets.duckdb:DuckdbTarget",
    "postgresql": "shoal.io.targets.postgres:PostgresTarget",
    "sqlite": "shoal.io.targets.sqlite:SqliteTarget",
}


def open_source(data: object, *, delimiter: str | None = None, encoding: str | None = None, memory: int | None = None) -> Source:
    """The table in a path (``-`` for standard input), at an address (``sqlite:///people.db?table=people``), behind a connection (``shoal.source``), or in a dataframe.

    A text file's delimiter (comma, semicolon, tab, pipe) and encoding are detected unless they are given. ``memory`` is what a database may take in this process.
    """
    if isinstance(data, str | os.PathLike):
        uri = addresses.parse(data)
        return _in_file(data, delimiter, encoding) if uri is None else _in_database(uri, None, memory)
    if isinstance(data, ByConnection):
        return _in_database(data.uri, data.connection, memory)
    return frames.TableSource(data if isinstance(data, Table) else frames.take(data))


def _in_file(path: str | os.PathLike[str], delimiter: str | None, encoding: str | None) -> Source:
    name = os.fspath(path)
    if is_foreign(path):
        return WholeFile(path)
    if name != "-" and not is_many(name):
        check_input(path)
        if form_of(name).kind == "csv":
            return TextSource(path, delimiter, encoding)
    return TextSource(path, delimiter, encoding) if name == "-" else ParquetSource(path)


def _in_database(uri: addresses.Uri, connection: Any, memory: int | None) -> Source:
    addresses.check_query(uri)
    made: Source = registry.load(SOURCES[uri.scheme])(uri, connection, memory)
    return made


def read(data: object, *, delimiter: str | None = None, encoding: str | None = None) -> Table:
    """All of a table, in memory: see :func:`open_source`. A :class:`Table` as it is."""
    with open_source(data, delimiter=delimiter, encoding=encoding) as source:
        return source.held()


def open_target(
    place: str | os.PathLike[str] | ByConnection,
    *,
    delimiter: str = ",",
    spreadsheet_safe: bool = False,
    force: bool = False,
    private: bool = False,
    memory: int | None = None,
) -> Target:
    """A place by its ending: ``.csv``, ``.tsv``, ``.txt`` (each also ``.gz``), ``.parquet``, ``-`` for CSV on standard output; a table at an address, or behind a connection.

    ``spreadsheet_safe`` puts a ``'`` before cells that a spreadsheet would take for a formula. Without ``force``, what exists is not replaced. Only its owner may read a ``private`` file.
    """
    uri = place.uri if isinstance(place, ByConnection) else addresses.parse(place)
    if uri is not None:
        if spreadsheet_safe:
            raise WriteError("--spreadsheet-safe is for files that a spreadsheet opens. Leave it out for a database.")
        connection = place.connection if isinstance(place, ByConnection) else None
        made: Target = registry.load(TARGETS[uri.scheme])(uri, connection, force=force, memory=memory)
        return made
    check_place(str(place))
    try:
        form = form_of(os.fspath(place))  # type: ignore[arg-type]
    except DataError as error:
        raise WriteError(str(error)) from None
    how: dict[str, Any] = {"spreadsheet_safe": spreadsheet_safe, "force": force, "private": private}
    if form.kind == "parquet":
        from shoal.io.targets.parquet import ParquetTarget

        return ParquetTarget(place, **how)  # type: ignore[arg-type]
    from shoal.io.targets.text import TextTarget

    return TextTarget(place, delimiter=delimiter, **how)  # type: ignore[arg-type]
