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

MAKERS = {
    "shoal.release.audit": "sets a proof beside the release: builds hierarchies, and calls the checker",
    "shoal.release.counted": "a release that was counted, as reports look at it",
    "shoal.release.decode": "makes the released table of a solution",
    "shoal.release.disclosure": "what of a record may be published",
    "shoal.release.manifest": "what is published beside a release",
    "shoal.release.measure": "what a release by any tool has lost",
    "shoal.release.orders": "the order of labels, for the manifest",
    "shoal.release.proof": "writes proofs",
    "shoal.release.record": "what the owner is told",
    "shoal.release.release": "holds a release, and calls the judge",
    "shoal.release.resolve": "builds the hierarchies that a policy names",
    "shoal.release.risk": "risks of a release that was verified",
}
"""Files of the release room that judge nothing, and may import the rest."""
ALSO = ("shoal.clustering.proof_check", "shoal.clustering.shown", "shoal.clustering.verify")
CONTRACT = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"][1]
FORBIDDEN = sorted(CONTRACT["forbidden_modules"])
SOLVING = {"algorithms", "bounds", "demands", "encode", "kernels", "partition", "privacy", "problem", "search"}
"""Rooms that choose a release, or keep criteria while it is chosen."""


def judges() -> list[str]:
    """The modules that are held to it, from the files that there are."""
    found = [module_of(path) for path in sorted((SRC / "release").rglob("*.py")) if path.name != "__init__.py"]
    return [*(module for module in found if module not in MAKERS), *ALSO]


@pytest.fixture(scope="module")
def refused(tmp_path_factory: pytest.TempPathFactory) -> set[tuple[str, str]]:
    """What the checker of the layers says of a copy in which each of these files imports each forbidden module."""
    copy = tmp_path_factory.mktemp("planted")
    shutil.copy(ROOT / "pyproject.toml", copy)
    shutil.copytree(SRC, copy / "src" / "shoal", ignore=shutil.ignore_patterns("__pycache__", "c", "static", "*.so", "*.csv", "*.o"))
    for module in judges():
        path = (copy / "src" / Path(*module.split("."))).with_suffix(".py")
        path.write_text(path.read_text() + "".join(f"\nimport {name}" for name in FORBIDDEN if name != module) + "\n")
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
    """The contract once listed files by hand, and release/compare.py and release/proof_sets.py were not among them."""
    assert [name for name in FORBIDDEN if (module, name) not in refused] == []


def test_what_chooses_a_release_is_forbidden() -> None:
    assert {f"shoal.{room}" for room in SOLVING} | set(MAKERS) <= set(FORBIDDEN)
    assert CONTRACT["allow_indirect_imports"] is True


def test_a_file_is_let_off_with_a_reason_only() -> None:
    """A new file of the release room is the judge's unless it stands here."""
    assert CONTRACT["ignore_imports"] == [f"{module} -> shoal.**" for module in sorted(MAKERS)]
    assert CONTRACT["source_modules"] == ["shoal.release.*", *ALSO]
    assert all(MAKERS.values())
    assert {"shoal.release.compare", "shoal.release.proof_sets", "shoal.release.criteria.t_closeness"} <= set(judges())
