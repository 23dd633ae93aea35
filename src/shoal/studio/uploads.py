"""Files that a browser sends: streamed piece by piece into a private folder, and wiped when the studio closes."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

import python_multipart
from python_multipart.multipart import parse_options_header
from starlette.concurrency import run_in_threadpool

from shoal.disk.system import has_ended, is_own
from shoal.errors import DataError

PREFIX = "shoal-studio-"
SPARE = 64 * 2**20
"""How much of the disk an upload must leave free, in bytes."""


def make_folder(where: Path | None = None) -> Path:
    """A folder that only its owner can enter, among the temporary ones or in another.

    What a killed studio left behind is wiped first.
    """
    place = where or Path(tempfile.gettempdir())
    for old in place.glob(f"{PREFIX}*"):
        if _is_abandoned(old):
            wipe(old)
    return Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-", dir=place))


def wipe(folder: Path) -> None:
    """Remove the folder and all that is in it."""
    shutil.rmtree(folder, ignore_errors=True)


def _is_abandoned(folder: Path) -> bool:
    """Whether a folder is ours and its studio does not run any more."""
    number = folder.name.removeprefix(PREFIX).partition("-")[0]
    try:
        return number.isdigit() and not folder.is_symlink() and is_own(folder.stat()) and has_ended(int(number))
    except OSError:
        return False


class Upload:
    """The parts of a form with a file in it, as they arrive: the file goes to the disk, the rest is small and is
    kept.
    """

    def __init__(self, content_type: str, folder: Path) -> None:
        kind, options = parse_options_header(content_type)
        if kind != b"multipart/form-data" or b"boundary" not in options:
            raise DataError("The browser sent no file.")
        self.folder = folder
        self.path: Path | None = None
        self._file: BinaryIO | None = None
        self._headers: dict[bytes, bytes] = {}
        self._name, self._value = b"", b""
        self._parser = python_multipart.MultipartParser(
            options[b"boundary"],
            {
                "on_part_begin": self._begin,
                "on_header_field": lambda data, start, end: self._add("_name", data[start:end]),
                "on_header_value": lambda data, start, end: self._add("_value", data[start:end]),
                "on_header_end": self._header_end,
                "on_headers_finished": self._headers_end,
                "on_part_data": lambda data, start, end: self._write(data[start:end]),
                "on_part_end": self._end,
            },
        )

    def feed(self, piece: bytes) -> None:
        """The next piece of the body."""
        if shutil.disk_usage(self.folder).free < SPARE + len(piece):
            raise DataError(
                "The disk is nearly full: the file was not taken. Pick it from the disk instead of sending it."
            )
        try:
            self._parser.write(piece)
        except python_multipart.exceptions.FormParserError:
            raise DataError("What the browser sent cannot be read as a form. Try again.") from None

    def close(self, has_failed: bool = False) -> None:
        """Close the file; remove it if it did not arrive completely."""
        if self._file is not None:
            self._file.close()
            self._file = None
            has_failed = True
        if has_failed and self.path is not None:
            with suppress(OSError):
                self.path.unlink()
            self.path = None

    def _begin(self) -> None:
        self._headers = {}

    def _add(self, which: str, piece: bytes) -> None:
        if len(getattr(self, which)) > 8192:
            raise DataError("What the browser sent cannot be read as a form. Try again.")
        setattr(self, which, getattr(self, which) + piece)

    def _header_end(self) -> None:
        self._headers[self._name.lower()] = self._value
        self._name, self._value = b"", b""

    def _headers_end(self) -> None:
        _, options = parse_options_header(self._headers.get(b"content-disposition", b""))
        name = options.get(b"filename", b"")
        if name and self.path is None:
            self.path = self.folder / safe_name(name.decode("utf-8", "replace"))
            descriptor = os.open(self.path, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600)
            self._file = os.fdopen(descriptor, "wb")

    def _write(self, piece: bytes) -> None:
        if self._file is not None:
            self._file.write(piece)

    def _end(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None


def safe_name(name: str) -> str:
    """A file's name without any folder, and without characters that trouble a file system or a terminal."""
    last = name.replace("\\", "/").rsplit("/", 1)[-1]
    kept = "".join(c for c in last if c.isprintable() and c not in '<>:"|?*').strip(" .")
    return kept[-120:] or "table.csv"


async def receive(stream: AsyncIterator[bytes], content_type: str, folder: Path) -> Path:
    """Receive a form's file and store it in the folder."""
    upload = Upload(content_type, folder)
    has_failed = True
    try:
        async for piece in stream:
            if piece:
                await run_in_threadpool(upload.feed, piece)
        has_failed = False
    finally:
        upload.close(has_failed)
    if upload.path is None:
        raise DataError("Choose a file first.")
    return upload.path
