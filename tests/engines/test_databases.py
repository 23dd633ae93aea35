"""From table to table without the table in memory, between databases of every kind: the same release, whole or not at all, and nothing left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
import shoal.api
from shoal import io
from shoal.disk import spill
from shoal.engines import limits, passing
from shoal.engines.passing import Passing, collected
from shoal.engines.stored import Stored
from shoal.errors import DataError, NotAnonymous, Refused, ShoalError, WriteError
from shoal.io.sources import sqlite as sqlite_source
from shoal.io.sql import duckdb as duckdb_room
from shoal.io.target import Target
from shoal.io.targets import duckdb as duckdb_target
from shoal.io.targets import sqlite as sqlite_target
from shoal.policy.policy import Policy
from tests.engines.stations import STATIONS, Station
from tests.engines.test_contract import ASKED, people, texts

FILES = ("sqlite", "duckdb")
BETWEEN = [("sqlite", "duckdb"), ("duckdb", "sqlite"), ("sqlite", "postgres"), ("postgres", "duckdb")]
MARK = "Zebulon-7731"


def station(engine: str) -> Station:
    return STATIONS[engine]


@pytest.fixture(params=[1 << 16, 64])
def stretch(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stretches as they are, and very short ones."""
    for module in (sqlite_source, sqlite_target, duckdb_room):
        monkeypatch.setattr(module, "ROWS", request.param)


@pytest.mark.usefixtures("stretch")
@pytest.mark.parametrize("keep_order", [True, False])
@pytest.mark.parametrize("engine", FILES)
def test_the_manifest_is_that_of_memory_with_the_hash(engine: str, keep_order: bool, tmp_path: Path) -> None:
    data, output = station(engine).put(people(), tmp_path)
    asked = {**ASKED["withheld"], "keep_order": keep_order}
    made = shoal.publish(data, output, engine=engine, **asked)
    assert made.manifest == shoal.anonymize(data, **asked).manifest
    assert shoal.verify(data, output, k=6, quasi_identifiers=["age", "town"], reordered=not keep_order, withheld=20).smallest_group >= 6


@pytest.mark.parametrize("keep_order", [True, False])
@pytest.mark.parametrize(("source", "target"), BETWEEN)
def test_a_release_goes_to_another_database(source: str, target: str, keep_order: bool, tmp_path: Path) -> None:
    """Numbers stay numbers: they are written in another way there, and are the same."""
    table = people().with_columns(pl.col("visit").cast(pl.Int64), weight=pl.int_range(400).cast(pl.Float64) / 8)
    table = table if source != "postgres" else table.cast(pl.String)
    data, _ = station(source).put(table, tmp_path)
    (tmp_path / "to").mkdir()
    _, output = station(target).put(table.cast(pl.String), tmp_path / "to")
    asked = {**ASKED["plain"], "keep": ["visit", "weight"], "keep_order": keep_order}
    made = shoal.publish(data, output, engine=source, **asked)
    wanted = shoal.anonymize(data, **asked)
    assert made.manifest == wanted.manifest
    found = io.read(output).frame
    assert sorted(found["visit"].cast(pl.Int64)) == sorted(table["visit"].cast(pl.Int64))
    if keep_order:
        assert texts(found.select("age", "town", "illness")).equals(texts(wanted.frame.select("age", "town", "illness")))


@pytest.mark.parametrize("engine", FILES)
def test_an_engine_that_writes_other_cells_is_found_out(engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data, output = station(engine).put(people(), tmp_path)
    kind: type[Target] = {"sqlite": sqlite_target.SqliteTarget, "duckdb": duckdb_target.DuckdbTarget}[engine]
    true = kind.write
    for spoil in (
        lambda frame: frame[:-1],
        lambda frame: pl.concat([frame, frame[:1]]),
        lambda frame: frame.with_columns(illness=pl.lit("flu")),
        lambda frame: frame.with_columns(age=frame["age"].shift(1)),
        lambda frame: frame[::-1],
    ):

        def write(self: Target, rows: Iterator[pl.DataFrame], *given: Any, spoil: Any = spoil) -> None:
            true(self, (spoil(frame) for frame in rows), *given)

        for keep_order in (True, False):
            monkeypatch.setattr(kind, "write", write)
            with pytest.raises(NotAnonymous, match="other rows"):
                shoal.publish(data, output, engine=engine, **{**ASKED["plain"], "keep_order": keep_order})
        assert left_in(tmp_path) == [Path(data.partition("?")[0].removeprefix(f"{engine}:///")).name]


def left_in(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


KILLED = """
import sys, time
import shoal
from shoal.engines.passing import Passing
from shoal.io.sources import sqlite as source
from shoal.io.sql import duckdb as room
from shoal.io.targets import duckdb, sqlite
data, output, sign, engine, moment, order = sys.argv[1:]
def wait(*given, **named):
    open(sign, "w").close()
    time.sleep(60)
kind = {"sqlite": sqlite.SqliteTarget, "duckdb": duckdb.DuckdbTarget}[engine]
if moment == "middle":
    Passing._released = (lambda true: lambda self, recipe: (frame if number == 0 else wait() for number, frame in enumerate(true(self, recipe))))(Passing._released)
    source.ROWS = room.ROWS = 64
else:
    setattr(*{"written": (kind, "rows"), "publish": (kind, "publish"), "copied": ({"sqlite": sqlite, "duckdb": duckdb}[engine], "check_told")}[moment], wait)
shoal.publish(data, output, engine=engine, k=4, quasi_identifiers=["age", "town"], sensitive=["illness"], keep=["visit"], force=True, effort=0.1, keep_order=order == "kept")
"""


@pytest.mark.parametrize("moment", ["middle", "written", "publish", "copied"])
@pytest.mark.parametrize("engine", FILES)
def test_a_process_that_is_killed_leaves_the_old_table_and_the_next_sweeps(
    engine: str, moment: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    private = tmp_path / "tmp"
    private.mkdir()
    monkeypatch.setenv("TMPDIR", str(private))
    monkeypatch.setattr(spill.tempfile, "tempdir", str(private))
    (tmp_path / "data").mkdir()
    data, output = station(engine).put(people(1000), tmp_path / "data")
    old = put_old(engine, output, with_other=moment == "copied")
    given = [data, output, str(tmp_path / "sign"), engine, moment, "kept"]
    process = subprocess.Popen([sys.executable, "-c", KILLED, *given])
    while not (tmp_path / "sign").exists() and process.poll() is None:
        time.sleep(0.05)
    assert process.poll() is None
    assert any(path.name.startswith(".shoal-spill-") for path in (tmp_path / "data").iterdir())
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert texts(io.read(old).frame).rows() == [(MARK,)], "the old table is whole"
    shoal.publish(data, output, engine=engine, force=True, **ASKED["plain"])
    assert io.read(output).n_rows == 1000
    assert not [name for name in left_in(tmp_path / "data") if "shoal" in name], "what the killed run left is swept"
    assert left_in(private) == []


def put_old(engine: str, output: str, with_other: bool) -> str:
    """A table that has the name of the target; where there is another table too, the new one goes into the same file. Gives the table that must stay."""
    path, name = output.partition("?")[0].removeprefix(f"{engine}:///"), "release"
    if engine == "duckdb" and with_other:
        name = "other"  # DuckDB replaces a table only where it is alone
    import sqlite3

    import duckdb

    connection: Any = (duckdb if engine == "duckdb" else sqlite3).connect(path)
    connection.execute(f"CREATE TABLE {name} AS SELECT '{MARK}' AS x")
    connection.commit()
    connection.close()
    return f"{engine}:///{path}?table={name}"


@pytest.mark.parametrize("engine", FILES)
def test_a_table_that_is_too_large_for_memory_is_taken_by_itself(engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data, output = station(engine).put(people(2000), tmp_path)
    said = {**ASKED["plain"], "force": True, "algorithm": "mondrian"}
    assert isinstance(shoal.publish(data, output, **said), shoal.Release)
    with pytest.raises(Refused, match="different rows"):
        shoal.publish(data, output, memory="100KB", **said)
    for module in (limits, passing):
        monkeypatch.setattr(module, "BASE", 0)
        monkeypatch.setattr(module, "SOLVER", 1)
    assert isinstance(shoal.publish(data, output, memory="100KB", **said), Stored)
    assert isinstance(shoal.publish(data, tmp_path / "o.csv", memory="100KB", **said), Stored)


def test_more_different_rows_than_memory_has_room_for_are_refused_with_their_number() -> None:
    from shoal.engines.base import Job

    frames = [pl.DataFrame({"c0": [str(i)], "n": [1]}) for i in range(5)]
    assert collected(iter(frames), Job("x", Policy(), memory=1 << 30)).height == 5
    with pytest.raises(Refused, match="There are 5 different rows"):
        collected(iter(frames), Job("x", Policy(), memory=limits.BASE + 3 * limits.SOLVER))


@pytest.mark.parametrize("engine", [*FILES, "postgres"])
def test_hostile_names_and_cells_pass_as_they_are(engine: str, tmp_path: Path) -> None:
    table = pl.DataFrame(
        {
            'a"; DROP TABLE people; --': ["x" * 10_000, "🦈;'\"", None, "\\.", ""] * 4,
            "c0": ["1"] * 20,
            "n": [MARK] * 20,
            "group": ["a\r\nb"] * 20,
            "shoal cells": ["\t"] * 20,
        }
    )
    data, output = station(engine).put(table, tmp_path)
    asked: dict[str, Any] = {"k": 4, "quasi_identifiers": ['a"; DROP TABLE people; --', "c0"], "keep": ["n", "group", "shoal cells"]}
    made = shoal.publish(data, output, engine=engine, **asked)
    wanted = shoal.anonymize(data, **asked)
    assert made.manifest == wanted.manifest
    assert io.read(output).frame.equals(wanted.frame)


@pytest.mark.parametrize("engine", [*FILES, "postgres"])
def test_a_table_of_very_many_columns(engine: str, tmp_path: Path) -> None:
    """As many as PostgreSQL takes; for the others, more than the 999 marks that a statement of SQLite had room for."""
    n_columns = 1600 if engine == "postgres" else 1100
    table = pl.DataFrame({f"c{j}": [str((i * j) % 3) for i in range(12)] for j in range(n_columns)})
    data, output = station(engine).put(table, tmp_path)
    asked = {"k": 3, "quasi_identifiers": ["c1", "c2"], "keep": table.columns[3:], "identifiers": ["c0"], "algorithm": "mondrian"}
    made = shoal.publish(data, output, engine=engine, **asked)
    assert made.manifest["n_released"] == 12
    found = io.read(output).frame
    assert found.columns == table.columns[1:]
    assert found.select(table.columns[3:]).equals(table.select(table.columns[3:]))


@pytest.mark.parametrize("engine", [*FILES, "postgres"])
def test_empty_tables_and_tables_without_a_cell(engine: str, tmp_path: Path) -> None:
    empty = people(1)[:0]
    data, output = station(engine).put(empty, tmp_path)
    with pytest.raises(DataError, match="no rows"):
        shoal.publish(data, output, engine=engine, **ASKED["plain"])
    assert "release" not in " ".join(left_in(tmp_path))
    with pytest.raises(DataError, match="no table"):
        io.read(output) if engine == "postgres" else io.read(data.replace("table=people", "table=absent"))
    (tmp_path / "null").mkdir()
    data, output = station(engine).put(
        people(30).with_columns(pl.lit(None, dtype=pl.String).alias(c) for c in people(1).columns), tmp_path / "null"
    )
    made = shoal.publish(data, output, engine=engine, **ASKED["plain"])
    assert made.manifest == shoal.anonymize(data, **ASKED["plain"]).manifest


@pytest.mark.parametrize("engine", FILES)
def test_what_cannot_be_done_is_refused_before_the_work(engine: str, tmp_path: Path) -> None:
    data, output = station(engine).put(people(), tmp_path)
    for how, said in (({"person": "who"}, "people"), ({"form": "bounds"}, "form"), ({"spreadsheet_safe": True}, "spreadsheet")):
        with pytest.raises(Refused, match=said):
            shoal.publish(data, output, engine=engine, **{**ASKED["plain"], **how})
    people().write_csv(tmp_path / "p.csv")
    with pytest.raises(Refused, match="reads or writes a table of"):
        shoal.publish(tmp_path / "p.csv", tmp_path / "o.csv", engine=engine, **ASKED["plain"])
    with pytest.raises(WriteError, match="holds the original"):
        shoal.publish(data, data.replace("table=people", "table=release"), engine=engine, **ASKED["plain"])
    with pytest.raises(WriteError, match="does not exist"):
        shoal.publish(data, output.replace("release.", "absent/release."), engine=engine, **ASKED["plain"])


RANDOM = """
import sys
import shoal
shoal.publish(sys.argv[1], sys.argv[2], engine=sys.argv[3], k=4, quasi_identifiers=["age", "town"], sensitive=["illness"], keep=["visit"], algorithm="mondrian", force=True)
"""


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("engine", [*FILES, "postgres"])
def test_kills_at_random_moments_leave_the_old_table_or_the_new_one(engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng()
    (tmp_path / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    (tmp_path / "data").mkdir()
    data, output = station(engine).put(people(60_000), tmp_path / "data")
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", RANDOM, data, output, engine], check=True)
    took, whole = time.perf_counter() - start, texts(io.read(output).frame)
    killed = 0
    for _ in range(12):
        process = subprocess.Popen([sys.executable, "-c", RANDOM, data, output, engine])
        time.sleep(took * float(rng.uniform(0.3, 1.0)))
        killed += process.poll() is None
        process.kill()
        process.wait()
        assert texts(io.read(output).frame).equals(whole), "the old table and the new one are equal here, and nothing else may be seen"
    assert killed
    subprocess.run([sys.executable, "-c", RANDOM, data, output, engine], check=True)
    assert left_in(tmp_path / "tmp") == []
    assert not [name for name in left_in(tmp_path / "data") if "shoal" in name or "part" in name]


FULL = """
import resource, signal, sys
import shoal
sys.dont_write_bytecode = True  # Python would keep what is cut off, and load it the next time
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
data, output, engine, limit = sys.argv[1:]
resource.setrlimit(resource.RLIMIT_FSIZE, (int(limit), int(limit)))
try:
    shoal.publish(data, output, engine=engine, k=4, quasi_identifiers=["age", "town"], sensitive=["illness"], keep=["visit", "filler"], algorithm="mondrian", force=True)
except shoal.ShoalError as error:
    print(type(error).__name__, error)
"""


@pytest.mark.parametrize("with_other", [False, True])
@pytest.mark.parametrize("engine", FILES)
def test_a_full_disk_leaves_the_old_table_and_is_said_without_a_cell(engine: str, with_other: bool, tmp_path: Path) -> None:
    table = people(4000).with_columns(filler=pl.Series([f"{MARK}{i:0500d}" for i in range(4000)]))
    data, output = station(engine).put(table, tmp_path)
    old = put_old(engine, output, with_other)
    before = left_in(tmp_path)
    done = subprocess.run([sys.executable, "-c", FULL, data, output, engine, "500000"], capture_output=True, text=True)
    assert done.stdout.startswith("WriteError"), done.stdout + done.stderr
    assert "disk is full" in done.stdout
    assert MARK not in done.stdout + done.stderr
    assert texts(io.read(old).frame).rows() == [(MARK,)]
    assert left_in(tmp_path) == before


def test_a_column_that_has_no_text_goes_where_it_can(tmp_path: Path) -> None:
    table = people().with_columns(lists=pl.Series([[1, i] for i in range(400)]))
    data, output = station("duckdb").put(table, tmp_path)
    asked = {**ASKED["plain"], "keep": ["visit", "lists"]}
    shoal.publish(data, output, engine="duckdb", **asked)
    assert io.read(output).frame["lists"].equals(table["lists"])
    with pytest.raises(DataError, match="Column 'lists'"):
        shoal.publish(data, f"sqlite:///{tmp_path}/r.db?table=t", engine="duckdb", **asked)
    assert not (tmp_path / "r.db").exists()


def test_what_is_not_verified_is_not_published(tmp_path: Path) -> None:
    data, output = station("sqlite").put(people(), tmp_path)
    with shoal.api.stage(data, output, engine="sqlite", **ASKED["plain"]) as made:
        assert isinstance(made, Stored)
        rows = made._rows
        assert isinstance(rows, Passing)
        rows._told = "0"
        with pytest.raises(ShoalError, match="not the table that was verified"):
            made.write()
    assert left_in(tmp_path) == ["people.db"]
