"""Tables of SQLite as an engine: its own rules of what is equal do not reach the release."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import shoal
from shoal import io

ASKED = {"k": 2, "quasi_identifiers": ["a", "b"], "algorithm": "mondrian"}


def test_cells_that_sqlite_holds_equal_are_told_apart(tmp_path: Path) -> None:
    """1 and 1.0, and a and A in a column that ignores case, are one value to the database's GROUP BY and different texts to everybody else."""
    with closing(sqlite3.connect(tmp_path / "p.db")) as connection, connection:
        connection.execute("CREATE TABLE t (a TEXT COLLATE NOCASE, b)")
        connection.executemany("INSERT INTO t VALUES (?, ?)", [("a", 1), ("A", 1.0), ("a", "1"), ("A", None), ("á", 2), ("Á", 2.5)] * 3)
    data, output = f"sqlite:///{tmp_path}/p.db?table=t", f"sqlite:///{tmp_path}/r.db?table=t"
    made = shoal.publish(data, output, engine="sqlite", **ASKED)
    wanted = shoal.anonymize(data, **ASKED)
    assert made.manifest == wanted.manifest
    assert io.read(output).frame.equals(wanted.frame)


def test_a_view_and_a_query_are_read(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "p.db")) as connection, connection:
        connection.execute("CREATE TABLE t (a, b)")
        connection.executemany("INSERT INTO t VALUES (?, ?)", [(i % 3, i % 2) for i in range(60)])
        connection.execute("CREATE VIEW v AS SELECT a, b FROM t WHERE a < 2")
    for asked in ("table=v", "query=SELECT%20a,b%20FROM%20t%20WHERE%20a%20%3C%202%20ORDER%20BY%20b"):
        output = f"sqlite:///{tmp_path}/r.db?table=t"
        shoal.publish(f"sqlite:///{tmp_path}/p.db?{asked}", output, engine="sqlite", force=True, **ASKED)
        assert io.read(output).n_rows == 40


def test_rows_are_named_by_their_place_whatever_indexes_there_are(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "p.db")) as connection, connection:
        connection.execute("CREATE TABLE t (a, b)")
        connection.executemany("INSERT INTO t VALUES (?, ?)", [(str(9 - i), None if i == 7 else "x") for i in range(10)])
        connection.execute("CREATE INDEX by_b ON t (b)")
    data, output = f"sqlite:///{tmp_path}/p.db?table=t", f"sqlite:///{tmp_path}/r.db?table=t"
    for act in (
        lambda: shoal.anonymize(data, missing="error", **ASKED),
        lambda: shoal.publish(data, output, engine="sqlite", missing="error", **ASKED),
    ):
        with pytest.raises(shoal.DataError, match="row 8"):
            act()
