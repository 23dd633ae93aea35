"""Spark on a cluster of two workers: the release is that of memory, also if a worker is killed in the middle, and no message holds a cell."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal
from shoal import spark
from shoal.cli.main import run
from shoal.engines.spark import InSpark
from shoal.engines.spark_places import Folder
from shoal.errors import DataError, NotAnonymous, Refused, WriteError
from tests.clusters import cluster, session
from tests.engines.test_contract import ASKED, people, texts

MARK = "Zebulon-7731"
MANY: dict[str, Any] = {"k": 5, "quasi_identifiers": ["age", "town"], "sensitive": ["illness"], "keep": ["visit"], "algorithm": "mondrian"}


def rows(path: str | Path) -> list[tuple[object, ...]]:
    return sorted(texts(pl.read_parquet(f"{path}/*.parquet")).rows(), key=repr)


def equal_to_memory(source: Path, output: Path, made: Any, asked: dict[str, Any]) -> None:
    wanted = shoal.anonymize(pl.read_parquet(source), **asked)
    assert {**made.manifest, "release_sha256": 0} == {**wanted.manifest, "release_sha256": 0}
    assert rows(output) == sorted(texts(wanted.frame).rows(), key=repr), "each row once, and the same rows of a kind in the same groups"


def kill_one(part: str, killed: list[int], done: threading.Event) -> None:
    """Kill an executor as soon as something of the release is written."""
    while not done.is_set() and not killed:
        if any(Path(part).rglob("*.parquet")):
            killed += cluster().executors()[:1]
            for number in killed:
                os.kill(number, signal.SIGKILL)
        time.sleep(0.002)


@pytest.mark.timeout(900)
def test_on_a_cluster_the_release_is_that_of_memory_also_if_an_executor_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One test, so that one cluster is started for it: plain, with criteria and withheld rows, then with an executor that dies while the release is written."""
    session()
    people().write_parquet(tmp_path / "people.parquet")
    asked = {**ASKED["criteria"], "withhold": 0.05, "algorithm": "mondrian"}
    made = shoal.publish(str(tmp_path / "people.parquet"), tmp_path / "one", engine="spark", **asked)
    equal_to_memory(tmp_path / "people.parquet", tmp_path / "one", made, asked)
    assert (tmp_path / "one" / "_SUCCESS").exists(), "the marker that all of it is there"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one", "people.parquet"], "nothing else is left"
    assert not (tmp_path / "one" / "_temporary").exists()

    people(24_000, seed=1).write_parquet(tmp_path / "many.parquet", row_group_size=4_000)
    killed: list[int] = []
    done, true = threading.Event(), Folder.write

    def write(self: Folder, released: Any) -> Any:
        killer = threading.Thread(target=kill_one, args=(self.part, killed, done))
        killer.start()
        try:
            return true(self, released)
        finally:
            done.set()
            killer.join()

    monkeypatch.setattr(Folder, "write", write)
    made = shoal.publish(str(tmp_path / "many.parquet"), tmp_path / "two", engine="spark", **MANY)
    assert killed, "an executor was killed while the release was written"
    equal_to_memory(tmp_path / "many.parquet", tmp_path / "two", made, MANY)
    no_message_holds_a_cell(tmp_path)


def no_message_holds_a_cell(folder: Path) -> None:
    frame = session().createDataFrame([(MARK, "x")] * 6, ["age", "town"])
    broken = frame.selectExpr("CAST(age AS INT) AS age", "town")
    with pytest.raises(DataError, match=r"Spark failed \(\w+") as caught:
        spark.anonymize(broken, k=2, quasi_identifiers=["age", "town"])
    assert MARK not in str(caught.value)
    assert caught.value.__cause__ is None
    with pytest.raises(WriteError, match="exists already"):
        shoal.publish(str(folder / "people.parquet"), folder / "one", engine="spark", **ASKED["plain"])


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_dataframe_comes_back_as_one_and_twice_the_same() -> None:
    """Without files, rows are numbered by what they hold: however they are spread, the same rows come out."""
    frame = session().createDataFrame(people(3000).to_arrow(compat_level=pl.CompatLevel.oldest()))
    found = [spark.release(frame.repartition(n), **MANY) for n in (1, 7)]
    one, other = (sorted((tuple(row) for row in release.table.collect()), key=repr) for release in found)
    assert one == other
    assert len(one) == 3000
    assert found[0].manifest == found[1].manifest
    kept = sorted(texts(shoal.anonymize(people(3000), **MANY).frame).select("age", "town").rows(), key=repr)
    assert sorted(((row[0], row[1]) for row in one), key=repr) == kept
    small = shoal.anonymize(frame.limit(50), **MANY)
    assert type(small.table).__name__ == "DataFrame"
    assert small.table.count() == 50


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_an_engine_that_writes_other_rows_is_found_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    people().write_parquet(tmp_path / "people.parquet")
    session()
    true = Folder.write
    for spoil in (
        lambda rows: rows.limit(390),
        lambda rows: rows.union(rows.limit(1)),
        lambda rows: rows.replace("cold", "flu", ["illness"]),
    ):
        monkeypatch.setattr(Folder, "write", lambda self, rows, spoil=spoil: true(self, spoil(rows)))
        with pytest.raises((NotAnonymous, DataError)):
            shoal.publish(str(tmp_path / "people.parquet"), tmp_path / "out", engine="spark", **ASKED["plain"])
        assert [path.name for path in tmp_path.iterdir()] == ["people.parquet"]


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_where_a_row_stands_tells_nothing(tmp_path: Path) -> None:
    """The same rows in another order and in other files give the same files, but for rows of one kind that differ in what is kept."""
    table = people(2000).select("age", "town")
    found = []
    for name, frame in (("a", table), ("b", table.sample(fraction=1.0, shuffle=True, seed=3))):
        (tmp_path / name).mkdir()
        for i, piece in enumerate(frame.iter_slices(700)):
            piece.write_parquet(tmp_path / name / f"{i}.parquet")
        session()
        shoal.publish(
            str(tmp_path / name), tmp_path / f"{name}.out", engine="spark", k=5, quasi_identifiers=["age", "town"], algorithm="mondrian"
        )
        files = sorted((tmp_path / f"{name}.out").glob("*.parquet"))
        found.append([pl.read_parquet(path).rows() for path in files])
    assert found[0] == found[1]


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_command_and_what_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    session()
    people().write_parquet(tmp_path / "people.parquet")
    said = ["-k", "4", "--qi", "age,town", "--sensitive", "illness", "--keep", "visit", "--algorithm", "mondrian"]
    given = ["anonymize", str(tmp_path / "people.parquet"), "-o", str(tmp_path / "out"), "--engine", "spark", *said]
    assert run([*given, "--manifest", str(tmp_path / "m.json")]) == 0
    assert len(rows(tmp_path / "out")) == 400
    capsys.readouterr()
    assert run(["anonymize", str(tmp_path / "absent.parquet"), "-o", str(tmp_path / "o2"), "--engine", "spark", *said]) == 2
    assert "no file or folder" in capsys.readouterr().err
    (tmp_path / "lake" / "_delta_log").mkdir(parents=True)
    people().write_parquet(tmp_path / "lake" / "old.parquet")
    with pytest.raises(DataError, match="a table of Delta"):
        shoal.publish(str(tmp_path / "lake"), tmp_path / "o3", engine="spark", **ASKED["plain"])
    with pytest.raises(DataError, match="a table of Delta"):
        shoal.publish(str(tmp_path / "people.parquet"), tmp_path / "lake", engine="spark", force=True, **ASKED["plain"])
    with pytest.raises(Refused, match="people"):
        spark.anonymize(session().createDataFrame([("a", 1)], ["x", "who"]), quasi_identifiers=["x"], person="who")
    with pytest.raises(DataError, match="rows of a DataFrame have no numbers"):
        spark.anonymize(session().createDataFrame([("a",), (None,)] * 3, ["x"]), k=2, quasi_identifiers=["x"], missing="error")
    with pytest.raises(DataError, match="map"):
        spark.anonymize(session().sql("SELECT map(1, 2) AS m, 3 AS x"), quasi_identifiers=["x"])
    assert InSpark.telling_order(object(), ["x"]) == []  # type: ignore[arg-type]
