"""A release by any tool that is read in stretches: judged as in memory, or said not to be compared; and in little memory."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import polars as pl
import pytest

import shoal
from shoal import api
from shoal.engines import verifying
from shoal.engines.counter import Counter
from shoal.engines.verifying import AskedOfFiles
from shoal.errors import NotAnonymous, NotCompared, Refused
from shoal.io.source import Stretch
from shoal.judge.criteria.base import Requirement
from shoal.judge.verdict import Verdict
from shoal.judge.verify import verify
from shoal.release.resolve import Hierarchies
from shoal.table import Table
from tests.contract.doctored import NAMES, WAYS, K, doctored, honest

POLICY = api.make_policy(None, k=K, quasi_identifiers=NAMES, sensitive=["ill"], keep=["note"], l_diversity=2)
DEMANDS = [Requirement(*demand) for demand in POLICY.demands]
SAME = ("k", "n_rows", "n_groups", "smallest_group", "sizes", "reached", "how", "why_not", "quasi_identifiers", "others", "named", "lacking",
        "n_withheld", "withheld_are_certain", "is_whole")  # fmt: skip


class Some:
    """A frame, some rows at a time."""

    def __init__(self, frame: pl.DataFrame, most: int) -> None:
        self.frame, self.most, self.columns = frame, most, tuple(frame.columns)

    def stretches(self, columns: Sequence[str] | None = None) -> Iterator[Stretch]:
        chosen = self.frame if columns is None else self.frame.select(columns)
        for first in range(0, chosen.height, self.most):
            yield Stretch(chosen[first : first + self.most], first, None, 1.0)


def in_stretches(before: pl.DataFrame, after: pl.DataFrame, most: int, folder: Path, memory: int = 1 << 28) -> Verdict:
    asked = AskedOfFiles(POLICY, lambda n_rows: None, named=("ill", "note"))
    return verifying._InStep(Some(before, most), Some(after, most), Counter(folder, memory), asked).verdict()  # type: ignore[arg-type]


def in_memory(before: pl.DataFrame, after: pl.DataFrame) -> Verdict:
    named, known = ["ill", "note"], Hierarchies(Table(before), POLICY)
    texts = {name: known.texts(name) for name in NAMES}
    return verify(before, after, k=K, quasi_identifiers=NAMES, hierarchies=texts, demands=DEMANDS, needed=named, named=named)


def check_agree(before: pl.DataFrame, after: pl.DataFrame, most: int, folder: Path) -> str:
    """Both refuse in the same words or give the same verdict; what only memory can find out is never called whole."""
    try:
        expected = in_memory(before, after)
    except NotAnonymous as refused:
        said = str(refused)
        if said.startswith(("Not ", "The release has")) or " break " in said or "needs at least" in said:
            with pytest.raises(NotAnonymous) as again:
                in_stretches(before, after, most, folder)
            assert str(again.value) == said
        else:
            assert in_stretches(before, after, most, folder).how is None
        return "refused"
    found = in_stretches(before, after, most, folder)
    if expected.how != "by position":
        assert not found.is_whole
        return "unknown"
    for key in SAME:
        assert getattr(found, key) == getattr(expected, key), key
    assert found.sentences() == expected.sentences()
    for name, figures in expected.measures.items():
        assert found.measures[name] == pytest.approx(figures, rel=1e-12), name
    assert [(c.name, c.kind, c.words()) for c in found.columns] == [(c.name, c.kind, c.words()) for c in expected.columns]
    return "true"


@pytest.mark.parametrize("most", [1, 7, 10**9])
def test_a_true_release_has_the_verdict_of_memory(most: int, tmp_path: Path) -> None:
    found = {check_agree(honest(seed).before, honest(seed).after, most, tmp_path) for seed in range(6)}
    assert "true" in found


def test_a_database_counts_the_same_where_rows_are_too_many_for_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """DuckDB goes on where rows do not fit; here it counts from the second stretch on."""
    asked_of_it: list[str] = []
    fold_more = Counter._fold_more
    monkeypatch.setattr(Counter, "_fold_more", lambda self, *given: asked_of_it.append("once") or fold_more(self, *given))
    tried = honest(0)
    for after in (tried.after, doctored(tried, "an exact age", 0)):
        told: list[object] = []
        for memory in (1 << 28, 0):
            try:
                found = in_stretches(tried.before, after, 7, tmp_path, memory)
                told.append([getattr(found, key) for key in SAME])
            except NotAnonymous as refused:
                told.append(str(refused))
        assert told[0] == told[1]
    assert len(asked_of_it) == 2


@pytest.mark.parametrize("way", WAYS)
def test_what_memory_refuses_is_not_called_true_in_stretches(way: str, tmp_path: Path) -> None:
    for seed in range(2):
        check_agree(honest(seed).before, doctored(honest(seed), way, seed), random.Random(seed).choice([1, 7, 10**9]), tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_a_thousand_doctored_releases(way: str, tmp_path: Path) -> None:
    found = [check_agree(honest(seed).before, doctored(honest(seed), way, seed), 7, tmp_path) for seed in range(50)]
    assert len(found) == 50


def write(folder: Path, frame: pl.DataFrame, parts: int) -> Path:
    """A folder of Parquet files."""
    folder.mkdir()
    size = -(-frame.height // parts)
    for i in range(parts):
        frame[i * size : (i + 1) * size].write_parquet(folder / f"part-{i}.parquet")
    return folder


def asked(**more: object) -> dict[str, object]:
    return {"k": K, "quasi_identifiers": list(NAMES), "sensitive": ["ill"], "keep": ["note"], **more}


def test_folders_of_parquet_and_text_files_are_judged_alike(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tried = honest(3)
    before, after = write(tmp_path / "before", tried.before, 3), tmp_path / "after.csv"
    tried.after.write_csv(after)
    expected = shoal.verify(before, after, **asked())
    monkeypatch.setattr(verifying, "free_memory", lambda: 1)
    assert verifying.are_large(before, after)
    found = shoal.verify(before, after, **asked())
    assert [getattr(found, key) for key in SAME] == [getattr(expected, key) for key in SAME]
    tried.after[:-1].write_csv(after)
    with pytest.raises((NotCompared, NotAnonymous), match=r"only compared by position|fewer than 3 rows"):
        shoal.verify(before, after, **asked())
    with pytest.raises(NotAnonymous, match=r"none may be withheld|fewer than 3 rows"):
        shoal.verify(before, after, withheld=0, **asked())
    with pytest.raises(Refused, match="--person"):
        shoal.verify(before, after, **asked(person="note", keep=[]))


PEAK = """
import resource, sys, shoal
from shoal.engines import verifying
verifying.free_memory = lambda: 1
begin = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
verdict = shoal.verify(sys.argv[1], sys.argv[2], k=3, quasi_identifiers=["age"], keep=["one", "two"])
print(verdict.how, verdict.n_rows, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - begin) << 10)
"""


def test_tables_larger_than_what_they_may_take_are_verified(tmp_path: Path) -> None:
    """By the peak of a process of its own: less than half of what the two tables take as frames."""
    n_rows = 600_000
    note = pl.select(pl.int_range(n_rows)).to_series()
    more = {"one": pl.format("{}" + "-" * 90, note), "two": pl.format("{}" + "+" * 90, note)}
    age = note % 100
    low = age - age % 10
    before = pl.DataFrame({"age": age.cast(pl.String)}).with_columns(**more)
    after = pl.DataFrame({"low": low, "high": low + 10}).select(pl.format("[{}, {})", "low", "high").alias("age"))
    paths = [write(tmp_path / name, frame.with_columns(**more), 8) for name, frame in (("before", before), ("after", after))]
    size = 2 * before.estimated_size()
    answer = subprocess.run([sys.executable, "-c", PEAK, *map(str, paths)], capture_output=True, text=True, check=True)
    *how, n, grown = answer.stdout.split()
    assert (" ".join(how), int(n)) == ("by position", n_rows)
    assert int(grown) < size / 2, f"{int(grown) >> 20} MiB for tables of {size >> 20}"
