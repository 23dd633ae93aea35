"""The changelog is for users, and no file speaks of lists that only its makers had."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CODE = r"[HNPRTU][0-9]{1,2}"
ASIDE = re.compile(rf"\({CODE}(, {CODE})*\)|(\"\"\"|# ){CODE}(,? (and )?{CODE})*('s siblings?)?[:.,]")
"""A code of an audit in brackets, or before what it is about."""


def released() -> list[tuple[str, list[str]]]:
    """Each version that was released, with its lines."""
    parts = re.split(r"^## ", (ROOT / "CHANGELOG.md").read_text(), flags=re.MULTILINE)[1:]
    return [(part.split()[0], part.rstrip().splitlines()) for part in parts if "(unreleased)" not in part.splitlines()[0]]


@pytest.mark.parametrize(("version", "lines"), released(), ids=lambda value: value if isinstance(value, str) else "")
def test_a_version_is_read_in_a_few_minutes(version: str, lines: list[str]):
    """0.2.0 had 220 entries, partly a notebook of measurements."""
    assert len(lines) <= 80
    assert max(map(len, lines)) <= 160


def test_no_file_names_a_code_of_an_audit():
    listed = subprocess.run(
        ["git", "ls-files", "*.py", "*.md", "*.c", "*.h", "*.js", "*.toml"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    texts = {name: (ROOT / name).read_text() for name in listed.stdout.split() if (ROOT / name).is_file()}
    assert len(texts) > 500
    found = [f"{name}: {match[0]}" for name, text in texts.items() if (match := ASIDE.search(text))]
    assert not found, "\n".join(found)
