"""Files appear whole or not at all, the same bytes each time, and never over their input."""

from __future__ import annotations

import datetime as d
import os
import resource
import signal
import stat
import subprocess
import sys
import time

import polars as pl
import pytest

from shoal.errors import WriteError
from shoal.io import atomic, check_output, read
from tests.io.verified import write

FRAME = pl.DataFrame({"zip": ["007", None, ""], "n": [1, 2, 3], "day": [d.date(2024, 1, 2), None, d.date(2024, 1, 3)]})
LARGE = pl.DataFrame({"n": [str(i * 7919) for i in range(50_000)]})
ENDINGS = ["csv", "csv.gz", "tsv", "parquet"]


@pytest.mark.parametrize("ending", ENDINGS)
def test_same_bytes_each_time_under_any_name(tmp_path, ending):
    for name in ("a", "b"):
        write(FRAME, tmp_path / f"{name}.{ending}")
    assert (tmp_path / f"a.{ending}").read_bytes() == (tmp_path / f"b.{ending}").read_bytes()
    assert sorted(os.listdir(tmp_path)) == [f"a.{ending}", f"b.{ending}"]


def test_text_of_every_type(tmp_path):
    write(FRAME, tmp_path / "t.csv")
    assert (tmp_path / "t.csv").read_bytes() == b'zip,n,day\n007,1,2024-01-02\n,2,\n"",3,2024-01-03\n'
    write(FRAME, tmp_path / "t.csv", delimiter=";")
    assert (tmp_path / "t.csv").read_bytes().startswith(b"zip;n;day\n")


def test_parquet_keeps_types(tmp_path):
    write(FRAME, tmp_path / "t.parquet")
    assert read(tmp_path / "t.parquet").frame.equals(FRAME)


def test_standard_output():
    code = "import polars as pl; from tests.io.verified import write; write(pl.DataFrame({'a': ['x', None]}), '-')"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout == b"a\nx\n\n"


def test_a_closed_pipe_is_told(tmp_path):
    code = (
        "import os, sys; from shoal.errors import WriteError; from shoal.io import atomic\n"
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
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
    try:
        with pytest.raises(WriteError, match="larger than the system allows") as caught:
            write(LARGE, path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, ignored)
    assert caught.value.__cause__ is None
    assert [p.name for p in tmp_path.iterdir()] == ([] if old is None else [path.name])
    assert old is None or path.read_bytes() == old


@pytest.mark.parametrize("frame", [FRAME, LARGE])
def test_a_full_disk(frame):
    with pytest.raises(WriteError, match="'/dev/full' could not be written: the disk is full"):
        write(frame, "/dev/full")
    with pytest.raises(WriteError, match="the disk is full"):
        atomic.write_text("/dev/full", "x")


@pytest.mark.parametrize("when", ["write", "fsync", "replace"])
@pytest.mark.parametrize("error", [KeyboardInterrupt(), OSError(28, "No space left on device"), MemoryError()])
def test_whatever_happens_nothing_is_left(tmp_path, monkeypatch, when, error):
    def fail(*args, **options):
        raise error

    monkeypatch.setattr("polars.DataFrame.write_csv" if when == "write" else f"shoal.io.atomic.os.{when}", fail)
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


def test_places_that_cannot_be_written(tmp_path, monkeypatch):
    with pytest.raises(WriteError, match=r"the folder '.*nope' does not exist. Create it first"):
        write(FRAME, tmp_path / "nope" / "t.csv")
    (tmp_path / "file").touch()
    with pytest.raises(WriteError, match=r"the folder '.*file' is not a folder"):
        write(FRAME, tmp_path / "file" / "t.csv")
    with pytest.raises(WriteError, match="is a folder"):
        write(FRAME, tmp_path)
    with pytest.raises(WriteError, match="an ending that shoal does not know"):
        write(FRAME, tmp_path / "t.xlsx")
    monkeypatch.setattr("os.access", lambda path, mode: False)
    with pytest.raises(WriteError, match="you may not write there"):
        check_output(tmp_path / "t.csv")
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


def test_the_input_is_never_the_output(tmp_path):
    given = tmp_path / "t.csv"
    write(FRAME, given)
    (tmp_path / "soft.csv").symlink_to(given)
    os.link(given, tmp_path / "hard.csv")
    (tmp_path / "sub").mkdir()
    table = read(given)
    for output in (given, tmp_path / "soft.csv", tmp_path / "hard.csv", tmp_path / "sub" / ".." / "t.csv"):
        with pytest.raises(WriteError, match="is also the input"):
            write(FRAME, output, inputs=[table.given])
    check_output(tmp_path / "other.csv", inputs=[table.given, None])
    check_output("-", inputs=["-"])


def test_columns_without_a_text_are_refused_for_csv(tmp_path):
    frame = pl.DataFrame({"a": ["x"], "l": [[1, 2]]})
    with pytest.raises(WriteError, match=r"Column 'l' holds List\(Int64\), which has no form in CSV. Write .parquet"):
        write(frame, tmp_path / "t.csv")
    write(frame, tmp_path / "t.parquet")
    assert [p.name for p in tmp_path.iterdir()] == ["t.parquet"]


def test_durations_have_a_text(tmp_path):
    write(pl.DataFrame({"stay": [d.timedelta(days=2, hours=3), None], "x": [1, 2]}), tmp_path / "t.csv")
    assert (tmp_path / "t.csv").read_text() == "stay,x\nP2DT3H,1\n,2\n"


@pytest.mark.parametrize(
    ("cell", "safe"),
    [
        ("=1+1", "'=1+1"),
        ("+cmd", "'+cmd"),
        ("-x", "'-x"),
        ("@sum", "'@sum"),
        ("\tx", "'\tx"),
        ("\rx", "'\rx"),
        ("-2+3", "'-2+3"),
        ("-5", "-5"),
        ("+4.5e-3", "+4.5e-3"),
        ("-.5", "-.5"),
        ("-1,234.5", "-1,234.5"),
        ("x=1", "x=1"),
        ("*", "*"),
        ("[20, 30)", "[20, 30)"),
        (None, None),
    ],
)
def test_spreadsheet_safe(tmp_path, cell, safe):
    write(pl.DataFrame({"a": [cell], "b": ["x"]}), tmp_path / "t.csv", spreadsheet_safe=True, delimiter="|")
    assert read(tmp_path / "t.csv", delimiter="|").frame["a"].to_list() == [safe]


def test_spreadsheet_safe_names_too(tmp_path):
    frame = pl.DataFrame({"=cmd": ["a"], "'=cmd": ["b"], "@x": ["c"], "-5": ["d"], "age": ["e"]})
    write(frame, tmp_path / "t.csv", spreadsheet_safe=True)
    assert (tmp_path / "t.csv").read_text().splitlines()[0] == "''=cmd,'=cmd,'@x,-5,age"
    write(frame, tmp_path / "u.csv")
    assert (tmp_path / "u.csv").read_text().splitlines()[0] == "=cmd,'=cmd,@x,-5,age"
