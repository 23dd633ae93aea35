"""A text file as plain UTF-8 that is read where it lies, without being taken into memory whole.

What is packed, in another encoding, or comes from standard input or a pipe is first put into a private folder. A byte-order mark decides which encoding it is; without one, text is UTF-8 if it can
be, else Windows-1252 or, where even that cannot be, Latin-1, with a note.
"""

from __future__ import annotations

import codecs
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from shoal.disk.atomic import advice
from shoal.errors import DataError, WriteError
from shoal.io.paths import check_input, name_of, unreadable
from shoal.io.text.encoding import ANOTHER, MARKS, PIECE, decode, refuse_binary
from shoal.io.text.windows import FileText
from shoal.io.unpacking import unpacked

GZIP = b"\x1f\x8b"
NOT_PACKED = "'{}' ends in .gz but is not packed with gzip. Drop the ending, or pack it."
WHOLE = 1 << 28
"""Up to so many bytes a damaged text is read again as a whole, so that its error names the line."""
NOT_1252 = bytes([0x81, 0x8D, 0x8F, 0x90, 0x9D])
GUESSED = "'{}' is not UTF-8 and was read as {}. If letters with accents look wrong, give its encoding."


@dataclass(frozen=True, eq=False)
class PlainText:
    """The bytes of a text, in a file."""

    path: Path
    start: int
    """Where the text begins: after a byte-order mark."""
    notes: tuple[str, ...]

    def open(self) -> FileText:
        """The bytes, on the disk."""
        return FileText(self.path)


Folder = Callable[[], Path]
"""Makes a private folder, where one is needed."""


def plain_text(path: str | os.PathLike[str], folder: Folder, encoding: str | None = None) -> PlainText:
    """A text as plain UTF-8; what has to be changed for that is written to the folder."""
    name = name_of(path)
    try:
        place = _unpacked(path, folder, name)
        return _as_utf8(place, folder, name, encoding)
    except OSError as error:
        raise unreadable(name, error) from None


def _unpacked(path: str | os.PathLike[str], folder: Folder, name: str) -> Path:
    if os.fspath(path) == "-":
        place = _put(folder() / "input", iter(lambda: sys.stdin.buffer.read(PIECE), b""))
    elif not (place := check_input(path)).is_file():  # a pipe gives its bytes once
        with place.open("rb") as pipe:
            place = _put(folder() / "input", iter(lambda: pipe.read(PIECE), b""))
    with place.open("rb") as file:
        head = file.read(2)
    if head != GZIP:
        if os.fspath(path).lower().endswith(".gz") and head:
            raise DataError(NOT_PACKED.format(name))
        return place
    with place.open("rb") as packed:
        return _put(folder() / "unpacked", unpacked(packed, place.stat().st_size, name))


def _put(to: Path, pieces: Iterator[bytes]) -> Path:
    """Write a private file. That this fails is another error than that the input cannot be read."""
    descriptor = os.open(to, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600)
    try:
        for piece in pieces:
            _write_whole(descriptor, piece)
    finally:
        os.close(descriptor)
    return to


def _write_whole(descriptor: int, piece: bytes) -> None:
    rest = memoryview(piece)
    try:
        while rest:
            rest = rest[os.write(descriptor, rest) :]
    except OSError as error:
        raise WriteError(f"Temporary files could not be written: {advice(error)} (the variable TMPDIR names it).") from None


def _as_utf8(place: Path, folder: Folder, name: str, encoding: str | None) -> PlainText:
    with place.open("rb") as file:
        head = file.read(4)
        marked, length = next(((what, len(mark)) for mark, what in MARKS if head.startswith(mark)), (None, 0))
        file.seek(length)
        if encoding is None and marked in (None, "utf-8") and _is_clean(file):
            return PlainText(place, length, ())
    if encoding is not None or marked is not None:
        return _decoded(place, folder, name, encoding or str(marked), 0 if encoding else length)
    whole = PlainText(place, 0, ()).open()
    refuse_binary(whole, name)
    known = not any(whole.find(bytes([byte])) >= 0 for byte in NOT_1252)
    guess, called = ("cp1252", "Windows-1252") if known else ("latin-1", "Latin-1")
    return PlainText(_decoded(place, folder, name, guess, 0).path, 0, (GUESSED.format(name, called),))


def _is_clean(file: IO[bytes]) -> bool:
    """Whether the rest of a file is UTF-8 without NUL."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        while piece := file.read(PIECE):
            if b"\0" in piece:
                return False
            decoder.decode(piece)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _decoded(place: Path, folder: Folder, name: str, encoding: str, start: int) -> PlainText:
    """The same text written anew in UTF-8."""
    try:
        decoder = codecs.getincrementaldecoder(encoding)()
    except LookupError:
        decode(b"", encoding, name)  # says so
        raise

    def pieces() -> Iterator[bytes]:
        is_first = True
        with place.open("rb") as file:
            file.seek(start)
            while True:
                piece = file.read(PIECE)
                text = decoder.decode(piece, final=not piece)
                yield (text.removeprefix("\ufeff") if is_first else text).encode()
                is_first = is_first and not text
                if not piece:
                    return

    try:
        made = PlainText(_put(folder() / "utf8", pieces()), 0, ())
    except UnicodeError:
        if place.stat().st_size - start > WHOLE:
            raise DataError(f"'{name}' is not text in {encoding}. {ANOTHER}") from None
        made = PlainText(_put(folder() / "utf8", iter([decode(place.read_bytes()[start:], encoding, name)])), 0, ())
    text = made.open()
    if text.find(b"\0") >= 0:
        refuse_binary(text, name)
    return made
