"""Files larger than memory: what is particular to them, and what an attack on a run finds."""

from __future__ import annotations

import datetime as dt
import gzip
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal import api
from shoal.engines import beside, limits, passing
from shoal.engines.base import Job
from shoal.engines.choice import engine_for
from shoal.engines.passing import Passing
from shoal.errors import DataError, NotAnonymous, Refused, WriteError
from shoal.io.source import FileSource, file_sha256
from shoal.io.sources import parquet, text
from shoal.io.targets.files import FileTarget
from shoal.io.targets.parquet import ParquetTarget
from shoal.io.targets.text import TextTarget
from shoal.policy.policy import Policy

ASKED = {"k": 4, "quasi_identifiers": ["age", "town"], "sensitive": ["illness"], "keep": ["visit"], "effort": 0.1}


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stretches of 50 rows, and a folder of our own for what is spilled: it must be empty afterwards."""
    spilled = tmp_path / "spilled"
    spilled.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(spilled))
    for module in (text, parquet):
        monkeypatch.setattr(module, "ROWS", 50)
    return spilled


@pytest.fixture
def people(tmp_path: Path) -> Path:
    rng = np.random.default_rng(5)
    n = 400
    frame = pl.DataFrame(
        {
            "age": [str(v) for v in rng.integers(20, 60, n)],
            "town": rng.choice(["Graz", "Linz", "Wien"], n).tolist(),
            "illness": rng.choice(["cold", "flu"], n).tolist(),
            "visit": [str(i) for i in range(n)],
        }
    )
    frame.write_csv(tmp_path / "people.csv")
    return tmp_path / "people.csv"


def nothing_left(folder: Path, output: Path) -> bool:
    return not list(folder.iterdir()) and not output.exists() and not list(output.parent.glob(f".{output.name}*"))


@pytest.mark.parametrize("ending", ["csv", "csv.gz", "tsv", "parquet"])
@pytest.mark.parametrize("keep_order", [True, False])
@pytest.mark.parametrize("withhold", [0.0, 0.05])
def test_every_form_gives_the_rows_of_memory(
    people: Path, ending: str, keep_order: bool, withhold: float, own_folder: Path, tmp_path: Path
) -> None:
    asked = {**ASKED, "keep_order": keep_order, "withhold": withhold}
    shoal.publish(people, tmp_path / f"m.{ending}", engine="memory", **asked)
    made = shoal.publish(people, tmp_path / f"f.{ending}", engine="files", **asked)
    assert shoal.io.read(tmp_path / f"f.{ending}").frame.equals(shoal.io.read(tmp_path / f"m.{ending}").frame)
    if ending in ("csv", "tsv"):
        assert (tmp_path / f"f.{ending}").read_bytes() == (tmp_path / f"m.{ending}").read_bytes()
    assert made.manifest["release_sha256"] == file_sha256(tmp_path / f"f.{ending}")
    assert not list(own_folder.iterdir())


def test_types_of_parquet_are_those_of_memory(tmp_path: Path) -> None:
    n = 120
    frame = pl.DataFrame(
        {
            "born": [dt.date(1950 + i % 40, 1 + i % 12, 1) for i in range(n)],
            "income": [None if i % 11 == 0 else 1000.5 * (i % 7) for i in range(n)],
            "children": [i % 4 for i in range(n)],
            "tags": [[i, i + 1] for i in range(n)],
            "seen": [dt.datetime(2024, 1, 1 + i % 20, 7, 5) for i in range(n)],
            "sort": pl.Series([["a", "b", "c"][i % 3] for i in range(n)], dtype=pl.Categorical),
        }
    )
    frame.write_parquet(tmp_path / "p.parquet")
    asked = {"k": 3, "quasi_identifiers": ["born", "income", "children"], "keep": ["tags", "seen", "sort"]}
    expected = shoal.anonymize(tmp_path / "p.parquet", **asked)
    made = shoal.publish(tmp_path / "p.parquet", tmp_path / "r.parquet", engine="files", **asked)
    back = pl.read_parquet(tmp_path / "r.parquet").with_columns(pl.col("sort").cast(pl.String))
    assert back.equals(expected.frame.with_columns(pl.col("sort").cast(pl.String)))
    assert {**made.manifest, "release_sha256": 0} == {**expected.manifest, "release_sha256": 0}


def test_pairs_are_added_up_as_often_as_needed(people: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a table of many stretches, where those counted before are counted again with the next."""
    monkeypatch.setattr(beside, "OFTEN", 2)
    made = shoal.publish(people, tmp_path / "r.csv", engine="files", **ASKED)
    assert {**made.manifest, "release_sha256": 0} == {**shoal.anonymize(people, **ASKED).manifest, "release_sha256": 0}


def test_a_folder_of_parquet_is_one_table(people: Path, tmp_path: Path) -> None:
    table = pl.read_csv(people, infer_schema=False)
    (tmp_path / "many").mkdir()
    for i, part in enumerate(table.iter_slices(90)):
        part.write_parquet(tmp_path / "many" / f"part-{i}.parquet")
    for data in (str(tmp_path / "many"), f"{tmp_path}/many/part-*.parquet"):
        assert engine_for(Job(data, Policy(), str(tmp_path / "r.csv"))).name == "memory"
        shoal.publish(data, tmp_path / "r.csv", engine="files", force=True, **ASKED)
        assert pl.read_csv(tmp_path / "r.csv", infer_schema=False).equals(shoal.anonymize(table, **ASKED).frame)


def test_a_release_does_not_lie_among_the_files_that_are_read(people: Path, own_folder: Path, tmp_path: Path) -> None:
    (tmp_path / "many").mkdir()
    pl.read_csv(people, infer_schema=False).write_parquet(tmp_path / "many" / "part-0.parquet")
    for data in (str(tmp_path / "many"), f"{tmp_path}/many/part-*.parquet"):
        with pytest.raises(WriteError, match="among the files that are read"):
            shoal.publish(data, tmp_path / "many" / "release.parquet", **ASKED)
    assert not list(own_folder.iterdir())


def test_less_memory_than_any_run_takes_is_refused_before_anything_is_read(
    people: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Passing, "__init__", lambda *_: pytest.fail("the run began"))
    with pytest.raises(Refused, match=r"A run takes about \d+ MiB .* may use 100"):
        shoal.publish(people, tmp_path / "r.csv", engine="files", memory="100MB", **ASKED)


LIMITED = """
import resource, sys
import shoal
made = shoal.publish(sys.argv[1], sys.argv[2], engine="files", memory="1GB", report=True, k=5, quasi_identifiers=["age", "town"], sensitive=["illness"], keep=["note"], effort=0.1)
assert made.verdict.smallest_group >= 5
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
"""


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_table_several_times_larger_than_the_limit_stays_below_it(ending: str, tmp_path: Path) -> None:
    """The peak of the whole process, in a child: 2.5 million rows, which take some 2 GB in memory."""
    rng = np.random.default_rng(8)
    n = 2_500_000
    frame = pl.DataFrame(
        {
            "age": pl.Series(rng.integers(18, 90, n)).cast(pl.String),
            "town": pl.Series(rng.integers(0, 40, n)).cast(pl.String) + " Long Street, Town",
            "illness": pl.Series(rng.integers(0, 5, n)).cast(pl.String),
            "note": pl.Series(rng.integers(0, 2**62, n)).cast(pl.String)
            + " some words that make the row long, and then some more of them to make it longer",
        }
    )
    data = tmp_path / f"p.{ending}"
    frame.write_csv(data) if ending == "csv" else frame.write_parquet(data, row_group_size=100_000)
    del frame
    code = [sys.executable, "-c", LIMITED, str(data), str(tmp_path / f"r.{ending}")]
    answer = subprocess.run(code, capture_output=True, text=True, check=True)
    assert int(answer.stdout) < 1 << 30


LIES: dict[str, Callable[[pl.DataFrame], pl.DataFrame]] = {
    "a group left out": lambda rows: rows[1:],
    "a group counted twice": lambda rows: pl.concat([rows, rows[:1]]),
    "a row less": lambda rows: rows.with_columns(n=pl.when(pl.int_range(pl.len()) == 0).then(pl.col("n") - 1).otherwise(pl.col("n"))),
    "two groups as one, with every column's counts as they were": lambda rows: _as_one(rows),
}


def _as_one(rows: pl.DataFrame) -> pl.DataFrame:
    """Rows (a, x), (a, y), (b, x), (b, y) as (a, x) and (b, y) alone: no column's counts tell it."""
    town = rows["c1"].unique(maintain_order=True)[:2]
    pairs = rows.filter(pl.col("c1").is_in(town.implode())).group_by("c0").agg(pl.col("n").min(), pl.len()).filter(pl.col("len") == 2)
    assert pairs.height >= 2
    a, b = pairs["c0"][:2]
    moved = int(pairs["n"][:2].min())
    change = {(a, town[0]): moved, (a, town[1]): -moved, (b, town[0]): -moved, (b, town[1]): moved}
    told = [n + change.get((c0, c1), 0) for c0, c1, n in rows.select("c0", "c1", "n").iter_rows()]
    return rows.with_columns(n=pl.Series(told)).filter(pl.col("n") > 0)


@pytest.mark.parametrize("lie", LIES)
def test_a_counter_that_lies_about_the_release_is_found_out(
    people: Path, lie: str, own_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    true, told = passing.Counter.fold, []

    def lying(counter: passing.Counter, *given: object) -> pl.DataFrame:
        rows = true(counter, *given)  # type: ignore[arg-type]
        told.append(rows)
        return rows if len(told) == 1 else LIES[lie](rows)

    monkeypatch.setattr(passing.Counter, "fold", lying)
    with pytest.raises((DataError, NotAnonymous)):
        shoal.publish(people, tmp_path / "r.csv", engine="files", **ASKED)
    assert nothing_left(own_folder, tmp_path / "r.csv")


def test_it_is_chosen_where_a_file_is_too_large_for_memory(people: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passing, "LEAST", 0)
    for output in (str(tmp_path / "r.csv"), "-", f"sqlite:///{tmp_path}/r.db?table=t"):
        assert engine_for(Job(people, Policy(), output)).name == "memory"
        assert engine_for(Job(people, Policy(), output, memory=1000)).name == "files"
    assert engine_for(Job(people, Policy(), None, memory=1000)).name == "memory"


@pytest.mark.parametrize(
    ("data", "output", "asked", "said"),
    [
        ("sqlite:///p.db?table=t", "r.csv", {"work": "kept"}, "--work"),
        ("people.csv", "sqlite:///r.db?table=t", {"spreadsheet_safe": True}, "--spreadsheet-safe"),
        ("people.csv", "r.csv", {"person": "visit"}, "--person"),
        ("people.csv", "r.csv", {"form": "bounds"}, "--form"),
    ],
)
def test_what_it_cannot_do_is_refused_before_any_work(data: str, output: str, asked: dict[str, Any], said: str) -> None:
    with pytest.raises(Refused, match=said):
        shoal.publish(data, output, engine="files", quasi_identifiers=["age"], **asked)


def test_no_proof_without_the_rows(people: Path, tmp_path: Path) -> None:
    with pytest.raises(Refused, match="with the table in memory"):
        shoal.publish(people, tmp_path / "r.csv", engine="files", proof=True, **ASKED)
    with api.stage(people, tmp_path / "r.csv", engine="files", **ASKED) as made:  # type: ignore[union-attr]
        with pytest.raises(Refused, match="needs the table in memory"):
            made.proof(tmp_path / "x")
        with pytest.raises(Refused, match="made for"):
            made.write(tmp_path / "elsewhere.csv")
    assert not (tmp_path / "r.csv").exists()


def test_what_was_not_written_is_gone_when_the_block_ends(people: Path, own_folder: Path, tmp_path: Path) -> None:
    with api.stage(people, tmp_path / "r.csv", engine="files", **ASKED) as made:  # type: ignore[union-attr]
        assert made.verdict.smallest_group >= 4
        assert not (tmp_path / "r.csv").exists()
    assert nothing_left(own_folder, tmp_path / "r.csv")


def test_cells_that_a_spreadsheet_would_run_are_made_safe_and_verified(tmp_path: Path) -> None:
    pl.DataFrame({"age": ["20", "21"] * 20, "=note": ["=1+1", "+x", "-5", "plain"] * 10}).write_csv(tmp_path / "p.csv")
    asked = {"k": 3, "quasi_identifiers": ["age"], "keep": ["=note"], "spreadsheet_safe": True}
    for engine, keep_order in (("memory", True), ("files", True), ("files", False)):
        shoal.publish(tmp_path / "p.csv", tmp_path / f"{engine}{keep_order}.csv", engine=engine, keep_order=keep_order, **asked)
    assert (tmp_path / "filesTrue.csv").read_bytes() == (tmp_path / "memoryTrue.csv").read_bytes()
    assert sorted((tmp_path / "filesFalse.csv").read_text().split()) == sorted((tmp_path / "memoryTrue.csv").read_text().split())


def test_an_order_that_tells_is_told(tmp_path: Path) -> None:
    pl.DataFrame({"age": [str(20 + i // 8) for i in range(400)], "x": [str(i % 3) for i in range(400)]}).write_csv(tmp_path / "p.csv")
    with pytest.warns(shoal.ShoalWarning, match="ORDER"):
        made = shoal.publish(tmp_path / "p.csv", tmp_path / "r.csv", engine="files", k=10, quasi_identifiers=["age"], keep=["x"])
    assert made.record["telling_order"] == ["age"]


CHANGES: dict[str, Callable[[bytes], bytes]] = {
    "a row more": lambda text: text + b"20,Graz,flu,999\n",
    "a row less": lambda text: text[: text.rstrip(b"\n").rfind(b"\n") + 1],
    "an age that is there": lambda text: text.replace(b"Graz", b"Linz", 1),
    "an age that is not there": lambda text: text.replace(b"Graz", b"Rome", 1),
    "another illness": lambda text: text.replace(b",flu,", b",cold,", 1),
    "two rows exchanged": lambda text: b"\n".join([(lines := text.split(b"\n"))[0], lines[3], lines[2], lines[1], *lines[4:]]),
    "another visit": lambda text: text.replace(b",17\n", b",71\n", 1),
    "a broken row": lambda text: text + b"20,Graz\n",
    "nothing left": lambda text: b"",
}


@pytest.mark.parametrize("is_stamped", [True, False])
@pytest.mark.parametrize("when", ["apply", "recount"])
@pytest.mark.parametrize("change", CHANGES)
def test_an_input_that_changes_between_two_passes_is_not_released(
    people: Path, change: str, when: str, is_stamped: bool, own_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was folded is not what is applied. The file's stamp tells it, also after the last pass; but also where that tells nothing, nothing untrue appears."""
    true, before = getattr(Passing, when), people.read_bytes()

    def changed(run: Passing, *given: object) -> object:
        people.write_bytes(CHANGES[change](people.read_bytes()))
        return true(run, *given)

    monkeypatch.setattr(Passing, when, changed)
    if is_stamped:
        with pytest.raises(DataError, match="was changed while it was read"):
            shoal.publish(people, tmp_path / "r.csv", engine="files", **ASKED)
        assert nothing_left(own_folder, tmp_path / "r.csv")
        return
    monkeypatch.setattr(FileSource, "check_unchanged", lambda self: None)
    with suppress(DataError, NotAnonymous):
        shoal.publish(people, tmp_path / "r.csv", engine="files", **ASKED)
        if when == "recount":  # all rows had passed before it was changed
            people.write_bytes(before)
        shoal.verify(people, tmp_path / "r.csv", **{key: value for key, value in ASKED.items() if key != "effort"})
        return
    assert nothing_left(own_folder, tmp_path / "r.csv")


DOCTORED: dict[str, Callable[[bytes], bytes]] = {
    "a row lost": lambda text: text[: text.rstrip(b"\n").rfind(b"\n") + 1],
    "a row twice": lambda text: text + text.split(b"\n")[1] + b"\n",
    "a cell of a quasi-identifier": lambda text: text.replace(b"Graz", b"Linz", 1),
    "a cell that is kept": lambda text: text.replace(b",17\n", b",71\n", 1),
    "the sensitive cell": lambda text: text.replace(b",flu,", b",cold,", 1),
    "two rows exchanged": lambda text: b"\n".join([(lines := text.split(b"\n"))[0], lines[2], lines[1], *lines[3:]]),
    "the header": lambda text: text.replace(b"visit", b"visits", 1),
}


@pytest.mark.parametrize("how", DOCTORED)
def test_what_is_doctored_before_the_recount_is_not_published(
    people: Path, how: str, own_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    true = Passing.recount

    def doctored(run: Passing, names: list[str]) -> object:
        assert isinstance(run._into, FileTarget)
        run._into.path.write_bytes(DOCTORED[how](run._into.path.read_bytes()))
        return true(run, names)

    monkeypatch.setattr(Passing, "recount", doctored)
    with pytest.raises((DataError, NotAnonymous)):
        shoal.publish(people, tmp_path / "r.csv", engine="files", **ASKED)
    assert nothing_left(own_folder, tmp_path / "r.csv")


def test_what_is_doctored_after_the_recount_is_not_published(people: Path, own_folder: Path, tmp_path: Path) -> None:
    with api.stage(people, tmp_path / "r.csv", engine="files", **ASKED) as made:  # type: ignore[union-attr]
        part = made._rows._into.path  # type: ignore[attr-defined]
        part.write_bytes(part.read_bytes().replace(b"flu", b"cold", 1))
        with pytest.raises(NotAnonymous, match="changed since"):
            made.write()
    assert nothing_left(own_folder, tmp_path / "r.csv")


def test_rows_put_aside_for_sorting_that_are_doctored_are_not_published(
    people: Path, own_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    true = Passing.recount

    def doctored(run: Passing, names: list[str]) -> object:
        assert isinstance(run._first, ParquetTarget)
        frame = pl.read_parquet(run._first.path)
        frame[1:].write_parquet(run._first.path)
        return true(run, names)

    monkeypatch.setattr(Passing, "recount", doctored)
    with pytest.raises((DataError, NotAnonymous)):
        shoal.publish(people, tmp_path / "r.csv", engine="files", **ASKED, keep_order=False)
    assert nothing_left(own_folder, tmp_path / "r.csv")


def test_a_sort_that_changes_a_row_is_noticed(people: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    true = passing.sorted_rows
    monkeypatch.setattr(passing, "sorted_rows", lambda *a: (f.with_columns(visit=pl.lit("1")) for f in true(*a)))
    with pytest.raises(NotAnonymous, match="while they were sorted"):
        shoal.publish(people, tmp_path / "r.csv", engine="files", **ASKED, keep_order=False)


def test_a_full_disk_leaves_the_old_release_and_nothing_else(
    people: Path, own_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "r.csv").write_text("the old release\n")
    monkeypatch.setattr(TextTarget, "_pour", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    with pytest.raises(WriteError, match="disk is full"):
        shoal.publish(people, tmp_path / "r.csv", engine="files", force=True, **ASKED)
    assert (tmp_path / "r.csv").read_text() == "the old release\n"
    assert not list(own_folder.iterdir())
    assert not list(tmp_path.glob(".r.csv*"))


def command(data: Path, output: Path, *more: str) -> list[str]:
    asked = ("-k", "4", "--qi", "age,town", "--sensitive", "illness", "--keep", "visit", "--engine", "files", "--force")
    return [sys.executable, "-m", "shoal", "anonymize", str(data), "-o", str(output), *asked, *more]


@pytest.mark.parametrize("limit", [2_000, 60_000])
def test_a_file_that_may_not_grow_ends_the_run_cleanly(people: Path, limit: int, own_folder: Path, tmp_path: Path) -> None:
    """A quota, in a process of its own: the limit of the system on the size of files. Python would keep bytecode that is cut off, and load it the next time."""
    big = tmp_path / "big.csv"
    head, _, rows = people.read_bytes().partition(b"\n")
    big.write_bytes(head + b"\n" + rows * 12)
    output = tmp_path / "r.csv"
    output.write_text("the old release\n")
    code = f"import resource, signal, sys; sys.dont_write_bytecode = True; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit})); from shoal.cli import main; main()"
    run = command(big, output, "--quiet")
    environment = {key: value for key, value in os.environ.items() if not key.startswith("COVERAGE_")}  # its file may not grow either
    environment["TMPDIR"] = str(own_folder)
    answer = subprocess.run([sys.executable, "-c", code, *run[3:]], capture_output=True, text=True, check=False, env=environment)
    assert answer.returncode not in (0, -signal.SIGXFSZ), answer.stderr
    assert "Traceback" not in answer.stderr
    assert "could not be written" in answer.stderr or "no room left" in answer.stderr
    assert output.read_text() == "the old release\n"
    assert not list(own_folder.iterdir())
    assert not list(tmp_path.glob(".r.csv*"))


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_a_run_that_is_stopped_at_any_moment(people: Path, number: signal.Signals, own_folder: Path, tmp_path: Path) -> None:
    """The old release or the new one is there, never a part; what a killed run left is swept by the next."""
    output = tmp_path / "r.csv"
    environment = {**os.environ, "TMPDIR": str(own_folder)}
    subprocess.run(command(people, output, "--quiet"), check=True, env=environment)
    new = output.read_bytes()
    rng = np.random.default_rng(int(number))
    for wait in rng.uniform(0.1, 2.5, 8):
        output.write_text("the old release\n")
        process = subprocess.Popen(command(people, output, "--quiet"), env=environment, stderr=subprocess.DEVNULL)
        time.sleep(float(wait))
        process.send_signal(number)
        process.wait()
        assert output.read_bytes() in (b"the old release\n", new)
        if number != signal.SIGKILL:
            assert not list(own_folder.iterdir())
            assert not list(tmp_path.glob(".r.csv*"))
    subprocess.run(command(people, output, "--quiet"), check=True, env=environment)
    assert output.read_bytes() == new
    assert not list(own_folder.iterdir())
    assert not list(tmp_path.glob(".r.csv*"))


def test_packed_texts_are_unpacked_in_private(people: Path, tmp_path: Path) -> None:
    (tmp_path / "p.csv.gz").write_bytes(gzip.compress(people.read_bytes()))
    shoal.publish(tmp_path / "p.csv.gz", tmp_path / "a.csv", engine="files", **ASKED)
    shoal.publish(people, tmp_path / "b.csv", engine="files", **ASKED)
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()


def test_the_commands_of_the_page_run_as_they_stand(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "howto-large.md").read_text()
    _, make, anonymize, verify = page.split("```sh\n")[1].split("```")[0].strip().splitlines()
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    for line in (make, anonymize, verify):
        answer = subprocess.run(["sh", "-c", line], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert answer.returncode == 0, answer.stderr
    assert "Every released cell of age, zip covers its original one" in answer.stdout
    assert list((tmp_path / "kept").iterdir()) == []


def test_the_command_tells_its_progress_to_programs(people: Path, tmp_path: Path) -> None:
    answer = subprocess.run(command(people, tmp_path / "r.csv", "--quiet", "--json-progress"), capture_output=True, text=True, check=True)
    told = [json.loads(line) for line in answer.stderr.splitlines()]
    assert {"reading", "writing", "verifying"} <= {each["stage"] for each in told}
    assert all(0 <= each.get("done", 0) <= 1 for each in told)


def test_more_different_rows_than_memory_are_refused_before_the_search(
    people: Path, own_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shoal.engines.driver.solve", lambda *_: pytest.fail("the search began"))
    monkeypatch.setattr(limits, "SOLVER", 10 << 20)
    with pytest.raises(Refused, match=r"different rows .* Give more \(--memory\)"):
        shoal.publish(people, tmp_path / "r.csv", engine="files", memory="1GB", **ASKED)
    assert nothing_left(own_folder, tmp_path / "r.csv")
