"""Recorded runs cover every catalog, and what compares them sees each difference."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest
from benchmarks.checkout import ROOT, environment
from benchmarks.recorded import compare, expected
from benchmarks.recorded.compare import Difference
from benchmarks.recorded.runs import TEXTS, runs
from benchmarks.recorded.tables import write_all
from benchmarks.recorded.worker import folder_of

from shoal import algorithms, clustering, engines, measures, privacy
from shoal.hierarchies import builders

SERVERS = {"postgres", "spark"}
"""Engines that need something from outside; tests/engines compares them with the others."""


def test_each_run_has_its_own_name_and_folder() -> None:
    names = [run.name for run in runs()]
    assert len(names) >= 400
    assert len({folder_of(name).lower() for name in names}) == len(names)


@pytest.mark.parametrize("room", [algorithms, measures, privacy, builders, clustering, engines], ids=lambda room: room.__name__)
def test_every_entry_of_a_catalog_has_runs(room) -> None:
    told = " ".join(run.name for run in runs())
    lacking = [name for name in set(room.CATALOG) - SERVERS if name not in told]
    assert set(lacking) <= {"k-anonymity", "k-people"}, "name it in benchmarks/recorded"


def placed(folder: Path, side: str, **files: object) -> Path:
    """What a run left: a table in each format, figures, and what it said."""
    at = folder / side
    at.mkdir()
    (at / "out.csv").write_text(str(files.get("csv", "age\n31\n")))
    pl.DataFrame({"age": [files.get("parquet", 31)]}).write_parquet(at / "out.parquet")
    base = sqlite3.connect(at / "out.db")
    base.execute("CREATE TABLE r (age)")
    base.execute("INSERT INTO r VALUES (?)", [files.get("sqlite", 31)])
    base.commit()
    base.close()
    (at / "m.json").write_text(json.dumps({"loss": files.get("loss", 1), "seconds": {"read": files.get("seconds", 1)}}))
    said = [{"status": files.get("status", 0), "stdout": files.get("stdout", "done in 3 s"), "stderr": files.get("stderr", "")}]
    (at / ".said.json").write_text(json.dumps(said))
    return at


@pytest.mark.parametrize(
    ("planted", "what"),
    [
        ({"csv": "age\r\n31\r\n"}, "out.csv"),
        ({"parquet": 32}, "out.parquet"),
        ({"parquet": "31"}, "out.parquet"),
        ({"sqlite": "31"}, "out.db"),
        ({"loss": 2}, "m.json"),
        ({"status": 2}, "step 1, status"),
        ({"stdout": "done in 4 s!"}, "step 1, stdout"),
        ({"stderr": "beware"}, "step 1, stderr"),
    ],
)
def test_a_planted_difference_is_found(tmp_path: Path, planted: dict[str, object], what: str) -> None:
    old, new = placed(tmp_path, "old"), placed(tmp_path, "new", **planted)
    assert [found.what for found in compare.differences("a run", old, new)] == [what]


def test_seconds_and_the_folder_are_no_difference_and_a_lost_file_is(tmp_path: Path) -> None:
    old, new = (
        placed(tmp_path, "old", stderr=f"see {tmp_path}/old/x"),
        placed(tmp_path, "new", stderr=f"see {tmp_path}/new/x", stdout="done in 4 s", seconds=9),
    )
    assert list(compare.differences("a run", old, new)) == []
    (new / "out.csv").unlink()
    (lost,) = compare.differences("a run", old, new)
    assert "+ (not there)" in lost.lines


def test_a_run_that_the_older_version_does_not_have_is_left_out(tmp_path: Path) -> None:
    old, new = placed(tmp_path, "old", stderr="Error: No such option: --others"), placed(tmp_path, "new")
    assert compare.is_lacking(old, new)
    assert not compare.is_lacking(new, old), "what this version lost is a difference"


def test_only_lines_on_the_list_are_on_purpose() -> None:
    entry = expected.Expected("a newer version", run="source *|person *", what="m.json", lines=(r'shoal = "0\.[23]\.0"',))
    lines = ('- shoal = "0.2.0"', '+ shoal = "0.3.0"')
    assert expected.reasons(Difference("source csv", "m.json", lines), [entry]) == ["a newer version"]
    assert expected.reasons(Difference("source csv", "m.json", (*lines, "+ loss = 3")), [entry]) is None
    assert expected.reasons(Difference("source csv", "out.csv", lines), [entry]) is None
    assert expected.reasons(Difference("verify nothing", "m.json", lines), [entry]) is None


def test_every_reason_on_the_list_names_runs_that_there_are() -> None:
    names = [run.name for run in runs()]
    for entry in expected.read(ROOT):
        assert any(entry.is_about(name) for name in names), entry


def test_the_same_tree_gives_the_same_twice(tmp_path: Path) -> None:
    chosen = ["person, plain, files", "judge a false age", "refuse no such column", "python pandas, plain"]
    (tmp_path / "in").mkdir()
    write_all(tmp_path / "in", TEXTS)
    for side in ("one", "two"):
        (tmp_path / side / "runs").mkdir(parents=True)
        (tmp_path / side / "in").symlink_to(tmp_path / "in")
        command = [sys.executable, "-m", "benchmarks.recorded.worker", str(tmp_path / side), *chosen]
        subprocess.run(command, cwd=tmp_path, env=environment(ROOT), check=True)
    for name in chosen:
        one, two = (tmp_path / side / "runs" / folder_of(name) for side in ("one", "two"))
        assert compare.said(one)
        assert list(compare.differences(name, one, two)) == []


def test_a_list_holds_against_older_versions_only(tmp_path: Path) -> None:
    def tree(name: str, version: str, told: str) -> Path:
        at = tmp_path / name
        (at / expected.LIST).parent.mkdir(parents=True)
        (at / expected.LIST).write_text(told)
        (at / "src/shoal").mkdir(parents=True)
        (at / "src/shoal/__init__.py").write_text(f'__version__ = "{version}"\n')
        return at

    entry = '[[expected]]\nreason = "{}"\n{}\n'
    old, last = tree("old", "0.2.0", ""), tree("last", "0.3.0", entry.format("known", ""))
    now = tree(
        "now", "0.3.0", entry.format("known", "") + entry.format("clock", "always = true") + entry.format("version", 'until = "0.2.0"')
    )
    assert [e.reason for e in expected.known_against(old, now)] == ["known", "clock", "version"]
    assert [e.reason for e in expected.known_against(last, now)] == ["clock"]
