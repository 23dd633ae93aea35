"""The numbers of the C's enumerations stand in its headers, and nowhere in the Python."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from shoal.kernels.native import lib, numbers
from tests.house.sources import SRC

NAMES = {name.removeprefix("SHOAL_") for name in dir(lib) if name.startswith("SHOAL_")}
FILES = sorted((SRC / "kernels").glob("*.py"))


def typed_again(text: str) -> set[str]:
    """What is called as an enumerator, with or without the name of its enumeration, and does not come from ``lib``."""
    found = set()
    for name, value in _bindings(ast.parse(text)):
        word = name.upper().replace("-", "_")
        has_number = any(isinstance(n, ast.Constant) and isinstance(n.value, int) for n in ast.walk(value))
        if has_number and any(n == word or n.endswith(f"_{word}") for n in NAMES):
            found.add(name)
    return found


def _bindings(tree: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """Every name, attribute or key that is bound, with what it is bound to."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for part in (p for target in targets for p in ast.walk(target)):
                if isinstance(part, ast.Name) and part.id.isupper():
                    yield part.id, node.value
        elif isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    yield key.value, value
        elif isinstance(node, ast.Call):
            yield from ((k.arg, k.value) for k in node.keywords if k.arg and k.arg.isupper())


def test_no_number_of_an_enumeration_is_typed_again() -> None:
    assert len(FILES) > 30
    assert len(NAMES) > 25
    assert {path.name: found for path in FILES if (found := typed_again(path.read_text(encoding="utf-8")))} == {}


@pytest.mark.parametrize(
    "copy",
    [
        "TABLED, CLIMBED, INTERVAL, SUBSET, LONG = range(5)",
        "CATEGORY, TABLE, TREE = 0, 1, 2",
        'COMBINE = {"sum": 0, "euclid": 1, "largest": 2}',
        'PROMISES: dict[str, int] = {"close-ordered": 4}',
        "class Formula(IntEnum):\n    BITS = 0",
        "BOUNDS = 3",
        "MOST_THREADS = 64",
        "Formula = IntEnum('Formula', dict(ROWS_BITS=1))",
    ],
)
def test_a_copy_is_seen(copy: str) -> None:
    assert typed_again(copy)


def test_names_come_with_the_numbers_of_the_header() -> None:
    assert list(numbers("shoal_criterion")) == ["distinct", "entropy", "recursive", "close", "close-ordered", "capped"]
    assert numbers("shoal_method")["bounds"] == lib.SHOAL_METHOD_BOUNDS
