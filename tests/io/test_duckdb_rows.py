"""Rows of DuckDB in stretches: the same as when they are read whole, at one moment, and written where nobody sees them."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import duckdb
import polars as pl
import pytest

from shoal.errors import DataError, NotAnonymous, WriteError
from shoal.io import duckdb_rows, read
from shoal.io.duckdb_rows import DuckdbSource, DuckdbTarget, n_bytes
from shoal.io.table_rows import Room, told_of
from shoal.io.uris import Uri

MADE = """CREATE TABLE t AS SELECT i AS n, i / 4 AS f, 'x' || i AS s, DATE '2024-01-01' + i::INT AS d, TIME '10:00' AS t,
CASE WHEN i % 3 = 0 THEN NULL ELSE i % 2 = 0 END AS b, i::DECIMAL(9, 2) AS m, TIMESTAMPTZ '2024-01-01 10:00:00+02' AS z FROM range(5000) r (i)"""
FRAME = pl.DataFrame({"age": ["30-39"] * 5, "n": [5, 4, 3, None, 1], "f": [0.1, None, -2.5, 1e300, 3.0], "t": ["", None, 'q"', "é\n", "z"]})


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(duckdb_rows, "STRETCH", 2048)


def make(path: Path, *statements: str) -> Uri:
    with closing(duckdb.connect(str(path))) as connection:
        for statement in statements or (MADE,):
            connection.execute(statement)
    return Uri(str(path), "t", scheme="duckdb")


def source(uri: Uri, folder: Path) -> DuckdbSource:
    (folder / "private").mkdir(exist_ok=True)  # DuckDB may read what is in its folder for temporary files
    return DuckdbSource(uri, Room(folder / "private", 1 << 28))


def target(uri: Uri, folder: Path, force: bool = False) -> DuckdbTarget:
    folder.mkdir(exist_ok=True)
    return DuckdbTarget(uri, Room(folder, 1 << 28), force)


def test_stretches_are_the_table_that_is_read_whole(tmp_path: Path) -> None:
    rows = source(make(tmp_path / "p.duckdb"), tmp_path)
    frames = list(rows.rows(rows.columns))
    rows.close()
    assert len(frames) > 1
    whole = read(f"duckdb:///{tmp_path}/p.duckdb?table=t").frame
    assert pl.concat(frames).equals(whole)
    assert pl.concat(frames).schema == whole.schema


def test_names_are_names_and_a_query_opens_no_other_file(tmp_path: Path) -> None:
    (tmp_path / "secret.csv").write_text("a\n1\n")
    uri = make(tmp_path / "p.duckdb", 'CREATE TABLE t AS SELECT 1 AS "a""; DROP TABLE t; --", 2 AS b')
    rows = source(uri, tmp_path)
    assert pl.concat(rows.rows(rows.columns[:1])).rows() == [(1,)]
    rows.close()
    with pytest.raises(DataError, match="does not let it do"):
        source(Uri(uri.path, None, f"SELECT * FROM '{tmp_path}/secret.csv'", "duckdb"), tmp_path)
    with pytest.raises(DataError, match="There is no table"):
        source(Uri(uri.path, "absent", scheme="duckdb"), tmp_path)


def test_what_was_written_comes_back_and_appears_only_when_it_is_published(tmp_path: Path) -> None:
    to = target(Uri(str(tmp_path / "out.duckdb"), "the release", scheme="duckdb"), tmp_path / "private")
    to.write(iter([FRAME[:2], FRAME[2:]]), ["age"], None)
    assert not (tmp_path / "out.duckdb").exists()
    assert pl.concat(to.rows()).equals(FRAME)
    to.publish(told_of(to.rows()))
    to.close()
    assert read(f"duckdb:///{tmp_path}/out.duckdb?table=the%20release").frame.equals(FRAME)


def test_a_file_with_other_tables_gets_the_table_in_one_step(tmp_path: Path) -> None:
    make(tmp_path / "out.duckdb", "CREATE TABLE other AS SELECT 1 AS y")
    uri = Uri(str(tmp_path / "out.duckdb"), "release", scheme="duckdb")
    to = target(uri, tmp_path / "private")
    to.write(iter([FRAME]), ["age"], None)
    with pytest.raises(NotAnonymous, match="other rows"):
        to.publish("0")
    to.publish(told_of(to.rows()))
    with pytest.raises(WriteError, match="exists already"):
        to.publish(told_of(to.rows()))
    to.close()
    assert read(f"duckdb:///{tmp_path}/out.duckdb?table=release").frame.equals(FRAME)
    assert read(f"duckdb:///{tmp_path}/out.duckdb?table=other").n_rows == 1


def test_a_table_that_is_alone_is_replaced_with_its_file(tmp_path: Path) -> None:
    make(tmp_path / "out.duckdb", "CREATE TABLE release AS SELECT 'Zebulon-7731' AS y FROM range(10000)")
    to = target(Uri(str(tmp_path / "out.duckdb"), "release", scheme="duckdb"), tmp_path / "private", force=True)
    to.write(iter([FRAME]), ["age"], None)
    to.publish(told_of(to.rows()))
    to.close()
    assert b"Zebulon" not in (tmp_path / "out.duckdb").read_bytes()
    assert read(f"duckdb:///{tmp_path}/out.duckdb?table=release").frame.equals(FRAME)


def test_sorted_rows_leave_no_trace_of_the_old_order(tmp_path: Path) -> None:
    to = target(Uri(str(tmp_path / "out.duckdb"), "release", scheme="duckdb"), tmp_path / "private")
    to.write(iter([FRAME]), ["age"], None)
    to.sort(lambda rows: iter([pl.concat(rows).sort("n", nulls_last=True)]))
    assert len(list((tmp_path / "private").glob("*.duckdb"))) == 1, "the unsorted file is gone"
    assert pl.concat(to.rows())["n"].to_list() == [1, 3, 4, 5, None]
    to.close()


def test_the_size_is_known_without_reading(tmp_path: Path) -> None:
    many = make(tmp_path / "many.duckdb", "CREATE TABLE t AS SELECT i AS a, 'x' AS b FROM range(50000) r (i)")
    assert 200_000 < n_bytes(many) < 2_000_000
    assert n_bytes(Uri(many.path, None, "SELECT * FROM t LIMIT 10", "duckdb")) < 1000
