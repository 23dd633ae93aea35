"""Files that belong together: an interrupt at any line leaves all of them or none, and the message says which."""

from __future__ import annotations

import signal
import sys
from functools import partial
from pathlib import Path

import pytest

from shoal.cli.main import run
from shoal.disk import atomic, together

CODE = {atomic.__file__, together.__file__}


class InterruptAtLine:
    """Sends Ctrl-C, and a second one at once, before the n-th line of the writing code."""

    def __init__(self, n: int) -> None:
        self.n, self.n_lines = n, 0

    def __call__(self, frame, event, argument):
        if frame.f_code.co_filename not in CODE:
            return None
        if event == "line":
            self.n_lines += 1
            if self.n_lines == self.n:
                signal.raise_signal(signal.SIGINT)
            elif self.n_lines == self.n + 3:
                signal.raise_signal(signal.SIGTERM)
        return self


def files_in(folder: Path) -> dict[str, tuple[bytes, int]]:
    return {path.name: (path.read_bytes(), path.stat().st_mode) for path in folder.iterdir()}


def write_three(folder: Path, n: int, force: bool, is_old: bool) -> tuple[bool, int, dict, dict]:
    """Whether it was interrupted, the lines that ran, and the folder before and after."""
    folder.mkdir()
    if is_old:
        (folder / "a").write_bytes(b"old a")
        (folder / "c").write_bytes(b"old c")
    before, spy, interrupted = files_in(folder), InterruptAtLine(n), False
    old = sys.gettrace()
    sys.settrace(spy)
    try:
        writes = ((str(folder / x), partial(atomic.write_bytes, data=x.encode(), private=x == "b", force=force)) for x in "abc")
        together.write_together(*writes)
    except KeyboardInterrupt:
        interrupted = True
    finally:
        sys.settrace(old)
    return interrupted, spy.n_lines, before, files_in(folder)


@pytest.mark.parametrize(("force", "is_old", "has_links"), [(False, False, True), (True, True, True), (True, True, False)])
def test_an_interrupt_at_any_line_leaves_all_or_nothing(tmp_path, monkeypatch, force, is_old, has_links):
    """An interrupt while a folder was flushed left one file of several, and hidden second names of old ones."""
    ends = signal.signal(signal.SIGTERM, signal.default_int_handler)
    if not has_links:
        monkeypatch.setattr(together.os, "link", lambda *_: (_ for _ in ()).throw(OSError(95, "no links here")))
    try:
        _, n_lines, _, whole = write_three(tmp_path / "0", 10**9, force, is_old)
        for n in range(1, n_lines + 1):
            _, _, before, after = write_three(tmp_path / str(n), n, force, is_old)
            assert after in (before, whole), n
    finally:
        signal.signal(signal.SIGTERM, ends)


def test_somebody_elses_file_is_not_taken_back(tmp_path):
    """A file that appears while we write is not ours, whatever fails."""

    def meanwhile(path: str) -> None:
        Path(path).write_text("theirs")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        together.write_together((str(tmp_path / "a"), partial(atomic.write_bytes, data=b"ours")), (str(tmp_path / "b"), meanwhile))
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"b": "theirs"}


def test_an_interrupt_after_everything_was_written_says_so(tmp_path, monkeypatch, capsys):
    """It said that nothing was written, while every file was there."""
    people = tmp_path / "people.csv"
    people.write_text("age,zip\n" + "".join(f"{20 + i % 23},{81000 + i % 7}\n" for i in range(60)))

    def interrupted(*_: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("shoal.cli.summary.SpokenFigures.text", interrupted)
    out = tmp_path / "r.csv"
    assert run(["anonymize", str(people), "-o", str(out), "-k", "3", "--qi", "age", "--qi", "zip"]) == 130
    assert out.exists()
    said = capsys.readouterr().err
    assert str(out) in said
    assert "Nothing" not in said
