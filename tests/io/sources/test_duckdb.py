"""Rows of DuckDB in stretches: the same as when they are read whole, at one moment, and written where nobody sees them."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import duckdb
import polars as pl
import pytest

from shoal.errors import DataError
from shoal.io import read
from shoal.io.addresses import Uri
from shoal.io.sources.duckdb import DuckdbSource
from shoal.io.sql import duckdb as module

MADE = """CREATE TABLE t AS SELECT i AS n, i / 4 AS f, 'x' || i AS s, DATE '2024-01-01' + i::INT AS d, TIME '10:00' AS t,
CASE WHEN i % 3 = 0 THEN NULL ELSE i % 2 = 0 END AS b, i::DECIMAL(9, 2) AS m, TIMESTAMPTZ '2024-01-01 10:00:00+02' AS z FROM range(5000) r (i)"""


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ROWS", 2048)


def make(path: Path, *statements: str) -> Uri:
    with closing(duckdb.connect(str(path))) as connection:
        for statement in statements or (MADE,):
            connection.execute(statement)
    return Uri(str(path), "t", scheme="duckdb")


def test_stretches_are_the_table_that_is_read_whole(tmp_path: Path) -> None:
    rows = DuckdbSource(make(tmp_path / "p.duckdb"), memory=1 << 28)
    frames = [stretch.frame for stretch in rows.stretches()]
    rows.close()
    assert len(frames) > 1
    whole = read(f"duckdb:///{tmp_path}/p.duckdb?table=t").frame
    assert pl.concat(frames).equals(whole)
    assert pl.concat(frames).schema == whole.schema


def test_names_are_names_and_a_query_opens_no_other_file(tmp_path: Path) -> None:
    (tmp_path / "secret.csv").write_text("a\n1\n")
    uri = make(tmp_path / "p.duckdb", 'CREATE TABLE t AS SELECT 1 AS "a""; DROP TABLE t; --", 2 AS b')
    rows = DuckdbSource(uri, memory=1 << 28)
    assert pl.concat(stretch.frame for stretch in rows.stretches(rows.columns[:1])).rows() == [(1,)]
    rows.close()
    with pytest.raises(DataError, match="does not let it do"):
        DuckdbSource(Uri(uri.path, None, f"SELECT * FROM '{tmp_path}/secret.csv'", "duckdb"), memory=1 << 28)
    with pytest.raises(DataError, match="There is no table"):
        DuckdbSource(Uri(uri.path, "absent", scheme="duckdb"))


def n_bytes(uri: Uri) -> float:
    with DuckdbSource(uri) as found:
        return found.n_bytes() or 0.0


def test_the_size_is_known_without_reading(tmp_path: Path) -> None:
    many = make(tmp_path / "many.duckdb", "CREATE TABLE t AS SELECT i AS a, 'x' AS b FROM range(50000) r (i)")
    assert 200_000 < n_bytes(many) < 2_000_000
    assert n_bytes(Uri(many.path, None, "SELECT * FROM t LIMIT 10", "duckdb")) < 1000
