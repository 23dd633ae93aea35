"""The bytes of a file or of standard input, unpacked if they are packed."""

from __future__ import annotations

import io
import os
import stat
import sys
from pathlib import Path

from shoal.errors import DataError
from shoal.io.unpacking import unpacked

GZIP = b"\x1f\x8b"
NOT_PACKED = "'{}' ends in .gz but is not packed with gzip. Drop the ending, or pack it."


def name_of(path: str | os.PathLike[str]) -> str:
    """Its name in messages."""
    return "standard input" if os.fspath(path) == "-" else os.fspath(path)


def check_input(path: str | os.PathLike[str]) -> Path:
    """The path of a file that is there."""
    place, name = Path(path), name_of(path)
    try:
        if stat.S_ISDIR(place.stat().st_mode):
            raise DataError(f"'{name}' is a folder. Name the file in it.")
    except (FileNotFoundError, NotADirectoryError):
        raise DataError(f"There is no file '{name}' (looked in '{Path.cwd()}'). Check the spelling and the folder.") from None
    except OSError as error:
        raise unreadable(name, error) from None
    return place


def unreadable(name: str, error: OSError) -> DataError:
    """What to raise where the system does not let a file be read."""
    return DataError(f"'{name}' cannot be read: {(error.strerror or type(error).__name__).lower()}. Check its permissions.")


def load(path: str | os.PathLike[str]) -> bytes:
    """All bytes of a file, or of standard input for ``-``; gzip is recognized by its content, whatever the name says."""
    name = name_of(path)
    try:
        data = sys.stdin.buffer.read() if os.fspath(path) == "-" else check_input(path).read_bytes()
    except OSError as error:
        raise unreadable(name, error) from None
    if not data.startswith(GZIP):
        if os.fspath(path).lower().endswith(".gz") and data:
            raise DataError(NOT_PACKED.format(name))
        return data
    return b"".join(unpacked(io.BytesIO(data), len(data), name))
