"""A text file that is read a window at a time. Nothing is mapped: a file that somebody cuts short is an error in words, and not the end of the process."""

from __future__ import annotations

import os
from pathlib import Path
from types import TracebackType

from shoal import kernels
from shoal.errors import DataError
from shoal.io.source import CHANGED
from shoal.io.text.records import unclosed
from shoal.kernels.records import CountedRecords

PIECE = 1 << 22
WINDOW = 1 << 22
"""Bytes that are read at once."""
ENOUGH = 1 << 27
"""With so many bytes in a window, the records that are whole are given, however few they are."""
LONGEST = 1 << 28
"""Bytes of a single record beyond which it is taken for a quote that was never closed."""
LINES = 5_000
"""Lines of a head: more than are looked at to find the delimiter and how long records are."""


class FileText:
    """The bytes of a file, looked at as one looks at bytes, and read from the disk each time."""

    def __init__(self, path: Path) -> None:
        self.path, self.size = path, path.stat().st_size

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, part: slice) -> bytes:
        start, stop, _ = part.indices(self.size)
        with self.path.open("rb") as file:
            file.seek(start)
            return file.read(max(stop - start, 0))

    def find(self, what: bytes, start: int = 0) -> int:
        """Where something is found first, from a place on; −1 if nowhere."""
        with self.path.open("rb") as file:
            file.seek(start)
            before = b""
            while piece := file.read(PIECE):
                both = before + piece
                at = both.find(what)
                if at >= 0:
                    return start - len(before) + at
                start += len(piece)
                before = both[len(both) - len(what) + 1 :] if len(what) > 1 else b""
        return -1

    def head(self) -> bytes:
        """The beginning: enough lines to judge by, or everything."""
        n = PIECE
        while True:
            found = self[:n]
            if n >= self.size or n >= LONGEST or found.count(b"\n") + found.count(b"\r") >= LINES:
                return found
            n *= 4


class Windows:
    """The records of a file from a place on. What was passed is let go."""

    def __init__(self, path: Path, name: str, at: int, reach: int) -> None:
        """``reach``: about so many bytes are asked for at a time; a window with less than that left is filled up before it is looked at."""
        self.name, self.reach = name, reach
        self._file = path.open("rb", buffering=0)
        self.size = os.fstat(self._file.fileno()).st_size
        self._unread = self.size - at
        if self._unread < 0:
            self._file.close()
            raise DataError(CHANGED.format(name))
        self._file.seek(at)
        self.text: bytes | bytearray = b""
        self.at = 0

    def __enter__(self) -> Windows:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None) -> None:
        self._file.close()

    @property
    def is_over(self) -> bool:
        return self._unread == 0 and self.at >= len(self.text)

    @property
    def done(self) -> float:
        """The share of the file that was passed."""
        return 1.0 - (self._unread + len(self.text) - self.at) / max(self.size, 1)

    def next_records(self, mark: str, line: int, n_fields: int, most: int) -> CountedRecords:
        """The next records, all of them whole, from ``at`` on; call :meth:`pass_on` when they were taken."""
        if len(self.text) - self.at < self.reach:
            self._read_more()
        while True:
            found = kernels.measure_records(self.text, mark, self.at, line, n_fields=n_fields, most=most)
            if self._unread == 0 or found.stop < len(self.text):
                return found
            n_whole = found.n_records if found.unclosed else found.n_records - 1  # the last may go on after the window
            held = len(self.text) - self.at
            if n_whole > 0 and held >= ENOUGH:
                return kernels.measure_records(self.text, mark, self.at, line, n_fields=n_fields, most=n_whole)
            if held >= LONGEST:
                raise DataError(
                    unclosed(self.name, found.unclosed)
                    if found.unclosed
                    else f"'{self.name}', line {line}: a row is longer than {LONGEST >> 20} MiB. Check how the file was exported."
                )
            self._read_more()

    def pass_on(self, stop: int) -> None:
        self.at = stop

    def _read_more(self) -> None:
        held = len(self.text) - self.at
        wanted = min(max(WINDOW, held), self._unread)
        if not wanted:
            return
        window = bytearray(held + wanted)
        window[:held] = self.text[self.at :]
        self.text, self.at = window, 0
        view = memoryview(window)
        while held < len(window):
            read = self._file.readinto(view[held:])
            if not read:
                raise DataError(CHANGED.format(self.name))
            held += read
        self._unread -= wanted
