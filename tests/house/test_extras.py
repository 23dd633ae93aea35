"""Every `shoal[…]` that a message or a document names exists, and cures the message."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from shoal.io.sources.whole import EXTRAS as FOREIGN
from shoal.io.sql.names import LIBRARIES
from tests.house import extras
from tests.house.extras import CASES, EXTRAS, FOR_USERS, PROJECT, ROOT


def _texts() -> dict[str, str]:
    files = [*ROOT.glob("src/**/*.py"), *ROOT.glob("docs/*.md"), *ROOT.glob("examples/**/*.md"), ROOT / "README.md", ROOT / "SECURITY.md", ROOT / "CONTRIBUTING.md"]  # fmt: skip
    return {str(path.relative_to(ROOT)): path.read_text() for path in files}


def test_every_extra_that_is_named_exists():
    """`pip install 'shoal[spark]'` was asked for by a message and by the documents, and installed nothing."""
    named = {(where, extra) for where, text in _texts().items() for extra in extras.named(text)}
    assert {extra for _, extra in named} <= set(EXTRAS)
    assert {extra for _, extra in named} | {*LIBRARIES.values(), *FOREIGN.values()} == {*FOR_USERS}, "each extra is named somewhere"
    assert {*LIBRARIES.values(), *FOREIGN.values()} <= {*EXTRAS}


def test_every_extra_has_a_command_that_asks_for_it():
    assert sorted(CASES) == FOR_USERS


def test_a_demo_installs_what_it_needs(tmp_path: Path):
    """Twenty packages at most, and none of the extras; `make test` installs the rest."""
    assert len(extras.closure(PROJECT["dependencies"])) <= 20
    for target, asked in (("demo", "'.'"), ("setup", "'.[protocol,studio,dev]'")):
        done = subprocess.run(["make", "-n", target, f"VENV={tmp_path}"], cwd=ROOT, capture_output=True, text=True, check=True)
        assert re.findall(r" -e (.*)", done.stdout) == [asked]


@pytest.mark.parametrize("extra", FOR_USERS)
def test_a_message_names_the_extra_and_the_extra_cures_it(extra: str, tmp_path: Path):
    """All modules that a fresh environment lacks are hidden: first without the extra, then with what it requires and nothing else."""
    case, folder = CASES[extra], extras.prepare(tmp_path / "work")
    case.prepare(folder)
    hiding = [sys.executable, "-c", extras.HIDING]
    status, said = extras.run([*hiding, ",".join(extras.hidden())], case, folder)
    assert status == 2, said
    assert extras.named(said) == {extra}
    assert "Traceback" not in said
    if extra in extras.NEEDS_JAVA and not extras.has_java():
        pytest.skip("there is no Java")
    status, said = extras.run([*hiding, ",".join(extras.hidden(extra))], case, folder)
    assert status == case.status, said
    assert not extras.named(said)
    assert case.said in said
    if "--quiet" in case.arguments:
        assert said == "", "not even a line of a library's log"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package, built once. Only where no package at all can be had is this passed over: what is built and installed then must work."""
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip"]
    if subprocess.run([*pip, "download", "--quiet", "--no-deps", "-d", str(folder / "any"), "click"], capture_output=True).returncode:
        pytest.skip("the registry cannot be reached")
    tree = folder / "tree"  # without what was built before, with other flags perhaps
    shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(".venv", ".git", "build", "dist", "*.so", "*.o", "_native.c", "__pycache__"))
    made = subprocess.run([*pip, "wheel", "--no-deps", "-w", str(folder), str(tree)], capture_output=True, text=True)
    assert not made.returncode, made.stderr
    [path] = folder.glob("shoal-*.whl")
    return path


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("extra", FOR_USERS)
def test_in_a_fresh_environment_the_extra_is_all_that_is_needed(extra: str, wheel: Path, tmp_path: Path):
    case, folder = CASES[extra], extras.prepare(tmp_path / "work")
    case.prepare(folder)
    place = tmp_path / "fresh"
    venv.create(place, with_pip=True)
    installed = subprocess.run(
        [place / "bin" / "python", "-m", "pip", "install", "--quiet", f"{wheel}[{extra}]"], capture_output=True, text=True
    )
    assert not installed.returncode, installed.stderr
    if extra in extras.NEEDS_JAVA and not extras.has_java():
        pytest.skip("there is no Java")
    status, said = extras.run([str(place / "bin" / "shoal")], case, folder)
    shutil.rmtree(place)
    assert status == case.status, said
    assert not extras.named(said)
