"""Files written whole or not at all.

What is written goes first to a temporary file in the same folder, which only its owner can read. It is flushed to the disk and then
replaces the old file in one step. If anything goes wrong before that step, the old file stays and the temporary one is removed. One that a killed
process left is removed when the same file is written again.
"""

from __future__ import annotations

import errno
import glob
import os
import secrets
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from shoal.disk.system import RENAMES_OPEN_FILES, is_own, lock, set_mode
from shoal.errors import WriteError

_UMASK = os.umask(0o077)
os.umask(_UMASK)

PLACED: dict[str, tuple[int, int]] = {}
"""The files that this process has given their names, or was about to: device and number of each, so that only the very same is taken back."""

ADVICE = {
    errno.ENOSPC: "the disk is full. Free some space or choose another folder",
    errno.EDQUOT: "your disk quota is used up. Free some space or choose another folder",
    errno.EFBIG: "it would be larger than the system allows a file to be. Raise the limit (ulimit -f) or write .parquet or .csv.gz",
    errno.EACCES: "you may not write there. Choose a folder of your own",
    errno.EPERM: "you may not write there. Choose a folder of your own",
    errno.EROFS: "the disk is read-only. Choose another folder",
    errno.ENAMETOOLONG: "its name is too long. Choose a shorter one",
    errno.EPIPE: "the program that reads it has stopped. Write to a file instead",
}


def write_bytes(path: str | os.PathLike[str], data: bytes, *, private: bool = False, force: bool = True) -> None:
    """Write a file whole or not at all; ``-`` is standard output.

    Only its owner may read a ``private`` file, from its first moment. Without ``force``, a file that exists is not replaced.
    """
    with writing(path, private=private, force=force) as file:
        file.write(data)


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write a text in UTF-8 whole or not at all; ``-`` is standard output."""
    write_bytes(path, text.encode())


def check_place(path: str | os.PathLike[str], *, force: bool = True) -> None:
    """Raise what writing there would raise, as far as that can be known without writing."""
    name = os.fspath(path)
    if name == "-":
        return
    place = Path(os.path.realpath(name))
    if place.is_dir():
        raise WriteError(f"'{name}' is a folder. Name a file in it.")
    if not force and place.is_file():
        raise _exists(name)
    folder = place.parent
    if not folder.is_dir():
        what = "is not a folder" if folder.exists() else "does not exist"
        raise WriteError(f"'{name}' cannot be written: the folder '{folder}' {what}. Create it first (mkdir -p), or choose another.")
    if not os.access(folder if is_replaceable(place) else place, os.W_OK):
        raise WriteError(f"'{name}' cannot be written: {ADVICE[errno.EACCES]}.")
    if is_replaceable(place):
        try:
            tempfile.TemporaryFile(dir=folder).close()
        except OSError as error:
            raise WriteError(f"'{name}' cannot be written: {advice(error)}.") from None


def _exists(name: str) -> WriteError:
    return WriteError(
        f"'{name}' exists already, and nothing was written. Choose another name, or give --force (force=True in Python) to replace it."
    )


@contextmanager
def writing(path: str | os.PathLike[str], *, private: bool = False, force: bool = True) -> Iterator[BinaryIO]:
    """A file to write to, which appears under its name only when the block ends well. ``-`` is standard output.

    Only its owner may read a ``private`` file. Without ``force``, a file that exists stays as it is, even one that appears while we write.
    """
    name = os.fspath(path)
    check_place(path, force=force)
    try:
        if name == "-":
            yield sys.stdout.buffer
            sys.stdout.buffer.flush()
        elif not is_replaceable(place := Path(os.path.realpath(name))):
            with place.open("wb") as file:
                yield file
        else:
            with _replacing(place, 0o600 if private else _mode(place), force) as file:
                yield file
    except FileExistsError:
        raise _exists(name) from None
    except OSError as error:
        raise WriteError(f"'{'standard output' if name == '-' else name}' could not be written: {advice(error)}.") from None


def advice(error: OSError) -> str:
    """What went wrong and what to do."""
    said = (error.strerror or type(error).__name__).lower()
    return ADVICE.get(error.errno or 0, f"{said}. Choose another folder")


def is_replaceable(place: Path) -> bool:
    """Whether this is a file, or will be one; a device or a pipe is written to as it is."""
    try:
        return stat.S_ISREG(place.stat().st_mode)
    except OSError:
        return True


@contextmanager
def _replacing(place: Path, mode: int, force: bool) -> Iterator[BinaryIO]:
    sweep_parts(place)
    part = name_part(place)
    try:  # from the first moment on: an interrupt may come as soon as the file is there
        with open_part(part) as file:
            yield file
            file.flush()
            set_mode(file.fileno(), mode)
            os.fsync(file.fileno())
            PLACED[str(place)] = _identity(os.fstat(file.fileno()))
            if RENAMES_OPEN_FILES:
                _appear(part, place, force)  # while its lock is held
        if not RENAMES_OPEN_FILES:
            _appear(part, place, force)
    except BaseException:
        with suppress(OSError):
            part.unlink()
        raise
    _sync_folder(place.parent)


def name_part(place: Path) -> Path:
    """A name for a file that is going to be at a place: beside it, so that it can take its name in one step."""
    return place.with_name(f".{place.name[:100]}.{secrets.token_hex(6)}.part")


def open_part(part: Path) -> BinaryIO:
    """A new file that only its owner can read. It is locked as long as its process has it open."""
    while True:
        descriptor = os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        lock(descriptor, wait=True)
        if _identity(os.fstat(descriptor)) in _which(part):
            return os.fdopen(descriptor, "wb")
        os.close(descriptor)  # somebody took it for one that was left, before it had its lock


def sweep_parts(place: Path) -> None:
    """Remove the files of this user that killed processes were about to put at a place."""
    for old in place.parent.glob(f".{glob.escape(place.name[:100])}.{'[0-9a-f]' * 12}.part"):
        with suppress(OSError):
            if is_own(old.lstat()) and is_left(old):
                old.unlink()


def is_left(path: Path) -> bool:
    """Whether nobody has this file open and locked any more."""
    try:
        descriptor = os.open(path, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
    except OSError:
        return False
    try:
        return lock(descriptor)
    finally:
        os.close(descriptor)


def place_part(part: Path, path: str | os.PathLike[str], *, force: bool = True, private: bool = False) -> None:
    """Give a finished file, which is flushed to the disk and lies in the same folder, its name in one step. Without ``force``, no other file is replaced. Only its owner may read a ``private`` file."""
    name, place = os.fspath(path), Path(os.path.realpath(path))
    try:
        descriptor = os.open(part, os.O_WRONLY)
        try:
            set_mode(descriptor, 0o600 if private else _mode(place))
            os.fsync(descriptor)
            PLACED[str(place)] = _identity(os.fstat(descriptor))
        finally:
            os.close(descriptor)
        _appear(part, place, force)
    except FileExistsError:
        raise _exists(name) from None
    except OSError as error:
        raise WriteError(f"'{name}' could not be written: {advice(error)}.") from None
    _sync_folder(place.parent)


def forget(path: str | os.PathLike[str] | None = None) -> None:
    """What has this name now is not to be taken back any more; without a name, nothing is."""
    if path is None:
        PLACED.clear()
    else:
        PLACED.pop(str(path), None)


def take_back(path: str | os.PathLike[str]) -> None:
    """Remove a file if it is there and this process has put it there; one of somebody else stays."""
    if PLACED.get(str(path)) in _which(path):
        Path(path).unlink(missing_ok=True)
    forget(path)


def still_there() -> list[str]:
    """The files that this process has written and that are there."""
    return [path for path, identity in PLACED.items() if identity in _which(path)]


def _which(path: str | os.PathLike[str]) -> list[tuple[int, int]]:
    """Which file has this name; none, or one."""
    try:
        return [_identity(os.stat(path))]
    except OSError:
        return []


def _identity(status: os.stat_result) -> tuple[int, int]:
    return status.st_dev, status.st_ino


def copy_file(path: str, copy: str) -> None:
    """A copy with the same permissions, whole or not at all; nobody may read it before that."""
    try:
        with open(path, "rb") as file, _replacing(Path(copy), _mode(Path(path)), force=False) as to:
            shutil.copyfileobj(file, to)
    except OSError as error:
        raise WriteError(f"'{path}' cannot be replaced: {advice(error)}.") from None
    finally:
        forget(copy)


def _appear(part: Path, place: Path, force: bool) -> None:
    """Give the finished file its name, in one step."""
    if not force:
        try:
            os.link(part, place)  # fails where the name is taken by now
        except FileExistsError:
            raise
        except OSError:
            if place.exists():  # a file system without links: look, then replace
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST)) from None
        else:
            part.unlink()
            return
    os.replace(part, place)


def _mode(place: Path) -> int:
    """The permissions of the file that is replaced, else those that a new file gets."""
    try:
        return stat.S_IMODE(place.stat().st_mode)
    except OSError:
        return 0o666 & ~_UMASK


def _sync_folder(folder: Path) -> None:
    """Flush the folder too, so that the new name survives a crash; some file systems cannot, and need not."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
