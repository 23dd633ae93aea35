"""The layers of the house, as pyproject.toml draws them."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib

import pytest

from shoal import registry
from shoal.release.doors import DOORS
from tests.house.sources import ROOT, SRC, calls_of, constants_of, imports_of, module_of

ADDRESS = re.compile(r"shoal(\.\w+)*(:\w+)?")
"""An import such as "shoal.io:read" that is written as a text."""
IN_ITS_OWN_ROOM = {
    "registry.py": "loads what a catalog's line says",
    "__init__.py": "loads a public name on use",
    "hierarchies/__init__.py": "loads its own files on use",
    "io/__init__.py": "loads its own files on use",
    "report/__init__.py": "loads its own files on use",
    "table/__init__.py": "loads its own files on use",
    "cli/main.py": "loads a command on use",
    "protocol/miner.py": "loads the part of the protocol that the session names",
    "protocol/replica.py": "loads the part of the protocol that the session names",
    "io/places.py": "loads what reads or writes a database on use",
    "io/sql/names.py": "loads a library that may be absent",
    "io/sources/whole.py": "loads what reads a file on use, or a library that may be absent",
    "release/doors.py": "the two doors",
}
"""Files that import by a text, and why. All but the doors load from their own room or a lower one, or from outside of shoal."""


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


def test_a_module_in_no_layer_breaks_the_contract() -> None:
    """The contract was not exhaustive, and ``clock`` was in no layer."""
    contract = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"][0]
    assert contract["type"] == "layers"
    assert contract["containers"] == ["shoal"]
    assert contract["exhaustive"] is True
    assert contract["ignore_imports"] == ["shoal.policy.settings -> shoal.algorithms"]


def test_a_catalog_imports_nothing() -> None:
    """So every layer may read its names: ``policy.settings`` reads the names of the algorithms, which are in a higher layer."""
    assert not imports_of(SRC / "algorithms" / "__init__.py")


def test_imports_that_are_texts_are_the_two_doors_or_stay_in_their_room() -> None:
    """Layers were passed by strings."""
    loading = {
        str(path.relative_to(SRC))
        for path in SRC.rglob("*.py")
        for _, name in calls_of(path)
        if name in {"import_module", "importlib.import_module", "__import__", "registry.load"}
        or (name == "load" and "shoal.registry.load" in {module for _, module in imports_of(path)})
    }
    assert loading <= set(IN_ITS_OWN_ROOM)


def test_every_import_that_is_a_text_names_what_there_is() -> None:
    found = []
    for path in sorted(SRC.rglob("*.py")):
        for line, text in constants_of(path):
            if ":" in text and ADDRESS.fullmatch(text):
                found.append(text)
                assert registry.load(text) is not None, f"{path.relative_to(ROOT)}:{line}"
    assert len(found) > 60


def test_texts_lead_down_or_stay_in_their_room_but_for_the_doors() -> None:
    """A catalog's line names a file of its own folder; only the two doors lead up, to ``io`` and ``report``."""
    room = {path: module_of(path).split(".")[1] for path in SRC.rglob("*.py") if path.parent != SRC}
    out = [
        (str(path.relative_to(SRC)), text)
        for path, name in sorted(room.items())
        for _, text in constants_of(path)
        if ":" in text and ADDRESS.fullmatch(text) and text.split(":")[0].split(".")[1] != name
    ]
    assert {path for path, _ in out} == {"release/doors.py"}
    assert {text for _, text in out} == set(DOORS.values())
    assert {address.split(":")[0] for address in DOORS.values()} == {"shoal.io", "shoal.report"}


@pytest.mark.parametrize("folder", ["algorithms", "privacy"])
def test_the_files_of_a_folder_do_not_import_each_other(folder: str) -> None:
    """Derived from the folder, so that a new file is held to it too."""
    shared = {f"shoal.{folder}.{name}" for name in ("base", "asking", "meaning")}
    files = {module_of(path) for path in (SRC / folder).glob("*.py")} - shared - {f"shoal.{folder}"}
    assert len(files) > 8
    assert not [
        f"{path.relative_to(ROOT)}:{line} {module}"
        for path in (SRC / folder).glob("*.py")
        for line, module in imports_of(path)
        if module in files and module_of(path) in files
    ]


def test_the_studio_takes_nothing_from_the_command() -> None:
    """Its desk took a parser from there."""
    assert not [path.name for path in (SRC / "studio").rglob("*.py") for _, module in imports_of(path) if module.startswith("shoal.cli")]
