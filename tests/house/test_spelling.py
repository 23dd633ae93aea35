"""One spelling for one word: we write *centre*. Public names and the problem that a paper calls so keep theirs."""

from __future__ import annotations

import ast
import re

from tests.house.sources import ROOT, SRC

PUBLIC = {"centers", "CENTER"}
"""The option and keyword, and the method in its catalog; as texts also the figures of the manifest."""
CODE = re.compile(r"```.*?```|`[^`\n]*`|\*centre\*|,r(?:,ε)?\)-center", re.DOTALL)


def names_of(tree: ast.AST) -> set[str]:
    """Every name that a file makes or uses."""
    found: set[str] = set()
    for node in ast.walk(tree):
        for field in ("id", "attr", "arg", "name"):
            if isinstance(name := getattr(node, field, None), str):
                found.add(name)
    return found


def test_names_inside_say_centre() -> None:
    """Centers and centres were in one file."""
    odd = {
        f"{path.relative_to(SRC)}: {name}"
        for path in SRC.rglob("*.py")
        for name in names_of(ast.parse(path.read_text(encoding="utf-8")))
        if "center" in name.lower() and name not in PUBLIC
    }
    assert odd == set()


def test_the_kernels_say_centre() -> None:
    files = [path for pattern in ("*.c", "*.h", "*.inc") for path in SRC.rglob(pattern)]
    assert files
    assert [path.name for path in files if "center" in path.read_text(encoding="utf-8").lower()] == []


def test_pages_say_centre() -> None:
    odd = []
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]:
        prose = CODE.sub("", page.read_text(encoding="utf-8"))
        odd += [f"{page.name}: …{prose[max(m.start() - 30, 0) : m.end()]}" for m in re.finditer(r"\bcenter", prose, re.IGNORECASE)]
    assert odd == []


def test_docstrings_say_centre() -> None:
    """But where they name the method, the option or the problem."""
    named = re.compile(r"``centers?``|^ *center  |\)-center|\bgather and center\b", re.MULTILINE)
    odd = []
    for path in SRC.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and (text := ast.get_docstring(node, clean=False)):
                odd += [str(path.relative_to(SRC))] * ("center" in named.sub("", text).lower())
    assert odd == []
