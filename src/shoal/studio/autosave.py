"""What was decided survives a crash of the browser and of the studio: kept after every change in a folder that only its owner can enter.

It is a project without the table: no row is in it; hierarchies that were arranged by hand list values of their column. It is not encrypted, since a key that lies
beside it protects from nobody. It is removed when the table is closed on purpose.
"""

from __future__ import annotations

import json
import os
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from shoal.atomic import write_bytes
from shoal.errors import DataError, ShoalError
from shoal.studio import projects
from shoal.studio.desk import Desk
from shoal.studio.history import history_of
from shoal.studio.projects import Project
from shoal.system import has_ended, is_own

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


def home() -> Path:
    """The folder: the user's folder for the state of programs."""
    given = os.environ.get("XDG_STATE_HOME")
    return (Path(given) if given else Path.home() / ".local" / "state") / "shoal"


def _own() -> Path:
    return home() / f"{PREFIX}{os.getpid()}.json"


def keep(desk: Desk) -> None:
    """Keep what is on the desk, unless it is being left on purpose. Where the folder cannot be written, work goes on without."""
    with _WRITING, suppress(OSError, ShoalError):
        if desk.is_left or desk.loaded is None or not (desk.roles or desk.specs or desk.answers):
            return
        home().mkdir(parents=True, exist_ok=True, mode=0o700)
        home().chmod(0o700)
        content = {**projects.project_of(desk), "path": desk.path, "history": history_of(desk), "when": time.strftime("%Y-%m-%d %H:%M")}
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


def left_behind() -> list[Kept]:
    """What studios that run no more have left, the last one first."""
    found = []
    try:
        files = sorted(home().glob(f"{PREFIX}*.json"), key=lambda path: -path.stat().st_mtime)
    except OSError:
        return []
    for path in files:
        number = path.stem.removeprefix(PREFIX)
        try:
            if not number.isdigit() or not has_ended(int(number)) or path.is_symlink() or not is_own(path.stat()):
                continue
            content = path.read_bytes()
            made, extra = projects.read(content), json.loads(content)
        except (OSError, DataError):
            continue
        found.append(Kept(path.name, str(made["table"].get("name", "")), str(extra.get("when", "")), made, str(extra.get("path", ""))))
    return found


def discard(name: str) -> None:
    """Remove what another studio left; only such a file."""
    for one in left_behind():
        if one.name == name:
            with suppress(OSError):
                (home() / name).unlink(missing_ok=True)
