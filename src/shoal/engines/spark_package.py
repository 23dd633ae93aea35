"""An archive of shoal and all that it needs, for the workers of a Spark cluster: ``spark.archives`` unpacks it there.

A zip on ``PYTHONPATH`` would not do: compiled kernels cannot be loaded out of it. The archive is of this machine's Python and system; workers must have the same.
"""

from __future__ import annotations

import re
import sys
import tarfile
from importlib import metadata
from pathlib import Path

import shoal
from shoal.disk.atomic import writing
from shoal.errors import DataError

NAME = re.compile(r"[A-Za-z0-9._-]+")
SKIPPED = {"__pycache__"}
ROOT = "shoal"
ALSO = ("pyarrow", "cloudpickle")
"""What Spark itself needs on a worker to pass Arrow data, if it is here."""


def package(path: str, *, alone: bool = False, force: bool = False) -> list[str]:
    """Write the archive; gives the names of what is in it. ``alone``: shoal only, where workers have numpy, polars, scipy and the others."""
    if not path.endswith((".tar.gz", ".tgz")):
        raise DataError("An archive for Spark ends in .tar.gz.")
    names = [] if alone else needed()
    with writing(path, force=force) as file, tarfile.open(fileobj=file, mode="w:gz", compresslevel=3) as archive:
        _add(archive, Path(shoal.__file__).parent, ROOT)
        for name in names:
            _add_distribution(archive, name)
    return [ROOT, *names]


def needed() -> list[str]:
    """The distributions that shoal needs, and those that they need in turn."""
    found: dict[str, None] = {}
    waiting = [*_required("shoal"), *ALSO]
    while waiting:
        name = waiting.pop(0)
        if name not in found and _is_here(name):
            found[name] = None
            waiting += _required(name)
    return list(found)


def _required(name: str) -> list[str]:
    """What a distribution always needs, by name. What only an extra or another system needs is left out by whether it is installed."""
    lines = metadata.requires(name) or []
    return [_plain(line) for line in lines if "extra ==" not in line]


def _plain(line: str) -> str:
    found = NAME.match(line)
    return found[0].lower().replace("_", "-") if found else line


def _is_here(name: str) -> bool:
    try:
        metadata.distribution(name)
    except metadata.PackageNotFoundError:
        return False
    return True


def _add_distribution(archive: tarfile.TarFile, name: str) -> None:
    distribution = metadata.distribution(name)
    for file in distribution.files or []:
        place = Path(str(distribution.locate_file(file)))
        if ".." not in file.parts and not SKIPPED & set(file.parts) and place.is_file():  # programs and manuals lie outside
            archive.add(place, arcname=file.as_posix(), filter=_nobody)


def _add(archive: tarfile.TarFile, folder: Path, name: str) -> None:
    for place in sorted(folder.rglob("*")):
        inside = place.relative_to(folder)
        if place.is_file() and not SKIPPED & set(inside.parts):
            archive.add(place, arcname=f"{name}/{inside.as_posix()}", filter=_nobody)


def _nobody(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    """Whose file it is here is nobody's business there."""
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    return entry


def python() -> str:
    """The Python that the archive is for."""
    return f"{sys.version_info.major}.{sys.version_info.minor}"
