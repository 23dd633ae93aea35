"""What a file or stream of Arrow says that it holds, before anything of it is unpacked: its messages name the rows and the length of each buffer.

Messages are FlatBuffers; the few fields that count are looked up by hand. See the columnar format's description, "IPC": https://arrow.apache.org/docs/format/Columnar.html
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import IO, NamedTuple

from shoal.errors import DataError

MAGIC = b"ARROW1"
DICTIONARY, BATCH = 2, 3
"""Kinds of messages."""
FOOTER = struct.Struct("<i6s")
MARK = b"\xff" * 4
BLOCK, BUFFER, NODE = struct.Struct("<qi4xq"), struct.Struct("<qq"), struct.Struct("<qq")


class FlatTable(NamedTuple):
    """A record of a FlatBuffer."""

    data: bytes
    at: int

    def place(self, field: int) -> int:
        """Where a field lies; 0 where it is left out."""
        about = self.at - _number("<i", self.data, self.at)
        offset = _number("<H", self.data, about + 4 + 2 * field) if 4 + 2 * field < _number("<H", self.data, about) else 0
        return self.at + offset if offset else 0

    def number(self, field: int, form: str) -> int:
        place = self.place(field)
        return _number(form, self.data, place) if place else 0

    def table(self, field: int) -> FlatTable | None:
        place = self.place(field)
        return FlatTable(self.data, place + _number("<I", self.data, place)) if place else None

    def items(self, field: int, form: struct.Struct) -> Iterator[tuple[int, ...]]:
        """A list of records of one form."""
        place = self.place(field)
        if not place:
            return iter(())
        start = place + _number("<I", self.data, place)
        n = _number("<I", self.data, start)
        return form.iter_unpack(self.data[start + 4 : start + 4 + n * form.size])


def _number(form: str, data: bytes, at: int) -> int:
    if at < 0:
        raise struct.error
    (found,) = struct.unpack_from(form, data, at)
    return int(found)


def held_by(place: Path, name: str) -> tuple[int, int]:
    """The rows of all columns, and the bytes of all buffers, unpacked. An error where the messages are not as they must be."""
    try:
        with place.open("rb") as file:
            is_file = file.read(6) == MAGIC
            found = list(_of_file(file, place.stat().st_size) if is_file else _of_stream(file, place.stat().st_size))
    except (struct.error, ValueError, OSError, OverflowError):
        raise DataError(f"'{name}' is not a file of Arrow that can be read: it is damaged or cut short. Write it again.") from None
    return sum(rows for rows, _ in found), sum(n_bytes for _, n_bytes in found)


def _of_file(file: IO[bytes], n_bytes: int) -> Iterator[tuple[int, int]]:
    """The messages that the end of a file names, each as often as it is named."""
    file.seek(n_bytes - FOOTER.size)
    length, _ = FOOTER.unpack(file.read(FOOTER.size))
    file.seek(n_bytes - FOOTER.size - length)
    data = file.read(length)
    end = FlatTable(data, _number("<I", data, 0))
    left = n_bytes
    for field in (2, 3):
        for at, about, _ in end.items(field, BLOCK):
            left -= about
            if about < 8 or left < 0:
                raise struct.error
            file.seek(at)
            yield _of_message(file, _about(file.read(about)), at + about)


def _of_stream(file: IO[bytes], n_bytes: int) -> Iterator[tuple[int, int]]:
    """Messages that follow each other."""
    at = 0
    while at < n_bytes:
        file.seek(at)
        head = file.read(8)
        old = head[:4] != MARK
        length = _number("<i", head, 0 if old else 4)
        if length == 0:
            return
        body = at + (4 if old else 8) + length
        file.seek(at)
        about = _about(file.read(body - at))
        after = body + about.number(3, "<q")
        if not at < body <= after:
            raise struct.error
        yield _of_message(file, about, body)
        at = after


def _about(data: bytes) -> FlatTable:
    """What stands before a message's body."""
    data = data[8:] if data[:4] == MARK else data[4:]
    return FlatTable(data, _number("<I", data, 0))


def _of_message(file: IO[bytes], about: FlatTable, body: int) -> tuple[int, int]:
    """The rows of a message's columns and the bytes of its buffers; packed ones say at their beginning how long they are."""
    kind, batch = about.number(1, "<B"), about.table(2)
    if kind == DICTIONARY and batch is not None:
        batch = batch.table(1)
    if kind not in (DICTIONARY, BATCH) or batch is None:
        return 0, 0
    n_bytes = 0
    for at, length in batch.items(2, BUFFER):
        file.seek(body + at)
        said = _number("<q", file.read(8), 0) if batch.place(3) and length >= 8 else -1
        n_bytes += max(said, length)
    rows = [batch.number(0, "<q"), *(length for length, _ in batch.items(1, NODE))]
    if min(rows) < 0:  # else one message could make up for another
        raise struct.error
    return sum(rows), n_bytes
