"""Connections that are open and relations of DuckDB: read and written like addresses, and left as they were."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

import shoal
from shoal.errors import DataError, WriteError
from tests.io.sql.test_names import ASKED, ROWS
from tests.servers import Server


@pytest.fixture(params=["psycopg", "sqlite3", "duckdb"])
def connection(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Any]:
    made = "CREATE TABLE people (age INTEGER, zip VARCHAR(5), ill VARCHAR(9))"
    if request.param == "psycopg":
        server: Server = request.getfixturevalue("server")
        server.do("DROP SCHEMA public CASCADE", "CREATE SCHEMA public")
        with server.connect() as opened:
            opened.execute(made)
            opened.cursor().executemany("INSERT INTO people VALUES (%s, %s, %s)", ROWS)
            yield opened
        return
    opened = sqlite3.connect(tmp_path / "p.db") if request.param == "sqlite3" else duckdb.connect(str(tmp_path / "p.duckdb"))
    opened.execute(made)
    opened.executemany("INSERT INTO people VALUES (?, ?, ?)", ROWS)
    opened.commit()
    yield opened
    opened.close()


def test_a_table_of_a_connection_is_read_written_and_verified(connection: Any) -> None:
    people = shoal.source(connection, table="people")
    wanted = shoal.anonymize(pl.DataFrame(ROWS, schema=["age", "zip", "ill"], orient="row"), **ASKED)
    release = shoal.anonymize(people, **ASKED)
    assert release.table.equals(wanted.frame)
    assert release.manifest == wanted.manifest
    release.write(shoal.source(connection, table="release"))
    assert connection.execute("SELECT * FROM release").fetchall() == wanted.frame.rows()
    asked = {"k": 4, "quasi_identifiers": ["age", "zip"]}
    assert shoal.verify(people, shoal.source(connection, query="SELECT * FROM release"), **asked).n_rows == 40
    with pytest.raises(WriteError, match="exists already"):
        release.write(shoal.source(connection, table="release"))
    with pytest.raises(WriteError, match="not to a query"):
        release.write(shoal.source(connection, query="SELECT 1"))


def test_messages_of_a_connection_hold_no_cell(connection: Any) -> None:
    with pytest.raises(DataError, match="Its tables are: people"):
        shoal.anonymize(shoal.source(connection, table="absent"), **ASKED)
    for query in ("SELECT 'Zebulon' FROM nowhere", "SELECT Zebulon FROM people"):
        with pytest.raises(DataError) as caught:
            shoal.anonymize(shoal.source(connection, query=query), **ASKED)
        assert "Zebulon" not in str(caught.value)
    assert connection.execute("SELECT count(*) FROM people").fetchall() == [(40,)], "it can be used afterwards"


def test_a_transaction_is_seen_and_left_open(connection: Any) -> None:
    if hasattr(connection, "autocommit"):
        connection.autocommit = False
    connection.execute("BEGIN") if "psycopg" not in type(connection).__module__ else None
    connection.execute("DELETE FROM people WHERE age = 20")
    n_rows = 40 - sum(row[0] == 20 for row in ROWS)
    release = shoal.anonymize(shoal.source(connection, table="people"), **ASKED)
    assert release.frame.height == n_rows
    with pytest.raises(WriteError):
        release.write(shoal.source(connection, table="release"))
    connection.rollback()
    assert shoal.anonymize(shoal.source(connection, table="people"), **ASKED).frame.height == 40


def test_the_settings_of_a_session_come_back(server: Server) -> None:
    with server.connect(autocommit=False) as connection:
        connection.execute("SET datestyle = 'German'")
        connection.execute("CREATE TEMP TABLE days AS SELECT DATE '2024-01-31' + n AS day FROM generate_series(1, 8) n")
        table = shoal.io.read(shoal.source(connection, table="days"))
        assert table.frame["day"][0] == "2024-02-01"
        assert connection.execute("SHOW datestyle").fetchall()[0][0].startswith("German")
        assert connection.execute("SELECT day::text FROM days LIMIT 1").fetchall() == [("01.02.2024",)]


def test_factories_of_a_connection_come_back(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "p.db")
    connection.row_factory, connection.text_factory = sqlite3.Row, bytes
    connection.execute("CREATE TABLE t (x TEXT)")
    connection.execute("INSERT INTO t VALUES ('a')")
    connection.commit()
    assert shoal.io.read(shoal.source(connection, table="t")).frame.rows() == [("a",)]
    assert (connection.row_factory, connection.text_factory) == (sqlite3.Row, bytes)
    connection.close()


def test_a_relation_of_duckdb_comes_back_as_one() -> None:
    people = duckdb.from_arrow(pl.DataFrame(ROWS, schema=["age", "zip", "ill"], orient="row").to_arrow())
    relation = people.project("age, zip, ill, INTERVAL 1 DAY * age AS stay")
    release = shoal.anonymize(relation, **ASKED, keep=["stay"])
    assert isinstance(release.table, duckdb.DuckDBPyRelation)
    assert release.table.columns == ["age", "zip", "ill", "stay"]
    assert release.table.aggregate("count(*)").fetchall() == [(40,)]
    assert release.table.pl().equals(release.frame)


@pytest.mark.parametrize("given", [object(), "people.csv", pl.DataFrame()])
def test_what_is_no_connection_is_refused(given: object) -> None:
    with pytest.raises(DataError, match="takes connections of"):
        shoal.source(given, table="people")


def test_a_source_is_a_table_or_a_query(tmp_path: Path) -> None:
    connection = sqlite3.connect(":memory:")
    for how in ({}, {"table": "a", "query": "b"}):
        with pytest.raises(DataError, match="which table, or which query"):
            shoal.source(connection, **how)
    connection.close()


DELETES = [
    "DELETE FROM people RETURNING *",
    "/* all */ delete from people returning *",
    "WITH old AS (SELECT 1) DELETE FROM people RETURNING *",
]


@pytest.mark.parametrize("query", DELETES)
def test_a_query_that_would_delete_is_refused_and_deletes_nothing(query: str, connection: Any) -> None:
    """A connection that is handed over may write. SQLite took the rows that it had deleted for the table."""
    before = connection.execute("SELECT count(*) FROM people").fetchone()
    with pytest.raises(DataError, match="SELECT"):
        shoal.anonymize(shoal.source(connection, query=query), **ASKED)
    if hasattr(connection, "rollback") and not isinstance(connection, duckdb.DuckDBPyConnection):
        connection.rollback()
    assert connection.execute("SELECT count(*) FROM people").fetchone() == before


def test_a_connection_may_write_again_afterwards(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "p.db")
    connection.execute("CREATE TABLE people (age, zip)")
    connection.executemany("INSERT INTO people VALUES (?, ?)", [(30, "a")] * 10)
    shoal.anonymize(shoal.source(connection, table='"people"'), k=2, quasi_identifiers=["age", "zip"])
    connection.execute("INSERT INTO people VALUES (1, 'b')")
    assert connection.execute("SELECT count(*) FROM people").fetchone() == (11,)
