"""The layers of the house, as pyproject.toml draws them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_no_layer_imports_one_above_it():
    answer = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command as run; run()"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode == 0, answer.stdout + answer.stderr


def test_every_file_is_short_enough_to_be_read_at_once():
    long = {str(path.relative_to(ROOT)): n for path in (ROOT / "src").rglob("*.py") if (n := len(path.read_text().splitlines())) > 450}
    assert not long


def test_no_room_is_called_after_nothing():
    vague = {"utils", "helpers", "common", "core", "misc"}
    assert not [path for path in (ROOT / "src").rglob("*.py") if path.stem in vague or path.parent.name in vague]
