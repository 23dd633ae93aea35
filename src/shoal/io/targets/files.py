"""A file that is going to be there: beside its place until it is published, and readable by its owner only. What goes to standard output or a device is put aside until then."""

from __future__ import annotations

import hashlib
import os
import shutil
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from shoal.disk.atomic import advice, check_place, is_replaceable, place_part, writing
from shoal.disk.spill import Part, Spill
from shoal.disk.system import RENAMES_OPEN_FILES
from shoal.errors import DataError, NotAnonymous, WriteError
from shoal.io.addresses import parse
from shoal.io.endings import Form, form_of
from shoal.io.source import file_sha256
from shoal.io.sources.folders import is_many, parts_of
from shoal.io.target import Rows, Target


class FileTarget(Target):
    """Whole or not at all."""

    def __init__(self, path: str | os.PathLike[str], *, spreadsheet_safe: bool = False, force: bool = False, private: bool = False) -> None:
        """Cells are made safe for spreadsheets if asked. Without ``force``, a file that exists is not replaced. Only its owner may read a ``private`` file."""
        self.name, self.spreadsheet_safe, self.force, self.private = os.fspath(path), spreadsheet_safe, force, private
        self._part: Part | None = None
        self._aside: Spill | None = None
        self._sha256 = ""

    @property
    def form(self) -> Form:
        """What the ending says."""
        try:
            return form_of(self.name)
        except DataError as error:
            raise WriteError(str(error)) from None

    def check(self, inputs: Iterable[object] = ()) -> None:
        check_place(self.name)
        _ = self.form
        for given in inputs:
            if isinstance(given, str | os.PathLike) and _is_same(self.name, os.fspath(given)):
                raise WriteError(f"'{self.name}' is also the input. Choose another name: shoal never overwrites what it reads.")
            if isinstance(given, str) and parse(given) is None and is_many(given) and self._lies_among(parts_of(given)):
                raise WriteError(f"'{self.name}' would lie among the files that are read. Choose another folder.")
        check_place(self.name, force=self.force)

    def _lies_among(self, files: Iterable[Path]) -> bool:
        """A release among the files of a folder or a pattern would be read as a part of the table the next time."""
        return Path(os.path.realpath(self.name)).parent in {path.resolve().parent for path in files}

    def write(self, rows: Rows, shown: Sequence[str] = (), given: object = None) -> None:
        with self._telling():
            self._part = Part(self._beside())
            hashed = Hashed(self._part.file)
            self._pour(rows, hashed)
            self._sha256 = hashed.sha256.hexdigest()
            self._part.finish()

    @abstractmethod
    def _pour(self, rows: Rows, file: Hashed) -> None:
        """All bytes of the file."""

    def _beside(self) -> str:
        """Where the file may lie until it is published."""
        if self._is_placed:
            return self.name
        self._aside = Spill()
        return str(self._aside.folder / "release")

    @property
    def _is_placed(self) -> bool:
        return self.name != "-" and is_replaceable(Path(os.path.realpath(self.name)))

    @property
    def path(self) -> Path:
        """Of the file that is not yet published."""
        assert self._part is not None
        return self._part.path

    def sha256(self) -> str:
        return self._sha256

    def publish(self, sha256: str | None) -> None:
        assert self._part is not None
        if sha256 is not None and file_sha256(self.path) != sha256:
            raise NotAnonymous("This is not the file that was verified: it was changed since. Nothing was written.")
        if not self._is_placed:
            with self.path.open("rb") as file, writing(self.name) as to:
                shutil.copyfileobj(file, to)
            return
        if not RENAMES_OPEN_FILES:
            self._part.file.close()
        place_part(self.path, self.name, force=self.force, private=self.private)

    @contextmanager
    def _telling(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise WriteError(f"'{'standard output' if self.name == '-' else self.name}' could not be written: {advice(error)}.") from None

    def close(self) -> None:
        if self._part is not None:
            self._part.remove()
        if self._aside is not None:
            self._aside.remove()


class Hashed:
    """A file whose bytes are hashed as they pass."""

    def __init__(self, file: BinaryIO) -> None:
        self.file, self.sha256, self.n_bytes = file, hashlib.sha256(), 0

    def write(self, data: bytes | memoryview) -> int:
        self.sha256.update(data)
        self.n_bytes += len(data)
        return self.file.write(data)

    def flush(self) -> None:
        self.file.flush()

    def close(self) -> None:
        """The file stays open: whoever opened it closes it."""

    @property
    def closed(self) -> bool:
        return False

    def tell(self) -> int:
        return self.n_bytes


def _is_same(output: str, given: str) -> bool:
    if "-" in (output, given):
        return False
    try:
        return os.path.samefile(output, given)
    except OSError:
        return os.path.realpath(output) == os.path.realpath(given)
