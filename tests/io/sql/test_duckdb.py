"""Tables of DuckDB files: every cell as it is, the old table or the new one and nothing between, and no cell in a message."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import polars as pl
import pytest

import shoal
from shoal.cli.main import run
from shoal.errors import DataError, NotAnonymous, WriteError
from shoal.io import read
from shoal.io.sql import duckdb as room
from tests.io.sql.test_sqlite import ASKED, MARK, PEOPLE


@pytest.fixture
def database(tmp_path: Path) -> Path:
    with duckdb.connect(str(tmp_path / "people.duckdb")) as connection:
        connection.execute('CREATE TABLE "the people" (age INTEGER, zip VARCHAR, ill VARCHAR)')
        connection.executemany('INSERT INTO "the people" VALUES (?, ?, ?)', PEOPLE)
    return tmp_path / "people.duckdb"


def address(path: Path, table: str = "the%20people") -> str:
    return f"duckdb:///{path}?table={table}"


def rows(path: Path, table: str = "release") -> list[tuple[object, ...]]:
    with duckdb.connect(str(path), read_only=True) as connection:
        return connection.execute(f'SELECT * FROM "{table}"').fetchall()


def test_a_table_and_a_query_are_read_with_their_types(database: Path) -> None:
    table = read(address(database))
    assert table.frame.rows() == PEOPLE
    assert table.frame.dtypes == [pl.Int32, pl.String, pl.String]
    assert table.source == f"{database} (table the people)"
    asked = read(f"duckdb:///{database}?query=SELECT%20zip%20AS%20z%20FROM%20%22the%20people%22%20WHERE%20age%20%3E%2050")
    assert asked.frame.to_dict(as_series=False) == {"z": ["81667", "81667", "81669"]}


def test_odd_types_are_read_as_texts_and_plain_ones_keep_theirs(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "odd.duckdb")) as connection:
        connection.execute(
            "CREATE TABLE odd AS SELECT INTERVAL 3 DAY AS i, TIME '24:00:00' AS t, 170141183460469231731687303715884105727::HUGEINT AS h, 'a'::ENUM ('a', 'b') AS e, "
            "'00000000-0000-0000-0000-000000000001'::UUID AS u, 1.50::DECIMAL(9,2) AS d, DATE '2024-01-31' AS day, [1, 2] AS l, '1'::BIT AS b"
        )
    frame = read(address(tmp_path / "odd.duckdb", "odd")).frame
    assert frame.drop("d", "day", "l").row(0) == (
        "3 days",
        "24:00:00",
        "170141183460469231731687303715884105727",
        "a",
        "00000000-0000-0000-0000-000000000001",
        "1",
    )
    assert (str(frame["d"][0]), str(frame["day"][0]), frame["l"][0].to_list()) == ("1.50", "2024-01-31", [1, 2])


def test_a_release_of_a_table_is_that_of_the_same_rows_in_a_file(database: Path, tmp_path: Path) -> None:
    pl.DataFrame(PEOPLE, schema=["age", "zip", "ill"], orient="row").write_csv(tmp_path / "people.csv")
    one, other = shoal.anonymize(address(database), **ASKED), shoal.anonymize(tmp_path / "people.csv", **ASKED)
    assert one.frame.equals(other.frame)
    sha = one.write(address(tmp_path / "out.duckdb", "release"))
    assert rows(tmp_path / "out.duckdb") == one.frame.rows()
    assert sha == other.write(tmp_path / "out.csv") == one.manifest["release_sha256"]
    assert (
        shoal.verify(address(database), address(tmp_path / "out.duckdb", "release"), k=3, quasi_identifiers=["age", "zip"]).smallest_group
        == 3
    )
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.csv", "out.duckdb", "people.csv", "people.duckdb"], (
        "nothing else is left"
    )


def test_kept_columns_keep_their_types(tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {"age": [31, 33, 36, 52], "n": [1, None, 3, 4], "f": [0.1, None, 3.0, -0.0], "d": pl.Series(["2024-01-31"] * 4).str.to_date(), "l": [[1], [], None, [2, 3]], "c": pl.Series(["a", "b", "a", "a"], dtype=pl.Enum(["a", "b", MARK]))}
    )  # fmt: skip
    shoal.anonymize(frame, k=2, quasi_identifiers=["age"], keep=["n", "f", "d", "l", "c"]).write(address(tmp_path / "o.duckdb", "release"))
    back = read(address(tmp_path / "o.duckdb", "release")).frame
    assert back.drop("age").equals(frame.drop("age").with_columns(pl.col("c").cast(pl.String)))
    assert MARK.encode() not in (tmp_path / "o.duckdb").read_bytes()


def test_a_table_is_replaced_with_its_whole_file_or_not_at_all(database: Path, tmp_path: Path) -> None:
    """DuckDB keeps in the file what is deleted: after a replacement, nothing of the old table may be there."""
    release, target = shoal.anonymize(address(database), **ASKED), tmp_path / "out.duckdb"
    with duckdb.connect(str(target)) as connection:
        connection.execute("CREATE TABLE Release (x VARCHAR)")
        connection.execute("INSERT INTO Release VALUES (?)", (MARK,))
    with pytest.raises(WriteError, match="exists already"):
        release.write(address(target, "release"))
    release.write(address(target, "other"))
    assert (rows(target, "other"), rows(target, "Release")) == (release.frame.rows(), [(MARK,)]), (
        "another table is added, and the first stays"
    )
    with pytest.raises(WriteError, match="has other tables"):
        release.write(address(target, "release"), force=True)
    with duckdb.connect(str(target)) as connection:
        connection.execute("DROP TABLE other")
    release.write(address(target, "release"), force=True)
    assert rows(target) == release.frame.rows()
    assert MARK.encode() not in target.read_bytes()


def test_the_file_of_the_original_is_no_target(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["anonymize", address(database), "-o", address(database, "release"), "-k", "3", "--qi", "age,zip", "--keep", "ill"]) == 2
    assert "holds the original" in capsys.readouterr().err


def test_if_the_database_gives_back_other_cells_nothing_is_written(database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    release = shoal.anonymize(address(database), **ASKED)
    true = room.frames_of
    monkeypatch.setattr(room, "frames_of", lambda *given: (frame.with_columns(zip=pl.lit("*")) for frame in true(*given)))
    with pytest.raises(NotAnonymous, match="other rows"):
        release.write(address(tmp_path / "new.duckdb", "release"))
    assert [path.name for path in tmp_path.iterdir()] == ["people.duckdb"]


def test_no_message_holds_a_cell_and_no_other_file_is_opened(tmp_path: Path) -> None:
    path = tmp_path / "p.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(f"CREATE TABLE texts AS SELECT '{MARK}' AS x")
        connection.execute("CREATE TABLE none (x VARCHAR)")
    (tmp_path / "no.duckdb").write_bytes(MARK.encode() * 1000)
    (tmp_path / "other.csv").write_text(MARK)
    for given, said in (
        (address(path, "none"), "no rows"),
        (address(path, "absent"), "Its tables are: none, texts"),
        (address(tmp_path / "no.duckdb", "t"), "no database of DuckDB"),
        (address(tmp_path / "absent.duckdb", "t"), "There is no file"),
        (f"duckdb:///{path}?query=SELECT%20x::INTEGER%20AS%20y%20FROM%20texts", "ConversionException"),
        (f"duckdb:///{path}?query=SELECT%20'{MARK}'%20FROM%20nowhere", "not there"),
        (f"duckdb:///{path}?query=SELECT%20'{MARK}", "does not understand"),
        (f"duckdb:///{path}?query=SELECT%201%20AS%20x%3B%20DROP%20TABLE%20texts", "does not understand"),
        (f"duckdb:///{path}?query=SELECT%20*%20FROM%20read_csv('{tmp_path}/other.csv')", "opening another file"),
    ):
        with pytest.raises(DataError, match=said) as caught:
            read(given)
        assert MARK not in str(caught.value)
        assert caught.value.__cause__ is None
    assert len(rows(path, "texts")) == 1


KILLED = """
import sys, time
import shoal
from shoal.io.targets import duckdb
release = shoal.anonymize(sys.argv[1], k=3, quasi_identifiers=["age", "zip"], sensitive=["ill"])
def wait(*given, **how):
    open(sys.argv[3], "w").close()
    time.sleep(60)
duckdb.check_told = duckdb.place_part = wait
release.write(sys.argv[2], force=True)
"""


@pytest.mark.parametrize("table", ["release", "other"])
def test_a_process_that_is_killed_in_the_middle_of_writing_leaves_the_old_table(database: Path, tmp_path: Path, table: str) -> None:
    target, sign = tmp_path / "out.duckdb", tmp_path / "sign"
    with duckdb.connect(str(target)) as connection:
        connection.execute("CREATE TABLE release AS SELECT 'old' AS x")
    process = subprocess.Popen([sys.executable, "-c", KILLED, address(database), address(target, table), str(sign)])
    while not sign.exists() and process.poll() is None:
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert rows(target) == [("old",)]
    left = [path for path in tmp_path.iterdir() if path.name.startswith(".shoal-")]
    assert all(path.stat().st_mode & 0o077 == 0 for path in left), "what may be left is its owner's alone"
    shoal.anonymize(address(database), **ASKED).write(address(target, "release"), force=True)
    assert len(rows(target)) == 6
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")], "what the killed run left is swept"
