"""From a table of PostgreSQL to another without the table in memory: one moment, whole or not at all, and the same release as in memory."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import shoal
from shoal.cli.main import run
from shoal.engines import beside, limits, passing
from shoal.engines.passing import Passing
from shoal.engines.stored import Stored
from shoal.errors import DataError, NotAnonymous, Refused, WriteError
from shoal.io.sql import postgres
from shoal.io.targets.postgres import PostgresTarget
from tests.servers import Server

ASKED = {"k": 5, "quasi_identifiers": ["age", "zip"], "sensitive": ["ill"], "algorithm": "mondrian"}
KEPT = ["cash", "stay", "t", "n"]
MADE = """
CREATE TABLE people AS SELECT 20 + n * 7 % 40 AS age, ('803' || n % 17 + 10)::char(7) AS zip, CASE n % 4 WHEN 0 THEN 'flu' WHEN 1 THEN '' WHEN 2 THEN 'NA' END AS ill,
n::money AS cash, '1 day'::interval * n AS stay, '24:00'::time AS t, n::numeric(10,3) AS n FROM generate_series(1, 600) n
"""


@pytest.fixture
def clinic(server: Server) -> Iterator[Server]:
    server.do("DROP SCHEMA public CASCADE", "CREATE SCHEMA public", MADE)
    yield server
    server.do("DROP SCHEMA public CASCADE", "CREATE SCHEMA public")


@pytest.fixture(params=[1 << 16, 37])
def stretch(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stretches as they are, and very short ones."""
    monkeypatch.setattr(postgres, "ROWS", request.param)
    monkeypatch.setattr(beside, "OFTEN", 3)


def publish(server: Server, source: str | None = None, **how: object) -> Stored:
    return shoal.publish(source or server.address("people"), server.address("release"), engine="postgres", keep=KEPT, **{**ASKED, **how})


def tables_of(server: Server) -> list[str]:
    return [
        str(name)
        for (name,) in server.do("SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY 1")
    ]


@pytest.mark.usefixtures("stretch")
def test_the_release_is_that_of_memory_with_types_cells_and_hash(clinic: Server) -> None:
    made = publish(clinic, missing_values=["NA"])
    release = shoal.anonymize(clinic.address("people"), **ASKED, keep=KEPT, missing_values=["NA"])
    assert made.manifest == release.manifest, "the hash too"
    assert clinic.do("SELECT age, zip, ill FROM release") == release.frame.select("age", "zip", "ill").rows()
    names = ", ".join(f"{name}::text" for name in KEPT)
    assert clinic.do(f"SELECT {names} FROM release") == clinic.do(f"SELECT {names} FROM people")
    types = dict(
        clinic.do("SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = 'release'::regclass AND attnum > 3")
    )
    assert types == {"cash": "money", "stay": "interval", "t": "time without time zone", "n": "numeric(10,3)"}
    assert tables_of(clinic) == ["people", "release"]
    assert (
        shoal.verify(
            clinic.address("people"),
            clinic.address("release"),
            missing_values=["NA"],
            **{key: ASKED[key] for key in ("k", "quasi_identifiers", "sensitive")},
        ).smallest_group
        >= 5
    )


@pytest.mark.usefixtures("stretch")
def test_sorted_rows_are_those_of_memory_in_the_same_order(clinic: Server) -> None:
    made = publish(clinic, keep_order=False)
    release = shoal.anonymize(clinic.address("people"), **ASKED, keep=KEPT, keep_order=False)
    assert made.manifest == release.manifest
    assert tables_of(clinic) == ["people", "release"]


def test_what_others_change_meanwhile_is_not_seen(clinic: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows are deleted and added after they were counted and before they are written: the release is that of the first moment."""
    true = Passing.apply

    def change(self: Passing, recipe: object) -> None:
        clinic.do("DELETE FROM people WHERE age < 40", "INSERT INTO people SELECT * FROM people", "VACUUM people")
        true(self, recipe)

    wanted = shoal.anonymize(clinic.address("people"), **ASKED, keep=KEPT)
    monkeypatch.setattr(Passing, "apply", change)
    publish(clinic)
    assert clinic.do("SELECT age, zip, ill FROM release") == wanted.frame.select("age", "zip", "ill").rows()


def test_a_query_that_gives_other_rows_each_time_is_refused(clinic: Server) -> None:
    with pytest.raises(DataError, match="changed while it was read"):
        publish(clinic, clinic.address(query="SELECT (random() * 40)::int AS age, zip, ill, cash, stay, t, n FROM people"))
    assert tables_of(clinic) == ["people"]
    publish(clinic, clinic.address(query="SELECT * FROM people WHERE age < 50"))
    assert clinic.do("SELECT count(*) FROM release") == clinic.do("SELECT count(*) FROM people WHERE age < 50")


def test_an_engine_that_writes_other_cells_is_found_out(clinic: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """The new table is counted and compared as the server has it, not as it was meant."""
    true = PostgresTarget.write

    def spoil(statement: str) -> None:
        def write(self: PostgresTarget, *given: object) -> None:
            true(self, *given)
            self._connection.execute(statement.replace("PART", self._part).encode())

        monkeypatch.setattr(PostgresTarget, "write", write)

    for statement in (
        "UPDATE PART SET age = '20' WHERE ctid = (SELECT min(ctid) FROM PART)",
        "UPDATE PART SET stay = stay + '1 day'",
        "DELETE FROM PART WHERE n > 590",
        "INSERT INTO PART SELECT * FROM PART LIMIT 1",
        "UPDATE PART SET zip = NULL",
    ):
        spoil(statement)
        with pytest.raises(NotAnonymous, match="other rows"):
            publish(clinic)
        assert tables_of(clinic) == ["people"]


KILLED = """
import sys, time
import shoal
from shoal.io.targets import postgres as writing
true = getattr(writing, sys.argv[4])
def wait(*given):
    open(sys.argv[3], "w").close()
    time.sleep(60)
setattr(writing, sys.argv[4], wait)
shoal.publish(sys.argv[1], sys.argv[2], engine="postgres", k=5, quasi_identifiers=["age", "zip"], sensitive=["ill"], keep=["cash", "stay", "t", "n"], force=True)
"""


@pytest.mark.parametrize("moment", ["fill", "replace_by", "commit"])
def test_a_process_that_is_killed_leaves_the_old_table(clinic: Server, tmp_path: Path, moment: str) -> None:
    clinic.do("CREATE TABLE release AS SELECT 'old' AS x")
    given = [clinic.address("people"), clinic.address("release"), str(tmp_path / "sign"), moment]
    process = subprocess.Popen([sys.executable, "-c", KILLED, *given])
    while not (tmp_path / "sign").exists() and process.poll() is None:
        time.sleep(0.05)
    if moment != "commit":
        assert clinic.do("SELECT * FROM release") == [("old",)]
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    for _ in range(100):
        if clinic.do("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'shoal'") == [(0,)]:
            break
        time.sleep(0.1)
    assert clinic.do("SELECT * FROM release") == [("old",)]
    assert tables_of(clinic) == ["people", "release"]


def test_a_lost_connection_leaves_the_old_table_and_no_cell_in_the_message(clinic: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    clinic.do("CREATE TABLE release AS SELECT 'old' AS x")
    true = PostgresTarget.rows

    def lose(self: PostgresTarget) -> object:
        clinic.do(f"SELECT pg_terminate_backend({self._connection.info.backend_pid})")
        return true(self)

    monkeypatch.setattr(PostgresTarget, "rows", lose)
    with pytest.raises(WriteError, match=r"the server was stopped|connection was lost"):
        publish(clinic, force=True)
    assert clinic.do("SELECT * FROM release") == [("old",)]


def test_a_source_that_is_lost_in_the_middle_leaves_the_old_table(clinic: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    clinic.do("CREATE TABLE release AS SELECT 'old' AS x")
    true = Passing.apply

    def lose(self: Passing, recipe: object) -> None:
        clinic.do(f"SELECT pg_terminate_backend({self._from._connection.info.backend_pid})")  # type: ignore[attr-defined]
        true(self, recipe)  # type: ignore[arg-type]

    monkeypatch.setattr(Passing, "apply", lose)
    with pytest.raises(DataError, match=r"the server was stopped|connection was lost"):
        publish(clinic, force=True)
    assert clinic.do("SELECT * FROM release") == [("old",)]
    assert tables_of(clinic) == ["people", "release"]


def test_the_command_takes_the_engine_and_a_manifest(clinic: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = ["-k", "5", "--qi", "age,zip", "--sensitive", "ill", "--keep", ",".join(KEPT), "--engine", "postgres"]
    made = ["anonymize", clinic.address("people"), "-o", clinic.address("release"), *said, "--manifest", str(tmp_path / "m.json")]
    assert run(made) == 0
    assert "verified by an independent recount" in capsys.readouterr().out
    assert (tmp_path / "m.json").exists()
    assert run(["anonymize", clinic.address("people"), "-o", str(tmp_path / "o.csv"), *said]) == 0
    assert run(["anonymize", str(tmp_path / "o.csv"), "-o", str(tmp_path / "p.csv"), *said]) == 2
    assert "reads or writes a table of PostgreSQL" in capsys.readouterr().err


def test_a_table_that_is_too_large_for_memory_stays_on_the_server(clinic: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clinic.do("ANALYZE people")
    said = {"keep": KEPT, "force": True, **ASKED}
    assert isinstance(shoal.publish(clinic.address("people"), clinic.address("release"), **said), shoal.Release)
    with pytest.raises(Refused, match="different rows over the quasi-identifiers"):
        shoal.publish(clinic.address("people"), clinic.address("release"), memory="100KB", **said)
    for module in (limits, passing):
        monkeypatch.setattr(module, "BASE", 0)
        monkeypatch.setattr(module, "SOLVER", 1)
    assert isinstance(shoal.publish(clinic.address("people"), clinic.address("release"), memory="100KB", **said), Stored)
    assert isinstance(shoal.publish(clinic.address("people"), tmp_path / "o.csv", memory="100KB", **said), Stored)


def test_what_needs_memory_is_refused(clinic: Server) -> None:
    for how, said in (({"person": "n"}, "people"), ({"form": "bounds"}, "form"), ({"spreadsheet_safe": True}, "spreadsheet")):
        with pytest.raises(Refused, match=said):
            shoal.publish(clinic.address("people"), clinic.address("release"), engine="postgres", **{**ASKED, **how})
    clinic.do("CREATE TABLE empty (age int, zip text, ill text)")
    with pytest.raises(DataError, match="no rows"):
        shoal.publish(clinic.address("empty"), clinic.address("release"), engine="postgres", **ASKED)
    with pytest.raises(WriteError, match="never overwrites"):
        shoal.publish(clinic.address("people"), clinic.address("people"), engine="postgres", keep=KEPT, force=True, **ASKED)
