"""Rows of PostgreSQL in stretches. Whole runs, kills and lost connections are in tests/engines/test_postgres.py."""

from __future__ import annotations

import polars as pl
import pytest

from shoal.io import read
from shoal.io.addresses import Uri, parse
from shoal.io.sources.postgres import PostgresSource
from shoal.io.sql import postgres
from tests.servers import Server


def of(address: str) -> Uri:
    found = parse(address)
    assert found is not None
    return found


def test_stretches_and_counts_are_those_of_the_table_that_is_read_whole(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    server.do("DROP TABLE IF EXISTS t", "CREATE TABLE t AS SELECT n % 7 AS a, NULLIF(n % 3, 0)::text AS b FROM generate_series(1, 100) n")
    whole = read(server.address("t")).frame
    monkeypatch.setattr(postgres, "ROWS", 30)
    with PostgresSource(of(server.address("t"))) as rows:
        frames = [stretch.frame for stretch in rows.stretches()]
        assert [frame.height for frame in frames] == [30, 30, 30, 10]
        assert pl.concat(frames).equals(whole)
        counted = pl.concat(rows.counted(["b"]))
        assert sorted(counted.rows(), key=repr) == [("1", 34), ("2", 33), (None, 33)]
        assert (rows.n_bytes() or 0) > 1000


def test_rows_are_those_of_one_moment(server: Server) -> None:
    """The columns are asked for first and the rows afterwards: a change in between is not seen."""
    server.do("DROP TABLE IF EXISTS t", "CREATE TABLE t AS SELECT n FROM generate_series(1, 6) n")
    with PostgresSource(of(server.address("t"))) as rows:
        server.do("DELETE FROM t WHERE n > 3")
        assert rows.held().n_rows == rows.held().n_rows == 6
    assert read(server.address("t")).n_rows == 3
