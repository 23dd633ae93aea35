"""One name for one thing: a class has a name of its own, or stands here with why two share it."""

from __future__ import annotations

import ast
from collections import defaultdict

from tests.house.sources import SRC

PROTOCOLS = "two protocols that nobody reads side by side; each has its own"
APART = "in rooms that do not import each other, and in each the word that its users say"
SHARED = {
    "Blinded": PROTOCOLS,
    "Case": "what a proof is about, of a release and of a clustering",
    "Desk": APART,
    "Entry": APART,
    "Found": APART,
    "Job": APART,
    "Link": PROTOCOLS,
    "Load": APART,
    "Opened": APART,
    "Randomness": PROTOCOLS,
    "Round": APART,
    "Rules": PROTOCOLS,
    "Run": APART,
    "Share": PROTOCOLS,
    "Shown": APART,
    "State": PROTOCOLS,
    "Verdict": APART,
}
"""Names that several classes have, and why."""


def places() -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted(SRC.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                found[node.name].append(path.relative_to(SRC).as_posix())
    return found


def test_no_two_classes_share_a_name_without_a_reason() -> None:
    """Space and Boxes were two classes each, Prices three."""
    assert {name: where for name, where in places().items() if len(where) > 1 and name not in SHARED} == {}


def test_no_reason_is_left_over() -> None:
    found = places()
    assert [name for name in SHARED if len(found[name]) < 2] == []


def test_classes_of_one_room_never_share_a_name() -> None:
    twice = {
        name: where
        for name, where in places().items()
        for folder in {path.rpartition("/")[0] for path in where}
        if sum(path.rpartition("/")[0] == folder for path in where) > 1
    }
    assert not twice
