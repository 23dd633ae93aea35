"""What the tests of the house read from source files: texts, names, imports and calls."""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).parents[2]
SRC = ROOT / "src" / "shoal"


def module_of(path: Path) -> str:
    """``shoal.io.source`` for its file, ``shoal.io`` for the room's ``__init__``."""
    parts = path.relative_to(SRC.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def constants_of(path: Path) -> list[tuple[int, str]]:
    """The texts of a file, without docstrings and comments."""
    tree = ast.parse(path.read_text())
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return [
        (node.lineno, node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings
    ]


def imports_of(path: Path) -> list[tuple[int, str]]:
    """The modules that a file imports, wherever in it."""
    found: list[tuple[int, str]] = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            found += [(node.lineno, node.module), *((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)]
    return found


def calls_of(path: Path) -> list[tuple[int, str]]:
    """What a file calls, as it is written: ``registry.load``."""
    return [(node.lineno, ast.unparse(node.func)) for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]


def texts_of(path: Path) -> list[tuple[int, str]]:
    """Names, attributes, keywords and texts of a file, without docstrings and comments."""
    found = constants_of(path)
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Name):
            found.append((node.lineno, node.id))
        elif isinstance(node, ast.Attribute):
            found.append((node.lineno, node.attr))
        elif isinstance(node, ast.arg | ast.keyword) and node.arg:
            found.append((node.lineno, node.arg))
    return found
