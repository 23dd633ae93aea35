"""The bytes of a file or of standard input, unpacked if they are packed."""

from __future__ import annotations

import gzip
import os
import sys
import zlib
from pathlib import Path

from shoal.errors import DataError

GZIP = b"\x1f\x8b"


def name_of(path: str | os.PathLike[str]) -> str:
    """How messages call it."""
    return "standard input" if os.fspath(path) == "-" else os.fspath(path)


def check_input(path: str | os.PathLike[str]) -> Path:
    """The path of a file that is there and can be read."""
    place, name = Path(path), name_of(path)
    try:
        if place.is_dir():
            raise DataError(f"'{name}' is a folder. Name the file in it.")
        with place.open("rb"):
            return place
    except FileNotFoundError:
        raise DataError(f"There is no file '{name}' (looked in '{Path.cwd()}'). Check the spelling and the folder.") from None
    except OSError as error:
        raise DataError(f"'{name}' cannot be read: {reason(error)}. Check its permissions.") from None


def load(path: str | os.PathLike[str]) -> bytes:
    """All bytes of a file, or of standard input for ``-``; gzip is known by its content, whatever the name says."""
    name = name_of(path)
    try:
        data = sys.stdin.buffer.read() if os.fspath(path) == "-" else check_input(path).read_bytes()
    except OSError as error:
        raise DataError(f"'{name}' cannot be read: {reason(error)}.") from None
    if not data.startswith(GZIP):
        if os.fspath(path).lower().endswith(".gz") and data:
            raise DataError(f"'{name}' ends in .gz but is not packed with gzip. Drop the ending, or pack it.")
        return data
    try:
        return gzip.decompress(data)
    except (OSError, EOFError, zlib.error):
        raise DataError(f"'{name}' is packed with gzip but damaged or cut short. Copy it again, or unpack it by hand to see.") from None


def reason(error: OSError) -> str:
    """What the system says, without its number."""
    return (error.strerror or type(error).__name__).lower()
