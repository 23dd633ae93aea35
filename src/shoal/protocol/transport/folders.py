"""Secrets on the disk: folders that only their owner can enter, files that only their owner can read, and files that
are overwritten before they are removed.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from shoal.errors import PolicyError


@contextlib.contextmanager
def new_folder(directory: Path) -> Iterator[Path]:
    """A folder to fill (mode 0700). It gets its final name when all its files are written; a failure leaves nothing."""
    if directory.exists() and (not directory.is_dir() or any(directory.iterdir())):
        raise PolicyError(f"'{directory}' is there already and not empty. Take another directory.")
    made = [p for p in (directory.parent, *directory.parent.parents) if not p.exists()]
    part = None
    try:
        directory.parent.mkdir(parents=True, exist_ok=True)
        part = Path(tempfile.mkdtemp(prefix=f".{directory.name}-", dir=directory.parent))  # made with mode 0700
        yield part
        os.replace(part, directory)
    except BaseException as error:
        if part is not None:
            shutil.rmtree(part, ignore_errors=True)
        for parent in made:
            with contextlib.suppress(OSError):
                parent.rmdir()
        if isinstance(error, OSError):
            raise PolicyError(f"'{directory}' cannot be made: {error.strerror}.") from error
        raise


def write_private(path: Path, data: bytes) -> None:
    """A file that only its owner reads; never overwritten."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError as error:
        raise PolicyError(f"'{path}' is there already. Take another name.") from error
    except OSError as error:
        raise PolicyError(f"'{path}' cannot be written: {error.strerror}.") from error
    with open(descriptor, "wb") as out:
        out.write(data)


def make_private(directory: Path) -> None:
    """From now on only the owner can read what this process makes; the same for what a folder of an earlier version
    holds.
    """
    os.umask(0o077)
    try:
        for path in (directory, *directory.iterdir()):
            mode = path.stat().st_mode & 0o777
            if mode & 0o077:
                path.chmod(mode & 0o700)
    except OSError as error:
        raise PolicyError(f"'{directory}' cannot be made private: {error.strerror}.") from error


def wipe(path: Path) -> bool:
    """Overwrite a file and remove it; False if there was none."""
    try:
        with open(path, "r+b") as file:
            file.write(bytes(path.stat().st_size))
            file.flush()
            os.fsync(file.fileno())
        path.unlink()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise PolicyError(f"'{path}' cannot be wiped: {error.strerror}.") from error
    return True


def wipe_all(directory: Path, pattern: str) -> int:
    """Wipe the files of a folder that fit a pattern; their number."""
    if not directory.is_dir():
        raise PolicyError(f"There is no folder '{directory}'.")
    return sum(wipe(path) for path in sorted(directory.glob(pattern)))
