"""A reader of standard output that goes away: every command comes to its end, with its own status and without a word of it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


def status(arguments: list[str], folder: Path) -> tuple[int, str]:
    """Run a command whose standard output nobody reads."""
    reader, writer = subprocess.PIPE, [sys.executable, "-m", "shoal", *arguments]
    process = subprocess.Popen(writer, cwd=folder, stdout=reader, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    said = process.stderr.read()
    return process.wait(), said


@pytest.mark.parametrize(
    "command", [["algorithms"], ["measures"], ["criteria"], ["--help"], ["assess", "t.csv"], ["init", "t.csv"]], ids=" ".join
)
def test_a_closed_pipe_is_no_failure(tmp_path, command):
    (tmp_path / "t.csv").write_text("age,sex\n" + "".join(f"{20 + i % 9},{'mf'[i % 2]}\n" for i in range(40)))
    assert status(command, tmp_path) == (0, "")


def test_the_answer_is_the_status_also_where_nobody_reads_the_words(tmp_path):
    """verify exits with 4 where cells could not be compared; a closed pipe must not make a 0 of it."""
    (tmp_path / "t.csv").write_text("age,ill\n" + "".join(f"{20 + i // 2},{i % 3}\n" for i in range(12)))
    (tmp_path / "r.csv").write_text("age,ill\n" + "".join(f"{20 + i // 2},{i % 3}\n" for i in reversed(range(12))))
    assert status(["verify", "t.csv", "r.csv", "-k", "2", "--qi", "age"], tmp_path)[0] == 4
