"""Rows of SQLite in stretches: the same as when they are read whole, at one moment, and written where nobody sees them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from shoal.errors import DataError, NotAnonymous, WriteError
from shoal.io import read, sqlite_rows
from shoal.io.sqlite_rows import SqliteSource, SqliteTarget, n_bytes
from shoal.io.table_rows import Room, told_of
from shoal.io.uris import Uri

MARK = "Zebulon-7731"
ODD = [(1, 1.0, None, 1e16, "a"), ("x", 2.5, None, 3, "A"), (2.5, None, None, 1e16, "a"), (None, 3.0, None, "t", "b")]


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_rows, "STRETCH", 2)


def make(path: Path, rows: list[tuple[Any, ...]], columns: str, table: str = "t") -> Uri:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f'CREATE TABLE "{table}" ({columns})')
        connection.executemany(f'INSERT INTO "{table}" VALUES ({", ".join("?" * len(rows[0]))})', rows)
    return Uri(str(path), table)


def source(uri: Uri, folder: Path) -> SqliteSource:
    return SqliteSource(uri, Room(folder, 1 << 30))


def test_stretches_are_the_table_that_is_read_whole(tmp_path: Path) -> None:
    """A column that holds numbers and texts is texts, whatever a stretch of it holds; one that is empty too."""
    uri = make(tmp_path / "p.db", ODD, "a, b REAL, c, d, e TEXT COLLATE NOCASE")
    whole = read(f"sqlite:///{tmp_path}/p.db?table=t").frame
    rows = source(uri, tmp_path)
    frames = list(rows.rows(rows.columns))
    assert [frame.height for frame in frames] == [2, 2]
    assert pl.concat(frames).equals(whole)
    assert whole.schema == dict(rows.schema)
    assert whole["d"].to_list() == ["1e+16", "3", "1e+16", "t"]
    assert pl.concat(rows.rows(["e"], 3))["e"].to_list() == ["a", "A", "a"]
    rows.close()


def test_what_others_write_meanwhile_is_not_seen(tmp_path: Path) -> None:
    uri = make(tmp_path / "p.db", ODD, "a, b, c, d, e")
    with closing(sqlite3.connect(tmp_path / "p.db")) as other:
        other.execute("PRAGMA journal_mode = WAL")
        rows = source(uri, tmp_path)
        before = pl.concat(rows.rows(rows.columns))
        other.execute("DELETE FROM t WHERE rowid < 3")
        other.commit()
        assert pl.concat(rows.rows(rows.columns)).equals(before)
        rows.close()


def test_a_query_is_read_and_what_is_none_is_refused(tmp_path: Path) -> None:
    make(tmp_path / "p.db", ODD, "a, b, c, d, e")
    asked = source(Uri(str(tmp_path / "p.db"), None, "SELECT e, b FROM t WHERE b > 1 -- all"), tmp_path)
    assert pl.concat(asked.rows(["e", "b"])).rows() == [("A", 2.5), ("b", 3.0)]
    asked.close()
    for query, said in (("SELECT a, a FROM t", "two columns of one name"), ("SELECT x'00' AS z", "BLOB"), ("SELECT nothing", "understand")):
        with pytest.raises(DataError, match=said):
            source(Uri(str(tmp_path / "p.db"), None, query), tmp_path)
    with pytest.raises(DataError, match="There is no table"):
        source(Uri(str(tmp_path / "p.db"), "absent"), tmp_path)


def target(uri: Uri, folder: Path, force: bool = False) -> SqliteTarget:
    folder.mkdir(exist_ok=True)
    return SqliteTarget(uri, Room(folder, 1 << 30), force)


FRAME = pl.DataFrame(
    {"age": ["30-39"] * 5, "n": [5, 4, 3, None, 1], "f": [0.1, None, -2.5, 1e300, 3.0], "t": ["", None, 'q"', "é\n", MARK]}
)


def test_what_was_written_comes_back_and_appears_only_when_it_is_published(tmp_path: Path) -> None:
    to = target(Uri(str(tmp_path / "out.db"), "the release"), tmp_path / "private")
    to.write(iter([FRAME[:2], FRAME[2:]]), ["age"], None)
    assert not (tmp_path / "out.db").exists()
    assert pl.concat(to.rows()).equals(FRAME)
    to.publish(told_of(to.rows()))
    to.close()
    assert read(f"sqlite:///{tmp_path}/out.db?table=the%20release").frame.equals(FRAME)


def test_a_file_with_other_tables_gets_the_table_in_one_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path / "out.db", [(MARK + "old",)], "x", "release")
    make(tmp_path / "out.db", [(1,)], "y", "other")
    uri = Uri(str(tmp_path / "out.db"), "release")
    for force in (False, True):
        to = target(uri, tmp_path / "private", force)
        to.write(iter([FRAME]), ["age"], None)
        if force:
            with pytest.raises(NotAnonymous, match="other rows"):
                to.publish("0")
            to.publish(told_of(to.rows()))
        else:
            with pytest.raises(WriteError, match="exists already"):
                to.publish(told_of(to.rows()))
        to.close()
    assert read(f"sqlite:///{tmp_path}/out.db?table=release").frame.equals(FRAME)
    assert read(f"sqlite:///{tmp_path}/out.db?table=other").n_rows == 1
    assert (MARK + "old").encode() not in (tmp_path / "out.db").read_bytes(), "what was replaced is overwritten"


def test_sorted_rows_leave_no_trace_of_the_old_order(tmp_path: Path) -> None:
    to = target(Uri(str(tmp_path / "out.db"), "release"), tmp_path / "private")
    to.write(iter([FRAME]), ["age"], None)
    to.sort(lambda rows: iter([pl.concat(rows).sort("n", nulls_last=True)]))
    assert len(list((tmp_path / "private").iterdir())) == 1, "the unsorted file is gone"
    assert pl.concat(to.rows())["n"].to_list() == [1, 3, 4, 5, None]
    to.close()


def test_the_size_is_known_without_reading(tmp_path: Path) -> None:
    few = make(tmp_path / "few.db", [(i, "x" * 10) for i in range(10)], "a, b")
    many = make(tmp_path / "many.db", [(i, "x" * 10) for i in range(5000)], "a, b")
    assert n_bytes(few) < 200
    assert 50_000 < n_bytes(many) < 100_000
    assert n_bytes(Uri(many.path, None, "SELECT * FROM t")) > 50_000
