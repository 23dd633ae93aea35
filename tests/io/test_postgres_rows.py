"""Rows of PostgreSQL in stretches. Whole runs, kills and lost connections are in tests/engines/test_postgres.py."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from shoal.errors import NotAnonymous
from shoal.io import postgres_rows, read
from shoal.io.postgres_rows import PostgresSource, PostgresTarget, n_bytes
from shoal.io.table_rows import Room, told_of
from shoal.io.uris import Uri, parse
from tests.servers import Server

FRAME = pl.DataFrame(
    {"age": ["30-39"] * 5, "n": [5, 4, 3, None, 10], "f": [0.1, None, -2.5, 1e300, 3.0], "t": ["", None, 'q"', "é\n", "\\."]}
)


def of(address: str) -> Uri:
    found = parse(address)
    assert found is not None
    return found


def test_stretches_and_counts_are_those_of_the_table_that_is_read_whole(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_rows, "STRETCH", 30)
    server.do("DROP TABLE IF EXISTS t", "CREATE TABLE t AS SELECT n % 7 AS a, NULLIF(n % 3, 0)::text AS b FROM generate_series(1, 100) n")
    rows = PostgresSource(of(server.address("t")), Room(tmp_path, 1 << 28))
    frames = list(rows.rows(rows.columns))
    assert [frame.height for frame in frames] == [30, 30, 30, 10]
    whole = read(server.address("t")).frame
    assert pl.concat(frames).equals(whole)
    counted = pl.concat(rows.counted(["b"]))
    assert sorted(counted.rows(), key=repr) == [("1", 34), ("2", 33), (None, 33)]
    rows.close()
    assert n_bytes(of(server.address("t"))) > 1000


def test_numbers_of_another_database_come_back_as_they_were(server: Server, tmp_path: Path) -> None:
    """Cells that PostgreSQL writes in another way (3 for 3.0) are the same numbers; a cell that is the end of a COPY in its text form is a cell."""
    server.do("DROP TABLE IF EXISTS release")
    to = PostgresTarget(of(server.address("release")), Room(tmp_path, 1 << 28), False)
    to.write(iter([FRAME[:2], FRAME[2:]]), ["age"], None)
    assert told_of(to.rows()) == told_of(iter([FRAME]))
    to.sort(lambda rows: rows)
    assert pl.concat(to.rows())["n"].to_list() == ["3", "4", "5", "10", None]
    n_there = server.do("SELECT count(*) FROM pg_class WHERE relname = 'release' AND relnamespace = 'public'::regnamespace")
    to.publish("")
    to.close()
    assert n_there == [(0,)], "before it was published"
    assert server.do("SELECT count(*) FROM release") == [(5,)]
    server.do("DROP TABLE release")


def test_rows_that_are_lost_while_they_are_sorted_are_noticed(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    to = PostgresTarget(of(server.address("release")), Room(tmp_path, 1 << 28), False)
    to.write(iter([FRAME]), ["age"], None)
    true = postgres_rows.writing.create

    def limited(connection: object, part: str, kinds: object) -> None:
        true(connection, part, kinds)  # type: ignore[arg-type]
        to._connection.execute(f"CREATE RULE lose AS ON INSERT TO {part} WHERE NEW.n = 4 DO INSTEAD NOTHING".encode())

    monkeypatch.setattr(postgres_rows.writing, "create", limited)
    with pytest.raises(NotAnonymous, match="Sorting"):
        to.sort(lambda rows: rows)
    to.close()
