"""Which engine does a job, and how much memory it may use."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

from shoal.disk.spill import HIDDEN, Spill
from shoal.engines.base import Job
from shoal.engines.choice import bytes_of, engine_for, refused_when_counting
from shoal.errors import PolicyError, Refused
from shoal.policy.policy import Policy


def test_the_old_name_of_memory_is_accepted() -> None:
    assert engine_for(Job("t.csv", Policy()), "local").name == "memory"


def test_a_dataframe_is_taken_in_memory() -> None:
    assert engine_for(Job(object(), Policy())).name == "memory"


@pytest.mark.parametrize(("text", "size"), [("4GB", 4 * 2**30), ("1.5 g", 3 * 2**29), ("700", 700), ("64KiB", 65536), (None, None)])
def test_sizes_are_read_as_people_write_them(text: str | None, size: int | None) -> None:
    assert bytes_of(text) == size


@pytest.mark.parametrize("text", ["", "much", "4 XB", "-1GB"])
def test_a_size_that_is_none_is_an_error(text: str) -> None:
    with pytest.raises(PolicyError, match="such as 4GB"):
        bytes_of(text)


def test_people_and_forms_need_the_rows() -> None:
    assert "--person" in str(refused_when_counting(Job("t.csv", Policy(person="who"))))
    assert "--form" in str(refused_when_counting(Job("t.csv", Policy(), form="typed")))
    assert "--proof" in str(refused_when_counting(Job("t.csv", Policy(), proof=True)))
    assert refused_when_counting(Job("t.csv", Policy(), report=True)) is None
    assert refused_when_counting(Job("t.csv", Policy())) is None


def test_only_an_engine_that_can_take_up_a_run_gets_a_folder_for_it() -> None:
    with pytest.raises(Refused, match="--engine files"):
        engine_for(Job("t.csv", Policy(), "r.csv", work="here"), "memory")
    assert engine_for(Job("t.csv", Policy(), "r.csv", work="here"), "files").keeps_work


@pytest.mark.parametrize("engine", ["memory", "files"])
@pytest.mark.parametrize("output", ["r.csv", "sqlite:///{}/r.db?table=r"])
def test_every_engine_sweeps_what_a_killed_run_of_another_left(
    engine: str, output: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A killed run over tables of SQLite leaves a folder with rows of people beside its target."""
    monkeypatch.chdir(tmp_path)
    left, at_work = tmp_path / f"{HIDDEN}killed", Spill(tmp_path)
    left.mkdir(mode=0o700)
    (left / "lock").touch()
    (left / "release.db").write_text("rows")
    with suppress(Refused):
        engine_for(Job("t.csv", Policy(), output.format(tmp_path)), engine)
    assert not left.exists()
    assert at_work.folder.exists()
    at_work.remove()
