"""A command that is printed works as it stands, from the folder where it was printed."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from shoal.cli.program import program

OWN = Path(sys.executable).with_name("shoal")


def test_by_its_name_where_the_name_finds_it(monkeypatch):
    monkeypatch.setenv("PATH", str(OWN.parent))
    assert program() == "shoal"


def test_by_its_path_where_the_name_finds_nothing_or_another(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert program() == str(OWN)
    other = tmp_path / "shoal"
    other.write_text("#!/bin/sh\nexit 7\n")
    other.chmod(0o755)
    assert program() == str(OWN)
    monkeypatch.setattr(sys, "argv", [str(other)])
    assert program() == "shoal"


@pytest.mark.parametrize("call", [[str(OWN)], [sys.executable, "-m", "shoal"]], ids=["script", "module"])
def test_the_commands_of_init_work_without_a_path(tmp_path, call):
    """The table is in another folder, has an odd delimiter, and its path has a blank."""
    table = tmp_path / "my data" / "people.csv"
    table.parent.mkdir()
    table.write_text("age^sex^job\n" + "".join(f"{20 + i % 7}^{'mf'[i % 2]}^{'cook' if i % 3 else 'nurse'}\n" for i in range(60)))
    env = {**os.environ, "PATH": "/nowhere"}
    made = subprocess.run([*call, "init", "my data/people.csv", "--delimiter", "^"], cwd=tmp_path, env=env, capture_output=True, text=True)
    typed = [line for line in made.stdout.splitlines() if line.startswith("   ")]
    assert len(typed) == 2, made.stderr
    for line in typed:
        done = subprocess.run(shlex.split(line), cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, (line, done.stderr)
