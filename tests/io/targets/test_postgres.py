"""Tables of PostgreSQL are written whole or not at all: a reader sees the old table or the new one, whatever happens to the writer."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import psycopg
import pytest

import shoal
from shoal.cli.main import run
from shoal.errors import NotAnonymous, WriteError
from shoal.io.target import told_of
from shoal.io.targets import postgres as writing
from tests.io.sources.test_postgres import of
from tests.io.sql.test_postgres import MARK, PEOPLE
from tests.servers import Server

ASKED = {"k": 3, "quasi_identifiers": ["age", "zip"], "sensitive": ["ill"]}


@pytest.fixture
def clinic(server: Server) -> Iterator[Server]:
    server.do("DROP SCHEMA public CASCADE", "CREATE SCHEMA public", "GRANT USAGE ON SCHEMA public TO PUBLIC", PEOPLE)
    yield server
    server.do("DROP SCHEMA public CASCADE", "CREATE SCHEMA public")


def rows(server: Server, table: str = "release") -> list[tuple[object, ...]]:
    return server.do(f"SELECT * FROM {table}")


def tables(server: Server) -> list[str]:
    return [str(name) for (name,) in server.do("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1")]


def test_a_release_is_written_read_back_and_verified(clinic: Server) -> None:
    release = shoal.anonymize(clinic.address("people"), **ASKED)
    sha = release.write(clinic.address("release"))
    assert rows(clinic) == release.frame.rows()
    assert sha == release.manifest["release_sha256"]
    assert shoal.verify(clinic.address("people"), clinic.address("release"), k=3, quasi_identifiers=["age", "zip"]).smallest_group == 3
    assert shoal.measure(clinic.address("people"), clinic.address("release"), quasi_identifiers=["age", "zip"]).n_released == 6
    assert tables(clinic) == ["people", "release"]


def test_columns_that_are_kept_keep_their_types_and_cells(clinic: Server) -> None:
    clinic.do(
        "CREATE TYPE mood AS ENUM ('sad', 'glad')",
        "CREATE TABLE odd AS SELECT n AS age, '1 day'::interval * n AS i, n::numeric(10,2) AS m, n::money AS cash, '24:00'::time AS t, point(n, 1) AS p, 'x'::char(4) AS c, n / 3.0::float8 AS f, "
        "CASE WHEN n % 2 = 0 THEN '' END AS e, 'glad'::mood AS mood, '2024-01-31 12:00+02'::timestamptz AS z, ARRAY[n, NULL] AS a FROM generate_series(1, 12) n",
    )
    kept = [
        name for (name,) in clinic.do("SELECT attname FROM pg_attribute WHERE attrelid = 'odd'::regclass AND attnum > 1 ORDER BY attnum")
    ]
    shoal.anonymize(clinic.address("odd"), k=3, quasi_identifiers=["age"], keep=kept).write(clinic.address("release"))
    types = dict(
        clinic.do("SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = 'release'::regclass AND attnum > 0")
    )
    assert types == {
        "age": "text", "i": "interval", "m": "numeric(10,2)", "cash": "money", "t": "time without time zone", "p": "point", "c": "character(4)", "f": "double precision",
        "e": "text", "mood": "text", "z": "timestamp with time zone", "a": "integer[]",
    }  # fmt: skip
    names = ", ".join(f"{name}::text" for name in kept)
    assert clinic.do(f"SELECT {names} FROM release") == clinic.do(f"SELECT {names} FROM odd")


def test_a_frame_s_types_are_kept_where_the_server_has_them(clinic: Server, tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {
            "age": [31, 33, 36, 52], "n": [1, None, 3, 4], "f": [0.1, float("nan"), 3.0, -0.0], "b": [True, False, None, True],
            "d": pl.Series(["2024-01-31"] * 4).str.to_date(), "m": pl.Series(["2024-01-31 10:00:00"] * 4).str.to_datetime(), "x": ["\\.", 'q"', "a,b\n", ""],
        }
    )  # fmt: skip
    shoal.anonymize(frame, k=2, quasi_identifiers=["age"], keep=["n", "f", "b", "d", "m", "x"]).write(clinic.address("release"))
    assert clinic.do("SELECT n, f, b, d::text, m, x FROM release") == [
        (1, 0.1, True, "2024-01-31", "2024-01-31T10:00:00", "\\."), (None, None, False, "2024-01-31", "2024-01-31T10:00:00", 'q"'),
        (3, 3.0, None, "2024-01-31", "2024-01-31T10:00:00", "a,b\n"), (4, 0.0, True, "2024-01-31", "2024-01-31T10:00:00", ""),
    ]  # fmt: skip


def test_an_old_table_is_replaced_only_with_force_and_its_grants_stay(clinic: Server) -> None:
    release = shoal.anonymize(clinic.address("people"), **ASKED)
    clinic.do(
        "CREATE ROLE nurse", "CREATE ROLE owner", "CREATE ROLE nosy", "ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT ON TABLES TO nosy, PUBLIC",
        "CREATE TABLE release (age text, ill text, old text)", "REVOKE ALL ON release FROM nosy, PUBLIC", "GRANT ALL ON SCHEMA public TO owner",
        "ALTER TABLE release OWNER TO owner", "GRANT SELECT ON release TO nurse WITH GRANT OPTION", "GRANT UPDATE (ill, old) ON release TO nurse",
    )  # fmt: skip
    try:
        with pytest.raises(WriteError, match="exists already"):
            release.write(clinic.address("release"))
        release.write(clinic.address("release"), force=True)
        assert len(rows(clinic)) == 6
        found = clinic.do(
            "SELECT pg_get_userbyid(relowner), has_table_privilege('nurse', oid, 'SELECT WITH GRANT OPTION'), has_table_privilege('nurse', oid, 'DELETE'), "
            "has_column_privilege('nurse', oid, 'ill', 'UPDATE'), has_column_privilege('nurse', oid, 'age', 'UPDATE'), has_table_privilege('nosy', oid, 'SELECT') FROM pg_class WHERE oid = 'public.release'::regclass"
        )
        assert found == [("owner", True, False, True, False, False)]
    finally:
        clinic.do(
            "DROP OWNED BY nurse, owner, nosy CASCADE",
            "ALTER DEFAULT PRIVILEGES IN SCHEMA public REVOKE SELECT ON TABLES FROM nosy, PUBLIC",
            "DROP ROLE nurse, owner, nosy",
        )


@pytest.mark.parametrize(
    ("made", "said"),
    [
        ("CREATE VIEW release AS SELECT 1 AS one", "is a view"),
        ("CREATE TABLE release (x text) PARTITION BY LIST (x)", "partitioned"),
        ("CREATE TABLE release (x text); ALTER TABLE release ENABLE ROW LEVEL SECURITY", "who sees which rows"),
        ("CREATE TABLE release (x text); CREATE TABLE part () INHERITS (release)", "has parts"),
        ("CREATE TABLE release (x text); CREATE VIEW seen AS SELECT * FROM release", "depend on the table"),
    ],
)
def test_what_cannot_be_replaced_stays(clinic: Server, made: str, said: str) -> None:
    clinic.do(made)
    before = tables(clinic)
    with pytest.raises(WriteError, match=said):
        shoal.anonymize(clinic.address("people"), **ASKED).write(clinic.address("release"), force=True)
    assert tables(clinic) == before


def test_the_input_is_no_target_whatever_it_is_called(clinic: Server, capsys: pytest.CaptureFixture[str]) -> None:
    clinic.do("CREATE VIEW seen AS SELECT * FROM people WHERE age > 0")
    said = ["-k", "3", "--qi", "age,zip", "--sensitive", "ill", "--force"]
    for source in (clinic.address("people"), clinic.address("seen"), clinic.address(query="SELECT * FROM (SELECT * FROM seen) x")):
        assert run(["anonymize", source, "-o", clinic.address("public.people"), *said]) == 2
        assert "never overwrites what it reads" in capsys.readouterr().err
    assert run(["anonymize", clinic.address("seen"), "-o", clinic.address("release"), *said]) == 0
    assert len(rows(clinic)) == 6


def test_a_role_without_rights_is_told_before_the_work(
    clinic: Server, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clinic.do("CREATE ROLE ada LOGIN PASSWORD 'secret-word'", "GRANT SELECT ON people TO ada", "CREATE TABLE release (x text)")
    monkeypatch.setenv("PGPASSWORD", "secret-word")
    try:
        said = ["-k", "3", "--qi", "age,zip", "--sensitive", "ill", "--force"]
        assert run(["anonymize", clinic.address("people", user="ada"), "-o", clinic.address("new", user="ada"), *said]) == 2
        assert "may not create tables in the schema 'public'" in capsys.readouterr().err
        clinic.do("GRANT CREATE ON SCHEMA public TO ada")
        assert run(["anonymize", clinic.address("people", user="ada"), "-o", clinic.address("release", user="ada"), *said]) == 2
        told = capsys.readouterr()
        assert "belongs to somebody else" in told.err
        assert run(["anonymize", clinic.address("people", user="ada"), "-o", clinic.address("new", user="ada"), *said]) == 0
        assert "secret-word" not in told.err + told.out + "".join(capsys.readouterr())
        assert "secret-word" not in clinic.log().replace("PASSWORD 'secret-word'", "")
    finally:
        clinic.do("DROP OWNED BY ada", "DROP ROLE ada")


def test_a_reader_sees_the_old_table_or_the_new_one(clinic: Server) -> None:
    """Somebody counts the rows all the time while the table is replaced five times: 6 or 5, never anything else, and never an error."""
    clinic.do("CREATE TABLE release AS SELECT age::text, zip::text, ill FROM people LIMIT 5")
    release, seen, done = shoal.anonymize(clinic.address("people"), **ASKED), [], threading.Event()

    def look() -> None:
        with clinic.connect() as connection:
            while not done.is_set():
                seen.append(connection.execute("SELECT count(*) FROM release").fetchone())

    reader = threading.Thread(target=look)
    reader.start()
    for _ in range(5):
        release.write(clinic.address("release"), force=True)
    done.set()
    reader.join()
    assert set(seen) <= {(5,), (6,)}
    assert seen[-1] == (6,)


def test_who_holds_the_old_table_is_not_waited_for_without_end(clinic: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    clinic.do("CREATE TABLE release (x text)")
    monkeypatch.setattr(writing, "PATIENCE", "200ms")
    with clinic.connect() as connection:
        connection.autocommit = False
        connection.execute("SELECT * FROM release")
        with pytest.raises(WriteError, match="somebody uses the table"):
            shoal.anonymize(clinic.address("people"), **ASKED).write(clinic.address("release"), force=True)
    assert tables(clinic) == ["people", "release"]


KILLED = """
import sys, time
import shoal
from shoal.io.targets import postgres as writing
release = shoal.anonymize(sys.argv[1], k=3, quasi_identifiers=["age", "zip"], sensitive=["ill"])
def wait(*given):
    open(sys.argv[3], "w").close()
    time.sleep(60)
setattr(writing, sys.argv[4], wait)
release.write(sys.argv[2], force=True)
"""


@pytest.mark.parametrize("moment", ["rows_of", "commit"])
def test_a_process_that_is_killed_while_writing_leaves_the_old_table(clinic: Server, tmp_path: Path, moment: str) -> None:
    clinic.do("CREATE TABLE release AS SELECT 'old' AS x")
    process = subprocess.Popen(
        [sys.executable, "-c", KILLED, clinic.address("people"), clinic.address("release"), str(tmp_path / "sign"), moment]
    )
    while not (tmp_path / "sign").exists() and process.poll() is None:
        time.sleep(0.05)
    if moment == "rows_of":
        assert rows(clinic) == [("old",)], "a reader sees the old table while the new one is written"
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    for _ in range(100):
        if clinic.do("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'shoal'") == [(0,)]:
            break
        time.sleep(0.1)
    assert rows(clinic) == [("old",)]
    assert tables(clinic) == ["people", "release"], "nothing half-written is left"
    assert clinic.do("SELECT count(*) FROM pg_class WHERE relname LIKE 'shoal part%'") == [(0,)]
    shoal.anonymize(clinic.address("people"), **ASKED).write(clinic.address("release"), force=True)
    assert len(rows(clinic)) == 6


def test_a_lost_connection_leaves_the_old_table_and_says_so(clinic: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    clinic.do("CREATE TABLE release AS SELECT 'old' AS x")
    true = writing.rows_of

    def lose(connection: psycopg.Connection, *given: object) -> Iterator[pl.DataFrame]:
        clinic.do(f"SELECT pg_terminate_backend({connection.info.backend_pid})")
        return true(connection, *given)

    monkeypatch.setattr(writing, "rows_of", lose)
    with pytest.raises(WriteError, match=r"the server was stopped|the connection was lost") as caught:
        shoal.anonymize(clinic.address("people"), **ASKED).write(clinic.address("release"), force=True)
    assert "80331" not in str(caught.value)
    assert rows(clinic) == [("old",)]


def test_no_cell_is_in_the_server_s_log_or_in_a_message(clinic: Server) -> None:
    """Rows go by COPY, so that no statement holds one. A row that does not fit is refused by the server, whose words name it in its own log alone."""
    clinic.do("CREATE TABLE marked AS SELECT n AS age, 'x' || n || 'Ezechiel-' || 4420 + 1 AS name FROM generate_series(1, 6) n")
    shoal.anonymize(clinic.address("marked"), k=3, quasi_identifiers=["age"], keep=["name"]).write(clinic.address("release"))
    assert "Ezechiel-4421" not in clinic.log()
    frame = pl.DataFrame({"age": [1, 2, 3], "x": [f"{MARK}\0", "a", "b"]})
    with pytest.raises(WriteError, match="does not fit") as caught:
        shoal.anonymize(frame, k=3, quasi_identifiers=["age"], keep=["x"]).write(clinic.address("other"))
    assert MARK not in str(caught.value)
    assert tables(clinic) == ["marked", "people", "release"]


def test_what_a_target_must_be(clinic: Server) -> None:
    release = shoal.anonymize(clinic.address("people"), **ASKED)
    for address, said in (
        (clinic.address(query="SELECT 1 AS x"), "not to a query"),
        (clinic.address("absent.release"), "There is no schema 'absent'"),
        (clinic.address("pg_catalog.release"), "There is no schema 'pg_catalog'"),
        (clinic.address("x" * 64), "longer than 63 bytes"),
        (clinic.address("release", database="absent"), "does not exist"),
    ):
        with pytest.raises(WriteError, match=said):
            release.write(address)


def test_if_the_server_gives_back_other_cells_nothing_is_written(clinic: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    release = shoal.anonymize(clinic.address("people"), **ASKED)
    true = writing.rows_of
    monkeypatch.setattr(writing, "rows_of", lambda *given: (frame.with_columns(zip=pl.lit("*")) for frame in true(*given)))
    with pytest.raises(NotAnonymous, match="other rows"):
        release.write(clinic.address("release"))
    assert tables(clinic) == ["people"]


FRAME = pl.DataFrame(
    {"age": ["30-39"] * 5, "n": [5, 4, 3, None, 10], "f": [0.1, None, -2.5, 1e300, 3.0], "t": ["", None, 'q"', "é\n", "\\."]}
)


def test_numbers_of_another_database_come_back_as_they_were(clinic: Server) -> None:
    """Cells that PostgreSQL writes in another way (3 for 3.0) are the same numbers; a cell that is the end of a COPY in its text form is a cell."""
    with writing.PostgresTarget(of(clinic.address("release"))) as to:
        to.write(iter([FRAME[:2], FRAME[2:]]), ["age"])
        assert told_of(to.rows()) == told_of([FRAME])
        assert tables(clinic) == ["people"], "before it is published"
        to.publish(None)
    assert clinic.do("SELECT count(*) FROM release") == [(5,)]
