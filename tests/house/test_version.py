"""The version stands in one place."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import shoal
from shoal.cli.main import run

ROOT = Path(__file__).parents[2]


def test_the_project_takes_its_version_from_the_package() -> None:
    """It stood in two places."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert "version" in project["project"]["dynamic"]
    assert project["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "shoal.__version__"}


def test_the_changelog_speaks_of_it_first() -> None:
    first = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert first is not None
    assert first[1] == shoal.__version__


def test_the_command_says_it(capsys) -> None:
    assert run(["--version"]) == 0
    assert shoal.__version__ in capsys.readouterr().out
