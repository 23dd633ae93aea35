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

from tests.house.sources import ROOT, SRC, imports_of, module_of

ROOMS = ("judge", "proof")
MAY = {"judge", "proof", "text", "errors", "registry"}
"""What these rooms may import of the house."""
CLUSTERS = ("shoal.clustering.proof_check", "shoal.clustering.shown", "shoal.clustering.verify")
WALL, CLUSTER_WALL = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"][1:3]
LIBRARIES = {"numpy", "polars", "scipy"}


def forbidden(module: str) -> list[str]:
    return sorted((CLUSTER_WALL if module in CLUSTERS else WALL)["forbidden_modules"])


def judges() -> list[str]:
    """The modules that are held to it, from the files that there are."""
    found = [module_of(path) for room in ROOMS for path in sorted((SRC / room).rglob("*.py")) if path.name != "__init__.py"]
    return [*found, *CLUSTERS]


@pytest.fixture(scope="module")
def refused(tmp_path_factory: pytest.TempPathFactory) -> set[tuple[str, str]]:
    """What the checker of the layers says of a copy in which each of these files imports each forbidden module."""
    copy = tmp_path_factory.mktemp("planted")
    shutil.copy(ROOT / "pyproject.toml", copy)
    shutil.copytree(SRC, copy / "src" / "shoal", ignore=shutil.ignore_patterns("__pycache__", "c", "static", "*.so", "*.csv", "*.o"))
    for module in judges():
        path = (copy / "src" / Path(*module.split("."))).with_suffix(".py")
        path.write_text(path.read_text() + "".join(f"\nimport {name}" for name in forbidden(module)) + "\n")
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
    assert [name for name in forbidden(module) if (module, name) not in refused] == []


def test_every_other_room_is_forbidden() -> None:
    """A room that comes is forbidden too, or this fails."""
    rooms = {module_of(path).split(".")[1] for path in SRC.rglob("*.py") if path.name != "__main__.py" and path != SRC / "__init__.py"}
    assert {f"shoal.{room}" for room in rooms - MAY} == set(WALL["forbidden_modules"])
    assert WALL["allow_indirect_imports"] is True


def test_no_file_of_the_rooms_is_let_off() -> None:
    assert WALL["source_modules"] == [f"shoal.{room}" for room in ROOMS]
    assert CLUSTER_WALL["source_modules"] == list(CLUSTERS)
    assert "ignore_imports" not in {*WALL, *CLUSTER_WALL}


def test_of_libraries_they_take_arrays_and_tables_alone() -> None:
    """And the flow of scipy, for releases in another order."""
    files = [path for room in ROOMS for path in (SRC / room).rglob("*.py")]
    taken = {module.split(".")[0] for path in files for _, module in imports_of(path)}
    assert taken - set(sys.stdlib_module_names) - {"shoal"} == LIBRARIES
