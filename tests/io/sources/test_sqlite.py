"""Rows of SQLite in stretches: the same as when they are read whole, at one moment, and written where nobody sees them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from shoal.errors import DataError
from shoal.io import read
from shoal.io.addresses import Uri
from shoal.io.sources import sqlite as module
from shoal.io.sources.sqlite import SqliteSource

ODD = [(1, 1.0, None, 1e16, "a"), ("x", 2.5, None, 3, "A"), (2.5, None, None, 1e16, "a"), (None, 3.0, None, "t", "b")]


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ROWS", 2)


def make(path: Path, rows: list[tuple[Any, ...]], columns: str, table: str = "t") -> Uri:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f'CREATE TABLE "{table}" ({columns})')
        connection.executemany(f'INSERT INTO "{table}" VALUES ({", ".join("?" * len(rows[0]))})', rows)
    return Uri(str(path), table)


def test_stretches_are_the_table_that_is_read_whole(tmp_path: Path) -> None:
    """A column that holds numbers and texts is texts, whatever a stretch of it holds; one that is empty too."""
    uri = make(tmp_path / "p.db", ODD, "a, b REAL, c, d, e TEXT COLLATE NOCASE")
    whole = read(f"sqlite:///{tmp_path}/p.db?table=t").frame
    rows = SqliteSource(uri)
    frames = [stretch.frame for stretch in rows.stretches()]
    assert [frame.height for frame in frames] == [2, 2]
    assert pl.concat(frames).equals(whole)
    assert whole["d"].to_list() == ["1e+16", "3", "1e+16", "t"]
    assert pl.concat(stretch.frame for stretch in rows.stretches(["e"], 3))["e"].to_list() == ["a", "A", "a"]
    rows.close()


def test_what_others_write_meanwhile_is_not_seen(tmp_path: Path) -> None:
    uri = make(tmp_path / "p.db", ODD, "a, b, c, d, e")
    with closing(sqlite3.connect(tmp_path / "p.db")) as other:
        other.execute("PRAGMA journal_mode = WAL")
        rows = SqliteSource(uri)
        before = rows.held().frame
        other.execute("DELETE FROM t WHERE rowid < 3")
        other.commit()
        assert rows.held().frame.equals(before)
        rows.close()


def test_a_query_is_read_and_what_is_none_is_refused(tmp_path: Path) -> None:
    make(tmp_path / "p.db", ODD, "a, b, c, d, e")
    asked = SqliteSource(Uri(str(tmp_path / "p.db"), None, "SELECT e, b FROM t WHERE b > 1 -- all"))
    assert pl.concat(stretch.frame for stretch in asked.stretches(["e", "b"])).rows() == [("A", 2.5), ("b", 3.0)]
    asked.close()
    for query, said in (("SELECT a, a FROM t", "two columns of one name"), ("SELECT x'00' AS z", "BLOB"), ("SELECT nothing", "understand")):
        with pytest.raises(DataError, match=said):
            SqliteSource(Uri(str(tmp_path / "p.db"), None, query)).held()
    with pytest.raises(DataError, match="There is no table"):
        SqliteSource(Uri(str(tmp_path / "p.db"), "absent"))


def n_bytes(uri: Uri) -> float:
    with SqliteSource(uri) as found:
        return found.n_bytes() or 0.0


def test_some_columns_come_in_the_order_of_all(tmp_path: Path) -> None:
    """An index over a column has its cells in another order, and SQLite reads it alone where it can."""
    uri = make(tmp_path / "p.db", [(9 - i, f"x{i}" * 50) for i in range(9)], "a, b")
    with closing(sqlite3.connect(tmp_path / "p.db")) as connection, connection:
        connection.execute("CREATE INDEX i ON t (a)")
        connection.execute("CREATE VIEW v AS SELECT * FROM t")
    for asked in (uri, Uri(uri.path, "v"), Uri(uri.path, None, "SELECT * FROM t")):
        with SqliteSource(asked) as found:
            assert [cell for stretch in found.stretches(["a"]) for cell in stretch.frame["a"]] == list(range(9, 0, -1))


def test_the_size_is_known_without_reading(tmp_path: Path) -> None:
    few = make(tmp_path / "few.db", [(i, "x" * 10) for i in range(10)], "a, b")
    many = make(tmp_path / "many.db", [(i, "x" * 10) for i in range(5000)], "a, b")
    assert n_bytes(few) < 200
    assert 50_000 < n_bytes(many) < 100_000
    assert n_bytes(Uri(many.path, None, "SELECT * FROM t")) > 50_000
