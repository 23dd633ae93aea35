"""File: a tree read from a file in ARX's form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, ClassVar

from shoal.errors import HierarchyError, PolicyError
from shoal.hierarchies.builders.levels import place
from shoal.hierarchies.encoded import Encoded, ValuesError
from shoal.hierarchies.files import read_lines

FROM = "from "


@dataclass(frozen=True)
class File:
    """A hierarchy file."""

    path: Path
    name: ClassVar[str] = "file"

    @property
    def description(self) -> str:
        return f"{FROM}{self.path.name}"

    def build(self, column: str, values: Sequence[str], has_missing: bool) -> Encoded:
        rows, lines = read_lines(self.path)
        try:
            return place(column, values, has_missing, self, rows, lines)
        except ValuesError:
            raise
        except HierarchyError as error:
            raise HierarchyError(f"{self.path}: {error}") from None

    def to_toml(self) -> Any:
        return str(self.path.resolve())

    @classmethod
    def from_toml(cls, value: Any, **options: Any) -> File:
        if options or not isinstance(value, str):
            raise PolicyError('Write hierarchy = "job.csv": the path of a hierarchy file.')
        return cls(Path(value))


def from_file(path: str | PathLike[str]) -> File:
    """A tree from a file in ARX's form:

    ``;`` between fields, one line per value, the value first, each further field one level up.
    """
    return File(Path(path))
