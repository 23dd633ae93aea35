"""Two folders of recorded runs, file by file and message by message: what differs, as lines that a person can read."""

from __future__ import annotations

import difflib
import gzip
import hashlib
import json
import re
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

NOT_THERE = ["(not there)"]
UNKNOWN = re.compile(r"No such option|There is no command|there is no argument called|unexpected keyword argument|has no attribute")
"""How an older version says that it does not have what a run uses."""
SECONDS = (
    (re.compile(r"(?m)^  time  .*(?:\n {14}.*)*$"), "  time  …"),
    (re.compile(r'("seconds[a-z_]*": )-?[\d.e+-]+'), r"\1…"),
    (re.compile(r"\b\d+(?:\.\d+)? s\b"), "… s"),
)
MESSAGES = ("stdout", "stderr", "status")


@dataclass(frozen=True)
class Difference:
    """One file or one message of a run that is not the same."""

    run: str
    what: str
    lines: tuple[str, ...]
    """``- `` what the older version gives, ``+ `` what this one gives."""

    @property
    def is_message(self) -> bool:
        return self.what.startswith("step ")


def plain(text: str, at: Path) -> str:
    """A text without what differs from run to run: the folder, the day, and seconds."""
    text = text.replace(str(at), ".")
    for day in (date.today(), date.today() - timedelta(days=1)):
        text = text.replace(day.isoformat(), "TODAY")
    for pattern, instead in SECONDS:
        text = pattern.sub(instead, text)
    return text


def flat(value: Any, path: str = "") -> Iterator[str]:
    """JSON as one line for each figure; seconds are left out."""
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            if key != "seconds":
                yield from flat(inner, f"{path}.{key}" if path else key)
    elif isinstance(value, list) and value:
        for i, inner in enumerate(value):
            yield from flat(inner, f"{path}[{i}]")
    else:
        yield f"{path} = {json.dumps(value, ensure_ascii=False)}"


def lines_of(path: Path, at: Path) -> list[str]:
    """What a file holds, cell by cell or line by line."""
    if not path.exists():
        return NOT_THERE
    if path.suffix in (".db", ".duckdb"):
        return list(_tables(path))
    data = path.read_bytes()
    if path.suffix == ".parquet":
        return _cells(path)
    packed = [f"packed: {_sum(data)}"] if path.suffix == ".gz" else []
    try:
        text = (gzip.decompress(data) if packed else data).decode()
    except (UnicodeDecodeError, OSError):
        return [_sum(data)]
    return (
        [*_figures(text, at), *packed]
        if path.suffix == ".json"
        else [*(repr(line) for line in plain(text, at).splitlines(keepends=True)), *packed]
    )


def _figures(text: str, at: Path) -> list[str]:
    """A text that is JSON by its figures, any other by its lines."""
    try:
        return [plain(line, at) for line in flat(json.loads(text))]
    except ValueError:
        return plain(text, at).splitlines()


def _sum(data: bytes) -> str:
    return f"{len(data)} bytes, SHA-256 {hashlib.sha256(data).hexdigest()}"


def _cells(path: Path) -> list[str]:
    import polars as pl

    frame = pl.read_parquet(path)
    return [*(f"{name}: {kind}" for name, kind in frame.schema.items()), *map(repr, frame.rows())]


def _tables(path: Path) -> Iterator[str]:
    """The rows of every table of a database."""
    if path.suffix == ".db":
        base: Any = sqlite3.connect(path)
        names, told = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name", "SELECT sql FROM sqlite_master WHERE name = ?"
    else:
        import duckdb

        base = duckdb.connect(str(path), read_only=True)
        names, told = "SELECT table_name FROM duckdb_tables() ORDER BY 1", "SELECT sql FROM duckdb_tables() WHERE table_name = ?"
    for (name,) in base.execute(names).fetchall():
        yield from (f"{name}: {sql}" for (sql,) in base.execute(told, [name]).fetchall())
        yield from (f"{name}: {row!r}" for row in base.execute(f'SELECT * FROM "{name}"').fetchall())
    base.close()


def changed(before: list[str], after: list[str]) -> tuple[str, ...]:
    """The lines that differ."""
    return tuple(line for line in difflib.ndiff(before, after) if line[:2] in ("- ", "+ "))


def said(at: Path) -> list[dict[str, Any]]:
    """What the steps of a run said."""
    told: list[dict[str, Any]] = json.loads((at / ".said.json").read_text(encoding="utf-8"))
    return told


def files(at: Path) -> set[str]:
    return {
        path.relative_to(at).as_posix()
        for path in at.rglob("*")
        if path.is_file() and path.name != ".said.json" and path.relative_to(at).parts[0] != "in"
    }


def is_lacking(old: Path, new: Path) -> bool:
    """Whether the older version does not have what a run uses, and this one does."""
    lacks = [any(UNKNOWN.search(step["stderr"]) for step in said(at)) for at in (old, new)]
    return lacks == [True, False]


def differences(run: str, old: Path, new: Path) -> Iterator[Difference]:
    """What a run gives in two versions, where it is not the same."""
    for i, (before, after) in enumerate(zip(said(old), said(new), strict=True), 1):
        for what in MESSAGES:
            lines = changed(_figures(str(before[what]), old), _figures(str(after[what]), new))
            if lines:
                yield Difference(run, f"step {i}, {what}", lines)
    for name in sorted(files(old) | files(new)):
        one, other = old / name, new / name
        if not (one.exists() and other.exists() and one.read_bytes() == other.read_bytes()):
            lines = changed(lines_of(one, old), lines_of(other, new))
            if lines:
                yield Difference(run, name, lines)
