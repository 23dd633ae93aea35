"""Catalogs are catalogs: what they hold is declared in its own file, tested in a file of its name, and named nowhere else."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from shoal import algorithms, bounds, measures, privacy, registry
from shoal.hierarchies import builders
from shoal.privacy.asking import shorthands

ROOT = Path(__file__).parents[2]
SRC = ROOT / "src" / "shoal"
CATALOGS = {
    "privacy": privacy.CATALOG,
    "measures": {**measures.CATALOG, **measures.REPORTED},
    "bounds": bounds.CATALOG,
    "algorithms": algorithms.CATALOG,
    "hierarchies/builders": builders.CATALOG,
}
NOT_LISTED = {"base", "__init__"}
SERVES_OTHERS = {
    "privacy": {"asking", "meaning"},
    "measures": {"exact"},
    "bounds": {"choice", "relaxation"},
    "algorithms": set(),
    "hierarchies/builders": set(),
}
"""Files of these folders that are no entries: what entries share, or what reads the catalog."""


def texts_of(path: Path) -> list[tuple[int, str]]:
    """Names, attributes, keywords and texts of a file, without docstrings and comments."""
    tree = ast.parse(path.read_text())
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and node.body and isinstance(node.body[0], ast.Expr)
    }
    found: list[tuple[int, str]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            found.append((node.lineno, node.value))
        elif isinstance(node, ast.Name):
            found.append((node.lineno, node.id))
        elif isinstance(node, ast.Attribute):
            found.append((node.lineno, node.attr))
        elif isinstance(node, ast.arg | ast.keyword) and node.arg:
            found.append((node.lineno, node.arg))
    return found


def test_no_file_outside_privacy_names_a_criterion() -> None:
    """H1: criteria were named on 74 lines of 16 files. k-anonymity itself, which all of this is about, may be spoken of."""
    words = (
        {name for name in privacy.CATALOG if name != "k-anonymity"} | set(shorthands()) | {key.replace("_", "-") for key in shorthands()}
    )
    named = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in sorted(SRC.rglob("*.py"))
        if path.parent.name != "privacy" and "protocol" not in path.parts
        for line, text in texts_of(path)
        if any(word in text for word in words)
    ]
    assert not named


def test_no_page_of_the_studio_names_a_criterion() -> None:
    words = {name for name in privacy.CATALOG if name != "k-anonymity"} | set(shorthands())
    pages = [*SRC.rglob("*.html"), *SRC.rglob("*.js")]
    assert not [page.name for page in pages if any(word in page.read_text() for word in words)]


@pytest.mark.parametrize("folder", CATALOGS)
def test_a_line_of_a_catalog_is_a_file_and_a_file_is_a_line(folder: str) -> None:
    listed = {address.split(":")[0].rsplit(".", 1)[1] for address in CATALOGS[folder].values()}
    files = {path.stem for path in (SRC / folder).glob("*.py")} - NOT_LISTED - SERVES_OTHERS[folder]
    assert files == listed


@pytest.mark.parametrize("folder", ["privacy", "algorithms"])
def test_every_entry_has_a_test_file_of_its_name(folder: str) -> None:
    files = {address.split(":")[0].rsplit(".", 1)[1] for address in CATALOGS[folder].values()}
    tests = {path.stem.removeprefix("test_") for path in (ROOT / "tests" / folder).glob("test_*.py")}
    assert files <= tests


@pytest.mark.parametrize("folder", CATALOGS)
def test_an_entry_calls_itself_what_its_line_says(folder: str) -> None:
    for name, address in CATALOGS[folder].items():
        found = registry.load(address)
        assert getattr(found, "name", name) == name
