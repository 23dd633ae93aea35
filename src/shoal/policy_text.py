"""The text of a policy: where a key stands in a TOML file, and TOML from values."""

from __future__ import annotations

import json
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


def toml_value(value: Any) -> str:
    """A value in TOML.

    >>> toml_value({"intervals": [5, 10]})
    '{ intervals = [5, 10] }'
    """
    if isinstance(value, str):  # first: a hierarchy that was arranged by hand has a hundred thousand of them
        return quoted(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, Mapping):
        inner = ", ".join(f"{toml_key(str(key))} = {toml_value(item)}" for key, item in value.items())
        return f"{{ {inner} }}"
    if isinstance(value, list | tuple | set | frozenset):
        items = sorted(value) if isinstance(value, set | frozenset) else value
        return f"[{', '.join(toml_value(item) for item in items)}]"
    return quoted(str(value))


def quoted(text: str) -> str:
    """A basic string. JSON's escapes are TOML's, except for one control character, which JSON does not escape."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def toml_key(key: str) -> str:
    """A key in TOML, quoted where it must be."""
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else quoted(key)
