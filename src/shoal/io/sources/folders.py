"""Several Parquet files that are one table: a folder of them, as Spark writes it, or what a pattern names."""

from __future__ import annotations

import glob
import os
from pathlib import Path

from shoal.errors import DataError
from shoal.io.paths import check_input

LAKES = {"_delta_log": "Delta", ".hoodie": "Hudi"}
"""What lies in the folder of a table that keeps files of older versions too."""
LAKE = (
    "'{}' is a table of {}: its folder also holds files of older versions, with rows that are deleted or replaced. "
    "Read it with what knows its log, and give shoal the rows: a DataFrame of Spark (shoal.spark), or files that were exported."
)


def is_many(name: str) -> bool:
    """Whether a path stands for several Parquet files: a folder, or a pattern that names no file itself."""
    return os.path.isdir(name) or (bool(set(name) & set("*?[")) and not os.path.exists(name))


def parts_of(name: str) -> list[Path]:
    """The files, in the order of their names. What is hidden, or begins with an underscore as Spark's own notes do, is no part of the table."""
    if os.path.isdir(name):
        _refuse_lake(Path(name))
        found = [p for p in sorted(Path(name).iterdir()) if not p.name.startswith((".", "_"))]
        other = [p for p in found if p.is_dir() or p.suffix.lower() not in (".parquet", ".pq")]
        if other:
            raise DataError(
                f"'{name}' is a folder that holds more than Parquet files ('{other[0].name}'). Name the file in it, or files with a pattern: '{name}/*.parquet'."
            )
    else:
        found = [Path(p) for p in sorted(glob.glob(name, recursive=True))]
    for folder in {path.parent for path in found}:
        _refuse_lake(folder)
    if not found:
        raise DataError(f"There is no Parquet file at '{name}' (looked in '{Path.cwd()}'). Check the spelling and the folder.")
    return [check_input(p) for p in found]


def _refuse_lake(folder: Path) -> None:
    for mark, kind in LAKES.items():
        if (folder / mark).exists():
            raise DataError(LAKE.format(folder, kind))
