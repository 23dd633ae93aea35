"""Private folders for what does not fit into memory, and files that are not yet published. What a killed run left is swept by the next.

A folder is readable by its owner only, and holds a lock as long as its process lives. So a folder without a lock was left by one that was killed.
"""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from shoal.disk.atomic import advice, is_left, name_part, open_part, sweep_parts
from shoal.disk.system import is_own, lock
from shoal.errors import WriteError

PREFIX = "shoal-spill-"
HIDDEN = f".{PREFIX}"
"""For a folder among the user's own files."""
LOCK = "lock"


class Spill:
    """A private folder: in the system's folder for temporary files (``TMPDIR``), or hidden in another, so that a file of it can take its place there in one step."""

    def __init__(self, where: Path | None = None) -> None:
        sweep(where)
        try:
            self.folder = Path(tempfile.mkdtemp(prefix=PREFIX if where is None else HIDDEN, dir=where))
            self._lock = os.open(self.folder / LOCK, os.O_CREAT | os.O_RDWR, 0o600)
        except OSError as error:
            raise WriteError(f"A folder for temporary files cannot be made: {advice(error)}.") from None
        lock(self._lock)

    def remove(self) -> None:
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1
        shutil.rmtree(self.folder, ignore_errors=True)


def sweep(where: Path | None = None) -> list[Path]:
    """Remove the folders of this user whose process has ended."""
    gone = []
    found = Path(tempfile.gettempdir()).glob(f"{PREFIX}*") if where is None else where.glob(f"{HIDDEN}*")
    for folder in found:
        with suppress(OSError):
            status = folder.lstat()
            if stat.S_ISDIR(status.st_mode) and is_own(status) and is_left(folder / LOCK):
                shutil.rmtree(folder, ignore_errors=True)
                gone.append(folder)
    return gone


class Part:
    """The file of a release before it is published: beside its place, so that it can take its name in one step, and readable by its owner only."""

    def __init__(self, output: str) -> None:
        place = Path(os.path.realpath(output))
        sweep_parts(place)
        self.path = name_part(place)
        self._file: BinaryIO | None = None

    @property
    def file(self) -> BinaryIO:
        """Made when it is first asked for: whoever holds the part by then removes it, though an interrupt come as soon as the file is there."""
        if self._file is None:
            self._file = open_part(self.path)
        return self._file

    def finish(self) -> None:
        """Everything is on the disk. The lock is kept until the file is published or removed."""
        self.file.flush()
        os.fsync(self.file.fileno())

    def remove(self) -> None:
        """Unless it was published, it is gone."""
        with suppress(OSError):  # what could not be written cannot be flushed either
            if self._file is not None:
                self._file.close()
        with suppress(OSError):
            self.path.unlink()
