"""Paths of files that are read: what they are called in messages, and whether they are there."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from shoal.errors import DataError


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
