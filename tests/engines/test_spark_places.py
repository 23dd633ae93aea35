"""A folder that takes its name in one step, and what a run leaves that is killed on the way. The file system is this machine's, asked as Hadoop's is."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from shoal.disk.system import exchange
from shoal.engines import spark_places
from shoal.engines.spark_places import HOST, Folder
from shoal.errors import WriteError

ENDED = 2**22 + 1
"""No process has this number."""


class Killed(BaseException):
    """The process ends here, and cleans nothing."""


class LocalFiles:
    """What Hadoop's file systems answer."""

    def __init__(self) -> None:
        self.renames: list[int] = []
        self.dies_at = -1

    def exists(self, path: Any) -> bool:
        return os.path.exists(path.name)

    def rename(self, one: Any, other: Any) -> bool:
        self.renames.append(1)
        if len(self.renames) == self.dies_at:
            raise Killed
        os.rename(one.name, other.name)
        return True

    def delete(self, path: Any, recursive: bool) -> None:
        shutil.rmtree(path.name, ignore_errors=True)

    def listStatus(self, path: Any) -> list[Any]:
        return [SimpleNamespace(getPath=lambda name=name: SimpleNamespace(getName=lambda: name)) for name in os.listdir(path.name)]

    def getScheme(self) -> str:
        return "file"

    def makeQualified(self, path: Any) -> Any:
        return SimpleNamespace(toUri=lambda: SimpleNamespace(getPath=lambda: path.name))


@pytest.fixture
def files(monkeypatch: pytest.MonkeyPatch) -> LocalFiles:
    made = LocalFiles()
    monkeypatch.setattr(spark_places, "refuse_lake", lambda session, name: None)
    monkeypatch.setattr(Folder, "_files", lambda self: made)
    monkeypatch.setattr(Folder, "_path", lambda self, name: SimpleNamespace(name=name))
    return made


def folder(path: Path, text: str) -> None:
    path.mkdir()
    (path / "rows").write_text(text)
    (path / "_SUCCESS").touch()


def made(output: Path, text: str = "new", force: bool = True) -> Folder:
    run = Folder(None, str(output), force)  # type: ignore[arg-type]
    folder(Path(run.part), text)
    return run


def seen(output: Path) -> str:
    return (output / "rows").read_text()


@pytest.mark.usefixtures("files")
def test_an_old_folder_is_replaced_in_one_step(tmp_path: Path) -> None:
    folder(tmp_path / "out", "old")
    run = made(tmp_path / "out")
    run.publish()
    assert seen(tmp_path / "out") == "new"
    run.clean()
    assert os.listdir(tmp_path) == ["out"]


def test_where_names_cannot_be_exchanged_the_old_one_is_moved_aside(
    files: LocalFiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spark_places, "exchange", lambda one, other: False)
    folder(tmp_path / "out", "old")
    run = made(tmp_path / "out")
    run.publish()
    run.clean()
    assert (seen(tmp_path / "out"), os.listdir(tmp_path), len(files.renames)) == ("new", ["out"], 2)


@pytest.mark.parametrize("at", [1, 2])
def test_a_run_that_is_killed_between_two_names_is_recovered_by_the_next(
    files: LocalFiles, at: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spark_places, "exchange", lambda one, other: False)
    monkeypatch.setattr(spark_places, "OWNER", f"{HOST}.{ENDED}")
    folder(tmp_path / "out", "old")
    run = made(tmp_path / "out")
    files.dies_at = at
    with pytest.raises(Killed):
        run.publish()
    assert (tmp_path / "out").exists() == (at == 1), "between the two there is none"
    again = Folder(None, str(tmp_path / "out"), True)  # type: ignore[arg-type]
    assert seen(tmp_path / "out") == "old", "it was put back"
    assert os.listdir(tmp_path) == ["out"], "and what the killed run left is gone"
    assert (len(again.notes), "put back" in " ".join(again.notes)) == (at - 1, at == 2)


@pytest.mark.usefixtures("files")
def test_a_run_on_another_machine_or_at_work_is_left_alone(tmp_path: Path) -> None:
    alive, foreign = f".out.{HOST}.{os.getpid()}.{'a' * 12}.part", f".out.elsewhere.{ENDED}.{'b' * 12}.old"
    others = [".out.part", ".outer.x.1.part", "out.old"]
    for name in (alive, foreign, *others):
        folder(tmp_path / name, "theirs")
    with pytest.raises(WriteError, match=r"elsewhere.*another run is replacing it, or was killed on another machine"):
        Folder(None, str(tmp_path / "out"), True)  # type: ignore[arg-type]
    folder(tmp_path / "out", "old")
    made(tmp_path / "out").clean()
    assert sorted(os.listdir(tmp_path)) == sorted([alive, foreign, *others, "out"])


@pytest.mark.usefixtures("files")
def test_without_force_nothing_is_replaced(tmp_path: Path) -> None:
    run = made(tmp_path / "out", force=False)
    folder(tmp_path / "out", "somebody else's")
    with pytest.raises(WriteError, match="exists already"):
        run.publish()
    with pytest.raises(WriteError, match="exists already"):
        Folder(None, str(tmp_path / "out"), False)  # type: ignore[arg-type]
    assert seen(tmp_path / "out") == "somebody else's"


def test_two_folders_have_each_other_s_names(tmp_path: Path) -> None:
    folder(tmp_path / "one", "1")
    folder(tmp_path / "two", "2")
    assert exchange(str(tmp_path / "one"), str(tmp_path / "two"))
    assert (seen(tmp_path / "one"), seen(tmp_path / "two")) == ("2", "1")
    assert not exchange(str(tmp_path / "one"), str(tmp_path / "absent"))
