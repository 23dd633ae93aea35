"""Tables of PostgreSQL in stretches: one connection reads, at one moment; another writes, in one transaction that ends when the release is published.

The two may be of different servers. Cells are PostgreSQL's texts, so the server counts them as they are.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from itertools import chain, islice
from typing import Any

import polars as pl

from shoal.errors import DataError, NotAnonymous, WriteError
from shoal.io import csv
from shoal.io import postgres_writing as writing
from shoal.io.databases import quoted
from shoal.io.encoding import to_utf8
from shoal.io.postgres import columns_of, connecting, source_of, texts_from, told
from shoal.io.table_rows import STRETCH, Room, Rows, TableSource, TableTarget
from shoal.io.uris import Uri
from shoal.judge.counts import N, label

OF_A_ROW = 40
"""Bytes that a row has beside its cells, about."""
MOST = 90
"""Arguments of a function of PostgreSQL; it takes a few more."""
LOST = "Sorting the rows on the server gave other rows. Nothing was written; please report this."


class PostgresSource(TableSource):
    """What the server had when the run began."""

    def __init__(self, uri: Uri, room: Room) -> None:
        self.uri, self.name = uri, uri.name
        self._open = ExitStack()
        try:
            self._connection = self._open.enter_context(connecting(uri))
            with told(uri, DataError):
                self._origin = source_of(self._connection, uri)
                self.given = columns_of(self._connection, self._origin, uri.name)
            self.columns = tuple(self.given.types)
        except BaseException:
            self._open.close()
            raise

    def rows(self, names: Sequence[str], most: int | None = None) -> Rows:
        return _rows(self._connection, self.uri, texts_from(names, self._origin) + ("" if most is None else f" LIMIT {most}"), names)

    def counted(self, names: Sequence[str]) -> Rows:
        return _counted(self._connection, self.uri, names, self._origin)

    def close(self) -> None:
        self._open.close()


class PostgresTarget(TableTarget):
    """The new table is of a transaction that is not ended, so nobody else sees it, and the server forgets it if anything goes wrong."""

    def __init__(self, uri: Uri, room: Room, force: bool) -> None:
        self.uri, self.force = uri, force
        self._open = ExitStack()

    def write(self, rows: Rows, shown: Sequence[str], given: object) -> None:
        self._connection = self._open.enter_context(connecting(self.uri, read_only=False))
        first = next(rows)
        self._schema, self._kinds = first.schema, writing.types_for(first, shown, given)
        with told(self.uri, WriteError):
            self._place, self._part = writing.begin(self._connection, self.uri, self._kinds)
            writing.fill(self._connection, self._part, first.columns, (writing.texts_of(frame) for frame in chain([first], rows)))

    def rows(self) -> Rows:
        names = list(self._kinds)
        numbers = {name: dtype for name, dtype in self._schema.items() if dtype.is_float()}
        for frame in _rows(self._connection, self.uri, texts_from(names, self._part), names):
            yield frame.cast(numbers) if numbers else frame  # type: ignore[arg-type]

    def counted(self, names: Sequence[str]) -> Rows:
        return _counted(self._connection, self.uri, names, self._part)

    def sort(self, arranged: Callable[[Rows], Rows]) -> None:
        """On the server, into another new table, which must then have the same rows: the server compares them, however often each is there."""
        schema, unsorted = self._place[0], self._part
        cells = [quoted(name) for name in self._kinds]
        self._part = f"{quoted(schema)}.{quoted(f'shoal part {secrets.token_hex(6)}')}"
        with told(self.uri, WriteError):
            writing.create(self._connection, self._part, self._kinds)
            order = ", ".join(self._key(name) for name in self._kinds)
            self._connection.execute(f"INSERT INTO {self._part} SELECT * FROM {unsorted} ORDER BY {order}".encode())
            one, other = (f"SELECT {', '.join(f'{cell}::text' for cell in cells)} FROM {part}" for part in (unsorted, self._part))
            lost = f"SELECT (SELECT count(*) FROM {unsorted}) - (SELECT count(*) FROM {self._part}), EXISTS (({one}) EXCEPT ALL ({other}))"
            found = self._connection.execute(lost.encode()).fetchone()
            if found != (0, False):
                raise NotAnonymous(LOST)
            self._connection.execute(f"DROP TABLE {unsorted}".encode())

    def _key(self, name: str) -> str:
        """Numbers by their size and all else by its text, as in memory."""
        is_number = self._schema[name].is_numeric()
        return f"{quoted(name)} NULLS LAST" if is_number else f'{quoted(name)}::text COLLATE "C" NULLS LAST'

    def publish(self, sha256: str) -> None:
        with told(self.uri, WriteError):
            writing.replace_by(self._connection, self.uri, self._part, list(self._kinds), self._place, self.force)
            writing.commit(self._connection, self.uri)

    def close(self) -> None:
        self._open.close()


def _rows(connection: Any, uri: Uri, statement: str, names: Sequence[str]) -> Rows:
    """What a statement gives, in stretches.

    The server makes a line of CSV of each row, and a cursor fetches many of them at once. COPY hands over a row at a time, for which Python takes as long as for all else.
    """
    header = ",".join('"' + name.replace('"', '""') + '"' for name in names)
    asked = f"SELECT {line_of(names)} FROM (\n{statement}\n) AS asked"
    with told(uri, DataError), connection.cursor(name=f"shoal {secrets.token_hex(6)}") as cursor:
        cursor.execute(asked.encode())
        while lines := cursor.fetchmany(STRETCH):
            text = "\n".join([header, *(line for (line,) in lines), ""]).encode()
            yield csv.parse(to_utf8(text, uri.name, "utf-8")[0], uri.name, ",").frame


def _by_copy(connection: Any, uri: Uri, statement: str, names: Sequence[str]) -> Rows:
    """The same, a row at a time: for statements in which the server is to use all its cores, which it does for no cursor."""
    header = (",".join('"' + name.replace('"', '""') + '"' for name in names) + "\n").encode()
    with told(uri, DataError), connection.cursor() as cursor, cursor.copy(f"COPY ({statement}) TO STDOUT (FORMAT csv)".encode()) as copy:
        pieces = iter(copy)
        while stretch := list(islice(pieces, STRETCH)):
            yield csv.parse(to_utf8(b"".join([header, *stretch]), uri.name, "utf-8")[0], uri.name, ",").frame


def line_of(names: Sequence[str]) -> str:
    """The expression that is a row as a line of CSV: every cell in quotes, a missing one empty. A function takes at most a hundred arguments."""
    parts = [f"""coalesce('"' || replace({quoted(name)}, '"', '""') || '"', '')""" for name in names]
    while len(parts) > 1:
        parts = [f"concat_ws(',', {', '.join(parts[start : start + MOST])})" for start in range(0, len(parts), MOST)]
    return parts[0]


def _counted(connection: Any, uri: Uri, names: Sequence[str], origin: str) -> Rows:
    """The different rows over some columns, as texts, counted by the server."""
    cells = [f"{quoted(name)}::text AS {label(j)}" for j, name in enumerate(names)]
    statement = f"SELECT {', '.join(cells)}, count(*) AS {N} FROM {origin} GROUP BY {', '.join(str(j + 1) for j in range(len(names)))}"
    with told(uri, DataError):
        connection.execute(b"SET LOCAL max_parallel_workers_per_gather TO DEFAULT")
    for frame in _by_copy(connection, uri, statement, [*(label(j) for j in range(len(names))), N]):
        yield frame.cast({N: pl.Int64})
    with told(uri, DataError):
        connection.execute(b"SET LOCAL max_parallel_workers_per_gather TO 0")  # else rows would come in any order


def n_bytes(uri: Uri) -> float:
    """About how many bytes the rows have, as far as the server knows before they are read."""
    with connecting(uri) as connection, told(uri, DataError):
        plan = connection.execute(f"EXPLAIN (FORMAT JSON) SELECT * FROM {source_of(connection, uri)}".encode()).fetchone()
    about = plan[0][0]["Plan"] if plan is not None else {}
    return float(about.get("Plan Rows", 0) * (about.get("Plan Width", 0) + OF_A_ROW))
