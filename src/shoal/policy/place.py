"""A policy file, and where a key stands in it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from shoal.errors import PolicyError, ShoalError

T = TypeVar("T")
HEADER = re.compile(r"^\s*\[([^\[\]]+)\]\s*(?:#.*)?$")
PAIR = re.compile(r"^\s*((?:[A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*')(?:\s*\.\s*(?:[A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*'))*)\s*=")


@dataclass(frozen=True)
class Place:
    """A policy file, so that an error can say where."""

    path: Path
    text: str

    def line_of(self, key: tuple[str, ...]) -> int | None:
        """The line on which a key, or else the nearest table around it, is set."""
        found: dict[tuple[str, ...], int] = {}
        table: tuple[str, ...] = ()
        for number, line in enumerate(self.text.splitlines(), 1):
            if header := HEADER.match(line):
                table = _parts(header.group(1))
                found.setdefault(table, number)
            elif pair := PAIR.match(line):
                found.setdefault((*table, *_parts(pair.group(1))), number)
        for length in range(len(key), 0, -1):
            if key[:length] in found:
                return found[key[:length]]
        return None

    def fail(self, key: tuple[str, ...], message: str) -> NoReturn:
        """Raise a PolicyError that names file, line and key."""
        line = self.line_of(key)
        at = f"{self.path}, line {line}" if line else str(self.path)
        raise PolicyError(f"{at}, key '{'.'.join(key)}': {message.rstrip('.')}.") from None

    def typed(self, key: tuple[str, ...], value: Any, kind: type, words: str) -> Any:
        """The value, if it is of the kind; a whole number may stand for a fraction."""
        fits = isinstance(value, kind) and (kind is bool or not isinstance(value, bool))
        if kind is float and isinstance(value, int) and not isinstance(value, bool):
            return float(value)
        if not fits:
            self.fail(key, f"this should be {words}, not {type(value).__name__}")
        return value

    def within(self, key: tuple[str, ...], work: Callable[[], T]) -> T:
        """Do something, and let its error say where."""
        try:
            return work()
        except ShoalError as error:
            self.fail(key, str(error))


def _parts(dotted: str) -> tuple[str, ...]:
    """The parts of a dotted key: ``columns."zip code"`` is ('columns', 'zip code')."""
    try:
        value: Any = tomllib.loads(f"{dotted} = 0")
    except tomllib.TOMLDecodeError:
        return (dotted,)
    parts: list[str] = []
    while isinstance(value, Mapping):
        [(part, value)] = value.items()
        parts.append(part)
    return tuple(parts)
