"""Private folders, and what a killed run leaves."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import polars as pl
import pytest

from shoal.disk import atomic
from shoal.disk.spill import PREFIX, Part, Spill, sweep
from tests.io.verified import write


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_only_its_owner_may_look_into_it() -> None:
    made = Spill()
    assert stat.S_IMODE(made.folder.stat().st_mode) == 0o700
    made.remove()
    assert not made.folder.exists()


def test_a_folder_in_use_is_not_swept() -> None:
    made = Spill()
    assert sweep() == []
    assert made.folder.exists()
    made.remove()


KILLED = """
import sys, time
from shoal.disk.spill import Part, Spill
spill, part = Spill(), Part(sys.argv[1])
(spill.folder / "rows").write_text("a person's row")
part.file.write(b"half a release"); part.file.flush()
print("ready", flush=True)
time.sleep(60)
"""


def test_what_a_killed_process_left_is_swept_by_the_next(own_folder: Path) -> None:
    output = own_folder / "release.csv"
    process = subprocess.Popen(
        [sys.executable, "-c", KILLED, str(output)], stdout=subprocess.PIPE, env={**os.environ, "TMPDIR": str(own_folder)}
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    left = [*own_folder.glob(f"{PREFIX}*"), *own_folder.glob(".release.csv.*.part")]
    assert len(left) == 2
    assert sweep() == []  # it lives
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert [path.name for path in sweep()] == [left[0].name]
    part = Part(str(output))
    assert not left[1].exists()
    part.remove()
    assert list(own_folder.iterdir()) == []


def test_folders_of_others_and_links_stay(own_folder: Path) -> None:
    (own_folder / "elsewhere").mkdir()
    (own_folder / f"{PREFIX}link").symlink_to(own_folder / "elsewhere")
    (own_folder / f"{PREFIX}nolock").mkdir()
    assert sweep() == []
    assert (own_folder / "elsewhere").exists()


def test_a_part_can_be_read_by_its_owner_only_and_is_gone_when_removed(own_folder: Path) -> None:
    part = Part(str(own_folder / "r.csv"))
    part.file.write(b"a person's row")
    assert stat.S_IMODE(part.path.stat().st_mode) == 0o600
    part.remove()
    assert not part.path.exists()


def test_an_interrupt_as_soon_as_the_part_is_there_leaves_nothing(own_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The target held no part yet that it could have removed."""
    real = atomic.open_part

    def interrupted(path: Path) -> None:
        real(path)
        raise KeyboardInterrupt

    monkeypatch.setattr("shoal.disk.spill.open_part", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write(pl.DataFrame({"n": ["1"]}), own_folder / "t.csv")
    assert list(own_folder.iterdir()) == []
