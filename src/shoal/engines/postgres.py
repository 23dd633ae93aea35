"""From a table of PostgreSQL to another: the server counts, and rows pass through in stretches, by COPY from one connection to the other.

One connection reads, at one moment; the other writes, in one transaction that ends when the release is published. The two may be of different servers.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from itertools import islice
from typing import Any

import polars as pl

from shoal.engines.base import Job, RowEngine
from shoal.engines.choice import refused_when_counting
from shoal.engines.files import limit
from shoal.engines.tables import STRETCH, InTables
from shoal.errors import DataError, NotAnonymous, WriteError
from shoal.io import csv
from shoal.io import postgres_writing as writing
from shoal.io.databases import quoted
from shoal.io.encoding import to_utf8
from shoal.io.postgres import columns_of, connecting, copy_out, source_of, texts_from, told
from shoal.io.uris import Uri, parse
from shoal.release.counting import N, label

BOTH = "The engine 'postgres' reads a table of PostgreSQL and writes another. Leave --engine out for files and other databases."
OF_A_ROW, IN_MEMORY = 40, 6
"""Bytes that a row has beside its cells, about, and bytes that the memory engine takes for each."""
LOST = "Sorting the rows on the server gave other rows. Nothing was written; please report this."


class InPostgres(InTables):
    """One run."""

    def __init__(self, job: Job) -> None:
        super().__init__(job)
        self.uri, self.to = _address(job.data), _address(job.output)
        writing.check_target(self.to, self.uri, force=job.force)
        self._open = ExitStack()
        try:
            self._from = self._open.enter_context(connecting(self.uri))
            with told(self.uri, DataError):
                self._origin = source_of(self._from, self.uri)
                self._types = columns_of(self._from, self._origin, self.uri.name)
            self.source, self.columns = self.uri.name, tuple(self._types.types)
            self.head = next(self._read(self.columns, 1000), pl.DataFrame(schema=dict.fromkeys(self.columns, pl.String)))
            if not self.head.height:
                raise DataError(f"{self.source} has no rows.")
        except BaseException:
            self._open.close()
            raise

    def _read(self, names: Sequence[str], most: int | None = None) -> Iterator[pl.DataFrame]:
        return _rows(self._from, self.uri, texts_from(names, self._origin) + ("" if most is None else f" LIMIT {most}"), names)

    def _count(self, names: Sequence[str]) -> pl.DataFrame:
        return _counted(self._from, self.uri, names, self._origin)

    def _write(self, stretches: Iterator[pl.DataFrame], columns: Sequence[str], shown: Sequence[str]) -> None:
        self._into = self._open.enter_context(connecting(self.to, read_only=False))
        kinds = writing.types_for(pl.DataFrame(schema=dict.fromkeys(columns, pl.String)), shown, self._types)
        with told(self.to, WriteError):
            self._place, self._part = writing.begin(self._into, self.to, kinds)
            writing.fill(self._into, self._part, columns, stretches)
        self._kinds = kinds

    def _read_back(self) -> Iterator[pl.DataFrame]:
        names = list(self._kinds)
        return _rows(self._into, self.to, texts_from(names, self._part), names)

    def _count_back(self, names: Sequence[str]) -> pl.DataFrame:
        return _counted(self._into, self.to, names, self._part)

    def _sort(self) -> None:
        """Into another new table, which must then have the same rows: the server compares them, however often each is there."""
        schema, unsorted = self._place[0], self._part
        texts = [f"{quoted(name)}::text" for name in self._kinds]
        self._part = f"{quoted(schema)}.{quoted(f'shoal part {secrets.token_hex(6)}')}"
        with told(self.to, WriteError):
            writing.create(self._into, self._part, self._kinds)
            order = ", ".join(f'{text} COLLATE "C" NULLS LAST' for text in texts)
            self._into.execute(f"INSERT INTO {self._part} SELECT * FROM {unsorted} ORDER BY {order}".encode())
            one, other = (f"SELECT {', '.join(texts)} FROM {part}" for part in (unsorted, self._part))
            lost = f"SELECT (SELECT count(*) FROM {unsorted}) - (SELECT count(*) FROM {self._part}), EXISTS (({one}) EXCEPT ALL ({other}))"
            found = self._into.execute(lost.encode()).fetchone()
            if found != (0, False):
                raise NotAnonymous(LOST)
            self._into.execute(f"DROP TABLE {unsorted}".encode())

    def _publish(self) -> None:
        with told(self.to, WriteError):
            writing.replace_by(self._into, self.to, self._part, list(self._kinds), self._place, self.job.force)
            writing.commit(self._into, self.to)

    def clean(self) -> None:
        self._open.close()


def _rows(connection: Any, uri: Uri, statement: str, names: Sequence[str]) -> Iterator[pl.DataFrame]:
    """What a statement gives, in stretches. The server sends a message for each row."""
    header = (",".join('"' + name.replace('"', '""') + '"' for name in names) + "\n").encode()
    with told(uri, DataError), connection.cursor() as cursor, cursor.copy(f"COPY ({statement}) TO STDOUT (FORMAT csv)".encode()) as copy:
        pieces = iter(copy)
        while stretch := list(islice(pieces, STRETCH)):
            text = b"".join([header, *stretch])
            yield csv.parse(to_utf8(text, uri.name, "utf-8")[0], uri.name, ",").frame


def _counted(connection: Any, uri: Uri, names: Sequence[str], origin: str) -> pl.DataFrame:
    """The different rows over some columns, as texts, counted by the server."""
    cells = [f"{quoted(name)}::text AS {label(j)}" for j, name in enumerate(names)]
    statement = f"SELECT {', '.join(cells)}, count(*) AS {N} FROM {origin} GROUP BY {', '.join(str(j + 1) for j in range(len(names)))}"
    with told(uri, DataError):
        connection.execute(b"SET LOCAL max_parallel_workers_per_gather TO DEFAULT")
        data, n_rows = copy_out(connection, statement)
        connection.execute(b"SET LOCAL max_parallel_workers_per_gather TO 0")  # else rows would come in any order
    if not n_rows:
        return pl.DataFrame(schema={**{label(j): pl.String for j in range(len(names))}, N: pl.Int64})
    return csv.parse(to_utf8(data, uri.name, "utf-8")[0], uri.name, ",").frame.cast({N: pl.Int64})


def _address(given: object) -> Uri:
    found = parse(given)
    assert found is not None
    return found


def _is_ours(given: object) -> bool:
    found = parse(given)
    return found is not None and found.scheme == "postgresql"


def _takes(job: Job) -> bool:
    """Whether both are tables of PostgreSQL and the input is too large for memory, as far as the server knows before it is read."""
    if not (_is_ours(job.data) and _is_ours(job.output)):
        return False
    uri = _address(job.data)
    with connecting(uri) as connection, told(uri, DataError):
        plan = connection.execute(f"EXPLAIN (FORMAT JSON) SELECT * FROM {source_of(connection, uri)}".encode()).fetchone()
    about = plan[0][0]["Plan"] if plan is not None else {}
    return float(about.get("Plan Rows", 0) * (about.get("Plan Width", 0) + OF_A_ROW)) * IN_MEMORY > limit(job)


def _refuses(job: Job) -> str | None:
    if not (_is_ours(job.data) and _is_ours(job.output)):
        return BOTH
    if job.spreadsheet_safe:
        return "--spreadsheet-safe is for files that a spreadsheet opens. Leave it out for a database."
    return refused_when_counting(job)


POSTGRES = RowEngine("postgres", "From a table of PostgreSQL to another", takes=_takes, refuses=_refuses, open=InPostgres)
