"""The Python: functions of one screen.

Rooms that keep this have a ``.ruff.toml``, by which ruff holds their lines at 120 and their functions at complexity 12.
"""

from __future__ import annotations

import ast
from pathlib import Path

from tests.house.sources import SRC

LONGEST = 40
ROOMS = sorted(path.parent for path in SRC.glob("*/.ruff.toml"))


def too_long(text: str) -> dict[str, int]:
    """Functions whose bodies have more lines than may be; their parameters and docstrings are not counted."""
    found = {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body[ast.get_docstring(node) is not None :]
            lines = 0 if not body else (node.end_lineno or 0) - body[0].lineno + 1
            if lines > LONGEST:
                found[node.name] = lines
    return found


def test_every_function_can_be_read_on_one_screen() -> None:
    assert len(ROOMS) >= 17
    files = [path for room in ROOMS for path in room.rglob("*.py")]
    assert {_of(path): found for path in files if (found := too_long(path.read_text(encoding="utf-8")))} == {}


def _of(path: Path) -> str:
    return path.relative_to(SRC).as_posix()


def test_a_function_of_one_line_more_is_seen() -> None:
    head = 'def f(\n    a,\n    b,\n):\n    """Said."""\n'
    assert too_long(head + "    a += b\n" * LONGEST) == {}
    assert too_long(head + "    a += b\n" * (LONGEST + 1)) == {"f": LONGEST + 1}
