"""The judge and the checker of proofs import nothing of what chose the release: a forbidden import planted in any of their files is refused."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.house.sources import ROOT, SRC, module_of

ROOMS = ("judge", "proof")
ALSO = ("shoal.clustering.proof_check", "shoal.clustering.shown", "shoal.clustering.verify")
CONTRACT = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"][1]
FORBIDDEN = sorted(CONTRACT["forbidden_modules"])
SOLVING = {"algorithms", "bounds", "demands", "encode", "kernels", "partition", "privacy", "problem", "release", "search"}
"""Rooms that choose a release, or keep criteria while it is chosen."""


def judges() -> list[str]:
    """The modules that are held to it, from the files that there are."""
    found = [module_of(path) for room in ROOMS for path in sorted((SRC / room).rglob("*.py")) if path.name != "__init__.py"]
    return [*found, *ALSO]


@pytest.fixture(scope="module")
def refused(tmp_path_factory: pytest.TempPathFactory) -> set[tuple[str, str]]:
    """What the checker of the layers says of a copy in which each of these files imports each forbidden module."""
    copy = tmp_path_factory.mktemp("planted")
    shutil.copy(ROOT / "pyproject.toml", copy)
    shutil.copytree(SRC, copy / "src" / "shoal", ignore=shutil.ignore_patterns("__pycache__", "c", "static", "*.so", "*.csv", "*.o"))
    for module in judges():
        path = (copy / "src" / Path(*module.split("."))).with_suffix(".py")
        path.write_text(path.read_text() + "".join(f"\nimport {name}" for name in FORBIDDEN) + "\n")
    answer = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command as run; run(['--no-cache'])"],
        cwd=copy,
        env={**os.environ, "PYTHONPATH": str(copy / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode == 1, answer.stdout + answer.stderr
    return set(re.findall(r"^-?\s*(shoal[\w.]+) -> (shoal[\w.]+)", answer.stdout, re.MULTILINE))


@pytest.mark.parametrize("module", judges())
def test_a_forbidden_import_is_refused_in_every_file_of_the_judge(module: str, refused: set[tuple[str, str]]) -> None:
    assert [name for name in FORBIDDEN if (module, name) not in refused] == []


def test_what_chooses_a_release_is_forbidden() -> None:
    assert {f"shoal.{room}" for room in SOLVING} <= set(FORBIDDEN)
    assert CONTRACT["allow_indirect_imports"] is True


def test_no_file_of_the_rooms_is_let_off() -> None:
    assert CONTRACT["source_modules"] == [*(f"shoal.{room}" for room in ROOMS), *ALSO]
    assert "ignore_imports" not in CONTRACT
    assert {"shoal.judge.compare", "shoal.proof.sets", "shoal.judge.criteria.t_closeness"} <= set(judges())
