"""Tables of PostgreSQL are read with every cell as it is, at one moment, and no message holds a cell or a password."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

import shoal
from shoal.cli.main import run
from shoal.errors import DataError
from shoal.io import read
from shoal.io.sql import postgres
from shoal.io.sql.postgres import split_name, unreached
from tests.servers import Server

MARK = "Zebulon-7731"
PEOPLE = """
CREATE TABLE people (age integer, zip char(5), ill text);
INSERT INTO people VALUES (31, '80331', 'flu'), (33, '80331', 'gout'), (36, '80335', 'flu'), (52, '81667', 'asthma'), (55, '81667', ''), (58, '81669', NULL);
"""


@pytest.fixture
def clinic(server: Server) -> Iterator[Server]:
    server.do("DROP SCHEMA public CASCADE", "CREATE SCHEMA public", "GRANT USAGE ON SCHEMA public TO PUBLIC", PEOPLE)
    yield server
    server.do("DROP SCHEMA public CASCADE", "CREATE SCHEMA public")


def test_cells_are_the_texts_of_the_server_and_a_missing_cell_is_no_empty_one(clinic: Server) -> None:
    table = read(clinic.address("people"))
    assert table.frame["ill"].to_list() == ["flu", "gout", "flu", "asthma", "", None]
    assert table.frame["age"].to_list() == ["31", "33", "36", "52", "55", "58"]
    assert table.source == f"postgresql://postgres@127.0.0.1:{clinic.port}/postgres (table people)"
    assert table.given == postgres.ServerTypes({"age": "integer", "zip": "character(5)", "ill": "text"})


def test_odd_types_keep_their_texts(clinic: Server) -> None:
    clinic.do(
        "CREATE TYPE mood AS ENUM ('sad', 'glad')",
        "CREATE TABLE odd (i interval, m money, p point, c char(7), t time, n numeric(10,3), b boolean, d date, z timestamptz, f float8, y bytea, a int[], e mood, u uuid)",
        "INSERT INTO odd VALUES ('1 year 2 days 3:04:05', 1234.5, '(1,2)', 'ab', '24:00', 1.500, true, '0044-03-15 BC', '2024-01-31 12:00:00+02', 0.1, '\\x00ff', '{1,NULL,3}', 'glad', "
        "'00000000-0000-0000-0000-000000000001')",
    )
    assert read(clinic.address("odd")).frame.row(0) == (
        "1 year 2 days 03:04:05", "$1,234.50", "(1,2)", "ab", "24:00:00", "1.500", "true", "0044-03-15 BC", "2024-01-31 10:00:00+00", "0.1", "\\x00ff", "{1,NULL,3}", "glad",
        "00000000-0000-0000-0000-000000000001",
    )  # fmt: skip


def test_a_session_s_settings_change_no_cell(clinic: Server) -> None:
    clinic.do(
        "CREATE ROLE dane LOGIN PASSWORD 'p' SUPERUSER",
        "ALTER ROLE dane SET datestyle = 'German'",
        "ALTER ROLE dane SET timezone = 'Asia/Tokyo'",
    )
    clinic.do("CREATE TABLE moments AS SELECT '2024-01-31 12:00:00+00'::timestamptz AS z, '2024-01-31'::date AS d")
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("PGPASSWORD", "p")
            assert read(clinic.address("moments", user="dane")).frame.row(0) == ("2024-01-31 12:00:00+00", "2024-01-31")
    finally:
        clinic.do("DROP ROLE dane")


def test_odd_names_are_found(clinic: Server) -> None:
    clinic.do(
        'CREATE SCHEMA "My.Schema"',
        'CREATE TABLE "My.Schema"."Peo""ple; --" ("The Age" int, "a""b" text, "új" text)',
        """INSERT INTO "My.Schema"."Peo""ple; --" VALUES (1, 'x', 'y')""",
    )
    table = read(clinic.address('"My.Schema"."Peo""ple; --"'))
    assert (table.columns, table.frame.row(0)) == (["The Age", 'a"b', "új"], ("1", "x", "y"))
    clinic.do('DROP SCHEMA "My.Schema" CASCADE')
    with pytest.raises(DataError, match="Its tables are: people"):
        read(clinic.address("People"))


@pytest.mark.parametrize("name", ["a.b.c", "", '"a', '"a"b', ".a", "a."])
def test_a_name_says_one_thing_or_is_refused(name: str) -> None:
    with pytest.raises(DataError, match=r"SCHEMA\.NAME"):
        split_name(name)


def test_a_query_is_read_and_cannot_become_two(clinic: Server) -> None:
    table = read(
        clinic.address(
            query="WITH old AS (SELECT * FROM people WHERE age > 50 /* 100% */) SELECT zip AS z, count(*) AS n FROM old GROUP BY zip ORDER BY 1 -- end\n;"
        )
    )
    assert table.frame.rows() == [("81667", "2"), ("81669", "1")]
    for query in (
        "SELECT 1 AS x) AS asked; COMMIT; DROP TABLE people; SELECT * FROM (SELECT 1 AS x",
        "SELECT 1 AS x; DROP TABLE people",
        "DELETE FROM people RETURNING age",
        "SELECT age, pg_terminate_backend(pg_backend_pid()) FROM people",
        "SELECT 1 AS x, 2 AS x",
        "SELECT nextval('s')",
    ):
        with pytest.raises(DataError):
            read(clinic.address(query=query))
    assert clinic.do("SELECT count(*) FROM people") == [(6,)]


def test_a_table_of_one_column_keeps_missing_cells(clinic: Server) -> None:
    clinic.do("CREATE TABLE one (x text)", "INSERT INTO one VALUES ('a'), (NULL), (''), ('\\.'), (E'l\\nm')")
    assert read(clinic.address("one")).frame["x"].to_list() == ["a", None, "", "\\.", "l\nm"]


def test_a_release_of_a_table_is_that_of_the_same_rows_in_a_file(clinic: Server, tmp_path: Path) -> None:
    asked = {"k": 3, "quasi_identifiers": ["age", "zip"], "sensitive": ["ill"]}
    table = read(clinic.address("people"))
    table.frame.write_csv(tmp_path / "people.csv")
    one, other = shoal.anonymize(clinic.address("people"), **asked), shoal.anonymize(tmp_path / "people.csv", **asked)
    assert one.frame.equals(other.frame)
    assert {k: v for k, v in one.manifest.items() if k != "seconds"} == {k: v for k, v in other.manifest.items() if k != "seconds"}


def test_no_message_and_no_log_of_ours_holds_a_cell_or_a_password(
    clinic: Server, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PGPASSWORD", "s3cret-word")
    clinic.do(
        f"CREATE TABLE texts AS SELECT '{MARK}'::text AS x",
        "CREATE TABLE none (x text)",
        "CREATE ROLE lena LOGIN PASSWORD 'other'",
        "CREATE ROLE mia LOGIN PASSWORD 's3cret-word'",
    )
    try:
        for address, said in (
            (clinic.address(query=f"SELECT x::int FROM texts WHERE x = '{MARK}'"), "does not fit"),
            (clinic.address(query=f"SELECT x FROM texts WHERE y = '{MARK}'"), "names a column that is not there"),
            (clinic.address(query=f"SELECT x FROM '{MARK}'"), "does not understand the query"),
            (clinic.address("none"), "has no rows"),
            (clinic.address("people", user="lena"), "password authentication failed"),
            (clinic.address("people", user="mia"), "has not the rights"),
            (clinic.address("people", database="absent"), "does not exist"),
            (clinic.address("people").replace(str(clinic.port), "1"), r"nothing answers at .*pg_isready"),
        ):
            with pytest.raises(DataError, match=said) as caught:
                read(address)
            assert MARK not in str(caught.value)
            assert "s3cret-word" not in str(caught.value)
            assert caught.value.__cause__ is None
    finally:
        clinic.do("DROP ROLE lena", "DROP ROLE mia")
    assert run(["assess", clinic.address("texts"), "--qi", "x"]) == 0
    capfd.readouterr()


def test_the_commands_take_an_address_and_a_query(clinic: Server, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["assess", clinic.address("people"), "--qi", "age,zip"]) == 0
    assert run(["explore", clinic.address("people"), "--qi", "age,zip", "-k", "2,3"]) == 0
    bare = clinic.address("people").partition("?")[0]
    assert run(["assess", bare, "--query", "SELECT age, zip FROM people WHERE age < 50", "--qi", "age,zip", "--json"]) == 0
    assert run(["assess", clinic.address("people"), "--query", "SELECT 1", "--qi", "age"]) == 2
    assert "Leave one of them out" in capsys.readouterr().err
    assert run(["assess", "people.csv", "--query", "SELECT 1", "--qi", "age"]) == 2
    assert "--query is for databases" in capsys.readouterr().err


def test_a_dead_port_is_said_with_host_port_and_what_to_check() -> None:
    with socket.socket() as silent:  # bound, so that nobody else takes it, and it never listens
        silent.bind(("127.0.0.1", 0))
        port = silent.getsockname()[1]
        with pytest.raises(DataError) as caught:
            read(f"postgresql://ada@127.0.0.1:{port}/clinic?table=people")
    assert f"nothing answers at 127.0.0.1, port {port}" in str(caught.value)
    assert f"pg_isready -h 127.0.0.1 -p {port}" in str(caught.value)


def test_what_is_said_of_several_addresses_and_of_a_socket() -> None:
    both = 'connection failed: connection to server at "::1", port 5 failed: Connection refused\n\tIs it?\nconnection to server at "127.0.0.1", port 5 failed: Connection refused\n\tIs it?'
    assert unreached(both).startswith("nothing answers at 127.0.0.1, port 5 (Connection refused)")
    assert "socket /run/x" in unreached('connection to server on socket "/run/x" failed: No such file or directory')
    assert unreached('connection to server at "h", port 5 failed: FATAL:  no such role') == "FATAL:  no such role"
    assert unreached("failed to resolve host 'h'.") == "failed to resolve host 'h'"
    assert unreached("") == ""
