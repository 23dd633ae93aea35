"""Files and dataframes: read a Table, write what was verified.

    read(data)              a path, '-' for standard input, or a dataframe of pandas, polars or pyarrow
    write(frame, path)      by the path's ending, whole or not at all
    check_output(path)      what `write` would refuse, told before the work begins
    write_release(release)  a verified release; gives the SHA-256 of the file
    to_kind(frame, kind)    the kind of dataframe that was given

Everything loads on use: importing this room loads neither polars nor pyarrow nor pandas.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from shoal.io.frames import to_kind
    from shoal.io.reader import read
    from shoal.io.releases import csv_sha256, release_sha256, write_release
    from shoal.io.writer import check_output, undefuse, write, write_for_owner

__all__ = ["check_output", "csv_sha256", "read", "release_sha256", "to_kind", "undefuse", "write", "write_for_owner", "write_release"]

_HOME = {
    "check_output": "shoal.io.writer",
    "csv_sha256": "shoal.io.releases",
    "read": "shoal.io.reader",
    "release_sha256": "shoal.io.releases",
    "to_kind": "shoal.io.frames",
    "undefuse": "shoal.io.writer",
    "write": "shoal.io.writer",
    "write_for_owner": "shoal.io.writer",
    "write_release": "shoal.io.releases",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'shoal.io' has no attribute '{name}'")
    found = globals()[name] = getattr(import_module(_HOME[name]), name)
    return found
