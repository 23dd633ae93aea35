"""Files appear whole or not at all, with the right permissions, whatever goes wrong."""

from __future__ import annotations

import datetime as d
import os
import signal
import stat
import subprocess
import sys
import time

import polars as pl
import pytest

from shoal.disk import atomic
from shoal.errors import WriteError
from tests.io.verified import write
from tests.limits import small_files

FRAME = pl.DataFrame({"zip": ["007", None, ""], "n": [1, 2, 3], "day": [d.date(2024, 1, 2), None, d.date(2024, 1, 3)]})
LARGE = pl.DataFrame({"n": [str(i * 7919) for i in range(50_000)]})
ENDINGS = ["csv", "csv.gz", "tsv", "parquet"]


def test_a_closed_pipe_is_told(tmp_path):
    code = (
        "import os, sys; from shoal.errors import WriteError; from shoal.disk import atomic\n"
        "r, w = os.pipe(); os.close(r); os.dup2(w, 1)\n"
        "try: atomic.write_bytes('-', b'x' * 100000)\n"
        "except WriteError as error: sys.stderr.write(str(error)); os._exit(2)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True)
    assert done.returncode == 2
    assert b"'standard output' could not be written: the program that reads it has stopped" in done.stderr


def test_a_new_file_gets_the_usual_permissions_and_an_old_one_keeps_its_own(tmp_path):
    usual = tmp_path / "usual"
    usual.touch()
    path = tmp_path / "t.csv"
    write(FRAME, path)
    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE(usual.stat().st_mode)
    path.chmod(0o640)
    write(FRAME, path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_the_temporary_file_is_for_its_owner_alone(tmp_path):
    with atomic.writing(tmp_path / "t.csv") as file:
        file.write(b"x")
        (part,) = tmp_path.iterdir()
        assert stat.S_IMODE(part.stat().st_mode) == 0o600
    assert [p.name for p in tmp_path.iterdir()] == ["t.csv"]


def test_a_link_is_followed(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link.csv").symlink_to(tmp_path / "real" / "t.csv")
    write(FRAME, tmp_path / "link.csv")
    assert (tmp_path / "link.csv").is_symlink()
    assert (tmp_path / "real" / "t.csv").is_file()


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("old", [None, b"old"])
def test_a_file_that_grows_too_large_leaves_what_was_there(tmp_path, ending, old):
    path = tmp_path / f"t.{ending}"
    if old is not None:
        path.write_bytes(old)
    with small_files(4096), pytest.raises(WriteError, match="larger than the system allows") as caught:
        write(LARGE, path)
    assert caught.value.__cause__ is None
    assert [p.name for p in tmp_path.iterdir()] == ([] if old is None else [path.name])
    assert old is None or path.read_bytes() == old


@pytest.mark.parametrize("frame", [FRAME, LARGE])
def test_a_full_disk_is_reported(frame):
    with pytest.raises(WriteError, match="'/dev/full' could not be written: the disk is full"):
        write(frame, "/dev/full")
    with pytest.raises(WriteError, match="the disk is full"):
        atomic.write_text("/dev/full", "x")


@pytest.mark.parametrize("when", ["write", "fsync", "replace"])
@pytest.mark.parametrize("error", [KeyboardInterrupt(), OSError(28, "No space left on device"), MemoryError()])
def test_whatever_happens_nothing_is_left(tmp_path, monkeypatch, when, error):
    def fail(*args, **options):
        raise error

    monkeypatch.setattr("polars.DataFrame.write_csv" if when == "write" else f"shoal.disk.atomic.os.{when}", fail)
    with pytest.raises(WriteError if isinstance(error, OSError) else type(error)):
        write(FRAME, tmp_path / "t.csv")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("ending", ["csv.gz", "parquet"])
def test_ctrl_c_leaves_nothing(tmp_path, ending):
    """A real interrupt, as soon as the temporary file is there; the write must not have ended before."""
    code = (
        "import sys, polars as pl; from tests.io.verified import write\n"
        "frame = pl.select(n=pl.int_range(3_000_000).hash()).with_columns(t=pl.col('n').cast(pl.String))\n"
        "print('ready', flush=True)\n"
        "try: write(frame, sys.argv[1])\n"
        "except KeyboardInterrupt: sys.exit(130)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(tmp_path / f"t.{ending}")], stdout=subprocess.PIPE) as run:
        assert run.stdout.readline() == b"ready\n"
        while not list(tmp_path.iterdir()) and run.poll() is None:
            time.sleep(0.005)
        run.send_signal(signal.SIGINT)
        assert run.wait(timeout=60) == 130
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["open", "fdopen"])
def test_an_interrupt_right_after_the_file_is_there_leaves_nothing(tmp_path, monkeypatch, name):
    """The interrupt may come between the making of the temporary file and the first line that uses it."""
    real = getattr(os, name)

    def interrupted(*args, **options):
        made = real(*args, **options)
        if name == "fdopen" or str(args[0]).endswith(".part"):
            raise KeyboardInterrupt
        return made

    monkeypatch.setattr(f"shoal.disk.atomic.os.{name}", interrupted)
    with pytest.raises(KeyboardInterrupt):
        atomic.write_bytes(tmp_path / "t", b"1")
    assert list(tmp_path.iterdir()) == []


HALF = """
import sys, time
from shoal.disk import atomic
with atomic.writing(sys.argv[1]) as file:
    file.write(b"half a release")
    file.flush()
    print("ready", flush=True)
    time.sleep(60)
"""


def test_what_a_killed_process_left_is_swept_when_the_file_is_written_again(tmp_path):
    """Others that are being written, and files of somebody else's making, stay."""
    path = tmp_path / "t.csv"
    theirs = [tmp_path / name for name in (".t.csv.part", ".t.csv.download.part", ".u.csv.0123456789ab.part")]
    for file in theirs:
        file.write_text("theirs")
    runs = [subprocess.Popen([sys.executable, "-c", HALF, str(path)], stdout=subprocess.PIPE) for _ in range(2)]
    for run in runs:
        assert run.stdout.readline() == b"ready\n"
    runs[0].kill()
    runs[0].wait()
    atomic.write_bytes(path, b"whole")
    assert len(list(tmp_path.iterdir())) == len(theirs) + 2, "one that is being written is left alone"
    runs[1].kill()
    runs[1].wait()
    atomic.write_bytes(path, b"whole")
    assert sorted(tmp_path.iterdir()) == sorted([*theirs, path])
