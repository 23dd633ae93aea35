"""Tables of SQLite: every cell as it is, the old table or the new one and nothing between, and no cell in a message."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import quote

import polars as pl
import pytest

import shoal
from shoal.cli.main import run
from shoal.errors import DataError, NotAnonymous, WriteError
from shoal.io import read
from shoal.io.targets import sqlite

MARK = "Zebulon-7731"
PEOPLE = [
    (31, "80331", "flu"),
    (33, "80331", "gout"),
    (36, "80335", "flu"),
    (52, "81667", "asthma"),
    (55, "81667", "flu"),
    (58, "81669", None),
]


@pytest.fixture
def database(tmp_path: Path) -> Path:
    with sqlite3.connect(tmp_path / "people.db") as connection:
        connection.execute('CREATE TABLE "the people" (age INTEGER, zip TEXT, ill TEXT)')
        connection.executemany('INSERT INTO "the people" VALUES (?, ?, ?)', PEOPLE)
    connection.close()
    return tmp_path / "people.db"


def address(path: Path, table: str = "the%20people") -> str:
    return f"sqlite:///{path}?table={table}"


def rows(path: Path, table: str = "release") -> list[tuple[object, ...]]:
    connection = sqlite3.connect(path)
    try:
        return connection.execute(f'SELECT * FROM "{table}"').fetchall()
    finally:
        connection.close()


ASKED = {"k": 3, "quasi_identifiers": ["age", "zip"], "sensitive": ["ill"]}


def test_a_table_is_read_with_its_types(database: Path) -> None:
    table = read(address(database))
    assert table.frame.rows() == PEOPLE
    assert table.frame.dtypes == [pl.Int64, pl.String, pl.String]
    assert (table.kind, table.source) == ("path", f"{database} (table the people)")


def test_a_query_is_read(database: Path) -> None:
    table = read(f"sqlite:///{database}?query=SELECT%20zip%20AS%20z%20FROM%20%22the%20people%22%20WHERE%20age%20%3E%2050")
    assert table.frame.to_dict(as_series=False) == {"z": ["81667", "81667", "81669"]}


def test_a_column_of_several_types_becomes_texts(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "p.db") as connection:
        connection.execute("CREATE TABLE t (x, y REAL)")
        connection.executemany("INSERT INTO t VALUES (?, ?)", [(1, 1), ("a", 2.5), (2.0, None), (None, 3)])
    connection.close()
    table = read(address(tmp_path / "p.db", "t"))
    assert table.frame.rows() == [("1", 1.0), ("a", 2.5), ("2.0", None), (None, 3.0)]


def test_a_release_of_a_table_is_that_of_the_same_rows_in_a_file(database: Path, tmp_path: Path) -> None:
    pl.DataFrame(PEOPLE, schema=["age", "zip", "ill"], orient="row").write_csv(tmp_path / "people.csv")
    one, other = shoal.anonymize(address(database), **ASKED), shoal.anonymize(tmp_path / "people.csv", **ASKED)
    assert one.frame.equals(other.frame)
    sha = one.write(address(tmp_path / "out.db", "release"))
    assert rows(tmp_path / "out.db") == one.frame.rows()
    assert sha == other.write(tmp_path / "out.csv") == one.manifest["release_sha256"]
    verdict = shoal.verify(address(database), address(tmp_path / "out.db", "release"), k=3, quasi_identifiers=["age", "zip"])
    assert verdict.smallest_group == 3
    assert shoal.measure(address(database), address(tmp_path / "out.db", "release"), quasi_identifiers=["age", "zip"]).n_released == 6


def test_a_table_is_replaced_only_with_force_and_other_tables_stay(database: Path, tmp_path: Path) -> None:
    release, target = shoal.anonymize(address(database), **ASKED), tmp_path / "out.db"
    with sqlite3.connect(target) as connection:
        connection.execute("CREATE TABLE Release (x TEXT)")
        connection.execute("CREATE VIEW seen AS SELECT 1 AS one")
        connection.execute("INSERT INTO Release VALUES (?)", (MARK,))
    connection.close()
    with pytest.raises(WriteError, match="exists already"):
        release.write(address(target, "release"))
    assert rows(target, "Release") == [(MARK,)]
    with pytest.raises(WriteError, match="a view"):
        release.write(address(target, "seen"), force=True)
    release.write(address(target, "release"), force=True)
    assert rows(target) == release.frame.rows()
    assert rows(target, "seen") == [(1,)]
    assert MARK.encode() not in target.read_bytes(), "what was replaced is overwritten"


def test_the_file_of_the_original_is_no_target(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["anonymize", address(database), "-o", address(database, "release"), "-k", "3", "--qi", "age,zip", "--keep", "ill"]) == 2
    assert "holds the original" in capsys.readouterr().err
    assert read(address(database)).n_rows == 6


def test_the_command_reads_writes_and_verifies_tables(database: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target, manifest = address(tmp_path / "out.db", "release"), tmp_path / "m.json"
    made = ["anonymize", address(database), "-o", target, "-k", "3", "--qi", "age,zip", "--sensitive", "ill", "--manifest", str(manifest)]
    assert run(made) == 0
    assert run(["verify", address(database), target, "-k", "3", "--qi", "age,zip"]) == 0
    assert run(["assess", address(database), "--qi", "age,zip"]) == 0
    assert run(["explore", address(database), "--qi", "age,zip", "-k", "2,3"]) == 0
    manifest.unlink()
    assert run(made) == 2
    assert not manifest.exists()
    capsys.readouterr()
    assert run(["anonymize", address(database), "-o", str(tmp_path / "o.csv"), "--qi", "age,zip", "--manifest", target]) == 2
    assert "Only the release" in capsys.readouterr().err


def test_if_the_database_gives_back_other_cells_nothing_is_written(database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    release = shoal.anonymize(address(database), **ASKED)
    with sqlite3.connect(tmp_path / "out.db") as connection:
        connection.execute("CREATE TABLE release (x TEXT)")
    connection.close()
    true = sqlite._rows
    monkeypatch.setattr(sqlite, "_rows", lambda *given: (frame.with_columns(zip=pl.lit("*")) for frame in true(*given)))
    for name in ("out.db", "new.db"):
        with pytest.raises(NotAnonymous, match="other rows"):
            release.write(address(tmp_path / name, "release"), force=True)
    assert rows(tmp_path / "out.db") == []
    assert not (tmp_path / "new.db").exists()


def test_no_message_holds_a_cell(tmp_path: Path) -> None:
    path = tmp_path / "p.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE texts (x TEXT)")
        connection.execute("INSERT INTO texts VALUES ('fine'), (CAST(? AS TEXT))", (MARK.encode() + b"\xff",))
        connection.execute("CREATE TABLE bytes (x BLOB)")
        connection.execute("INSERT INTO bytes VALUES (?)", (MARK.encode(),))
        connection.execute("CREATE TABLE none (x)")
    connection.close()
    (tmp_path / "no.db").write_bytes(MARK.encode() * 100)
    for given, said in (
        (address(path, "texts"), "row 2 is not UTF-8"),
        (address(path, "bytes"), "holds bytes"),
        (address(path, "none"), "no rows"),
        (address(path, "absent"), "Its tables are: bytes, none, texts"),
        (address(tmp_path / "no.db", "t"), "no database of SQLite"),
        (address(tmp_path / "absent.db", "t"), "There is no file"),
        (f"sqlite:///{path}?query=SELECT%20*%20FROM%20texts%20WHERE%20y%3D'{MARK}'", "does not understand the query"),
        (f"sqlite:///{path}?query=SELECT%201%20AS%20x,%202%20AS%20x", "two columns of one name"),
        (f"sqlite:///{path}?query=DELETE%20FROM%20texts", "begins with DELETE"),
    ):
        with pytest.raises(DataError, match=said) as caught:
            read(given)
        assert MARK not in str(caught.value)
        assert caught.value.__cause__ is None


KILLED = """
import sys, time
import shoal
from shoal.io.targets import sqlite
release = shoal.anonymize(sys.argv[1], k=3, quasi_identifiers=["age", "zip"], sensitive=["ill"])
def wait(*given):
    open(sys.argv[3], "w").close()
    time.sleep(60)
sqlite.check_told = wait
release.write(sys.argv[2], force=True)
"""


def test_a_process_that_is_killed_in_the_middle_of_writing_leaves_the_old_table(database: Path, tmp_path: Path) -> None:
    target, sign = tmp_path / "out.db", tmp_path / "sign"
    with sqlite3.connect(target) as connection:
        connection.execute("CREATE TABLE release (x TEXT)")
        connection.execute("INSERT INTO release VALUES ('old')")
    connection.close()
    process = subprocess.Popen([sys.executable, "-c", KILLED, address(database), address(target, "release"), str(sign)])
    while not sign.exists() and process.poll() is None:
        time.sleep(0.05)
    assert rows(target) == [("old",)], "a reader sees the old table while the new one is written"
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert rows(target) == [("old",)]
    shoal.anonymize(address(database), **ASKED).write(address(target, "release"), force=True)
    assert len(rows(target)) == 6


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ('SELECT * FROM "the people"; SELECT 1', "several statements"),
        ('DELETE FROM "the people" RETURNING *', "begins with DELETE"),
        ('WITH a AS (SELECT 1) DELETE FROM "the people" RETURNING *', "only read"),
    ],
)
@pytest.mark.parametrize("engine", ["memory", "sqlite"])
def test_only_one_select_is_read(query: str, words: str, engine: str, database: Path, tmp_path: Path) -> None:
    address = f"sqlite:///{database}?query={quote(query)}"
    with pytest.raises(DataError, match=words):
        shoal.publish(address, f"sqlite:///{tmp_path / 'o.db'}?table=r", engine=engine, k=2, quasi_identifiers=["age", "zip"])
    assert sqlite3.connect(database).execute('SELECT count(*) FROM "the people"').fetchone() == (len(PEOPLE),)


def test_a_table_is_found_by_its_quoted_name(database: Path) -> None:
    assert read(f"sqlite:///{database}?table={quote(chr(34) + 'the people' + chr(34))}").n_rows == len(PEOPLE)
