"""Where tables come from and where releases go, whatever their format.

    open_source(data)       a Source: the rows in stretches, of a path, an address, a connection or a dataframe
    read(data)              the same in memory, as a Table
    open_target(place)      a Target: written unseen, read back, published in one step
    write(frame, place)     a verified frame to a target
    check_output(place)     what `write` would refuse, told before the work begins
    write_release(release)  a verified release; gives the SHA-256 of the file
    to_kind(frame, kind)    the kind of dataframe that was given

Everything loads on use: importing this room loads neither polars nor pyarrow nor pandas.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from shoal.io.places import open_source, open_target, read
    from shoal.io.targets.frames import to_kind
    from shoal.io.targets.spreadsheet import undefuse
    from shoal.io.writing import check_output, csv_sha256, release_sha256, write, write_for_owner, write_release

__all__ = [
    "check_output", "csv_sha256", "open_source", "open_target", "read", "release_sha256", "to_kind", "undefuse", "write", "write_for_owner", "write_release",
]  # fmt: skip

_HOME = {
    **dict.fromkeys(["open_source", "open_target", "read"], "shoal.io.places"),
    **dict.fromkeys(["check_output", "csv_sha256", "release_sha256", "write", "write_for_owner", "write_release"], "shoal.io.writing"),
    "to_kind": "shoal.io.targets.frames",
    "undefuse": "shoal.io.targets.spreadsheet",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'shoal.io' has no attribute '{name}'")
    found = globals()[name] = getattr(import_module(_HOME[name]), name)
    return found
