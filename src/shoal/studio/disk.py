"""Picking a file from the disk: the folder in which the studio was started, and what is below it.

Nothing outside is listed or read.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from shoal.errors import DataError

ENDINGS = (".csv", ".tsv", ".txt", ".parquet", ".csv.gz", ".tsv.gz", ".txt.gz", ".xlsx", ".xls", ".ods", ".sav", ".por",
           ".dta", ".sas7bdat", ".xpt",
           ".jsonl", ".arrow", ".feather")  # fmt: skip
MOST_ENTRIES = 500


@dataclass(frozen=True)
class Entry:
    """A folder or a table file."""

    name: str
    path: str
    """From the studio's folder."""
    is_folder: bool
    size: str


@dataclass(frozen=True)
class Listing:
    """What is in a folder."""

    path: str
    parent: str | None
    entries: tuple[Entry, ...]
    n_more: int


def inside(root: Path, path: str) -> Path:
    """The real path of a name below the studio's folder; whatever leads out of it, by dots or by links, is refused."""
    try:
        real = (root / path).resolve(strict=True)
    except (OSError, ValueError, RuntimeError):
        raise DataError("There is no such file or folder here.") from None
    if not real.is_relative_to(root.resolve()):
        raise DataError("That is outside the folder in which the studio was started. Start it there, or send the file.")
    return real


def listing(root: Path, path: str) -> Listing:
    """The folders and table files in a folder, by name."""
    folder = inside(root, path)
    if not folder.is_dir():
        raise DataError("That is not a folder.")
    home = root.resolve()
    found: list[Entry] = []
    try:
        for item in sorted(folder.iterdir(), key=lambda p: p.name.lower()):
            if item.name.startswith(".") or not item.resolve().is_relative_to(home):
                continue
            where = str(item.resolve().relative_to(home))
            if item.is_dir():
                found.append(Entry(item.name, where, True, ""))
            elif item.name.lower().endswith(ENDINGS):
                found.append(Entry(item.name, where, False, in_words(item.stat().st_size)))
    except OSError:
        raise DataError("That folder cannot be read.") from None
    parent = None if folder == home else str(folder.parent.relative_to(home))
    here = "" if folder == home else str(folder.relative_to(home))
    return Listing(here, parent, tuple(found[:MOST_ENTRIES]), max(len(found) - MOST_ENTRIES, 0))


def in_words(size: float) -> str:
    """A number of bytes for people."""
    for unit in ("bytes", "kB", "MB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if unit == "bytes" else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} GB"
