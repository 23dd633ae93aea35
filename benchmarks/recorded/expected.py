"""Differences that are on purpose: ``expected.toml``, where each has its reason.

What an older version has in its own list was changed before it, and is no reason for a difference from it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from benchmarks.recorded.compare import Difference

LIST = Path("benchmarks/recorded/expected.toml")


@dataclass(frozen=True)
class Expected:
    """Lines that may differ in some files or messages of some runs."""

    reason: str
    run: str = "*"
    what: str = "*"
    lines: tuple[str, ...] = (".*",)
    """Regular expressions: each line that differs is one of them, from beginning to end."""
    always: bool = False
    """Whether it differs from one run of the same revision to the next."""

    until: str = ""
    """The last version from which it is a difference; others have it all the same."""

    def is_about(self, run: str) -> bool:
        return any(fnmatchcase(run, name) for name in self.run.split("|"))

    def covers(self, run: str, what: str, line: str) -> bool:
        is_there = self.is_about(run) and any(fnmatchcase(what, name) for name in self.what.split("|"))
        return is_there and any(re.fullmatch(f"[-+] (?:{pattern})", line) for pattern in self.lines)


def read(root: Path) -> list[Expected]:
    """The list of a tree; an old one has none."""
    path = root / LIST
    if not path.exists():
        return []
    told = tomllib.loads(path.read_text(encoding="utf-8")).get("expected", [])
    return [Expected(**{**entry, "lines": tuple(entry.get("lines", [".*"]))}) for entry in told]


def known_against(old: Path, new: Path) -> list[Expected]:
    """What may differ between two trees."""
    before, version = read(old), _version(old)
    return [entry for entry in read(new) if entry.always or (version <= _numbers(entry.until) if entry.until else entry not in before)]


def _version(root: Path) -> tuple[int, ...]:
    told = re.search(r'__version__ = "(.*)"', (root / "src/shoal/__init__.py").read_text(encoding="utf-8"))
    return _numbers(told[1]) if told else ()


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def reasons(found: Difference, known: Sequence[Expected]) -> list[str] | None:
    """Why a difference is on purpose; None where a line of it is on no list."""
    why: dict[str, None] = {}
    for line in found.lines:
        entry = next((entry for entry in known if entry.covers(found.run, found.what, line)), None)
        if entry is None:
            return None
        why[entry.reason] = None
    return list(why)
