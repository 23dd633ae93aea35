"""What was decided survives a crash of the browser and of the studio: kept after every change in a folder that only its
owner can enter.

It is a project without the table: no row is in it; hierarchies that were arranged by hand list values of their column.
It is not encrypted, since a key that lies beside it protects from nobody. It is removed when the table is closed on
purpose.
"""

from __future__ import annotations

import json
import os
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from shoal.disk.atomic import write_bytes
from shoal.disk.system import has_ended, is_own, state_folder
from shoal.errors import DataError, ShoalError
from shoal.studio import projects
from shoal.studio.desk import Desk
from shoal.studio.history import history_of
from shoal.studio.projects import Project

PREFIX = "studio-"
_WRITING = threading.Lock()
"""A run that ends in its own thread keeps its figures too; one writes at a time."""


@dataclass(frozen=True)
class Kept:
    """What a studio left behind that did not end as it should."""

    name: str
    """Of the file."""
    table: str
    when: str
    project: Project
    path: str
    """Of the table, where it was picked from the disk."""


def _own() -> Path:
    return state_folder() / f"{PREFIX}{os.getpid()}.json"


def keep(desk: Desk) -> None:
    """Keep what is on the desk, unless it is being left on purpose.

    Where the folder cannot be written, work goes on without.
    """
    with _WRITING, suppress(OSError, ShoalError):
        if desk.is_left or desk.loaded is None or not (desk.roles or desk.specs or desk.answers):
            return
        state_folder().mkdir(parents=True, exist_ok=True, mode=0o700)
        state_folder().chmod(0o700)
        content = {
            **projects.project_of(desk),
            "path": desk.path,
            "history": history_of(desk),
            "when": time.strftime("%Y-%m-%d %H:%M"),
        }
        write_bytes(
            _own(), json.dumps(content, ensure_ascii=False).encode(), private=True, force=True
        )  # for no reader: in one line it is quick


def forget() -> None:
    """Remove what this studio kept."""
    with _WRITING, suppress(OSError):
        _own().unlink(missing_ok=True)


def is_kept() -> bool:
    """Whether something of this studio is kept."""
    return _own().exists()


def left_behind(most: int | None = None) -> list[Kept]:
    """What studios that run no more have left, the last one first; at most so many, since each has to be read."""
    found: list[Kept] = []
    for path in _left():
        if most is not None and len(found) >= most:
            break
        with suppress(OSError, DataError):
            found.append(_read(path))
    return found


def n_left() -> int:
    """How many there are, unread."""
    return len(_left())


def _left() -> list[Path]:
    """Files of studios that run no more, the last one first."""
    try:
        files = sorted(state_folder().glob(f"{PREFIX}*.json"), key=lambda path: -path.stat().st_mtime)
    except OSError:
        return []
    return [path for path in files if _is_left(path)]


def _is_left(path: Path) -> bool:
    number = path.stem.removeprefix(PREFIX)
    try:
        return number.isdigit() and has_ended(int(number)) and not path.is_symlink() and is_own(path.stat())
    except OSError:
        return False


def _read(path: Path) -> Kept:
    """What a file holds.

    It is read again only where it is another one by now: pages ask for it often, and it may be large.
    """
    now = path.stat()
    mark = now.st_mtime_ns, now.st_size, now.st_ino
    known = _READ.get(path)
    if known is None or known[0] != mark:
        content = path.read_bytes()
        made, extra = projects.read(content), json.loads(content)
        known = (
            mark,
            Kept(
                path.name,
                str(made["table"].get("name", "")),
                str(extra.get("when", "")),
                made,
                str(extra.get("path", "")),
            ),
        )
        _READ[path] = known
    return known[1]


_READ: dict[Path, tuple[tuple[int, int, int], Kept]] = {}


def discard(name: str) -> None:
    """Remove what another studio left; only such a file."""
    for path in _left():
        if path.name == name:
            with suppress(OSError):
                path.unlink(missing_ok=True)
