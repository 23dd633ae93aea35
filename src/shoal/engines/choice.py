"""Which engine does a job."""

from __future__ import annotations

import os
import re
from pathlib import Path

from shoal import registry
from shoal.disk.spill import sweep
from shoal.engines import CATALOG
from shoal.engines.base import Job, RowEngine
from shoal.errors import PolicyError, Refused
from shoal.io.addresses import parse

OLD_NAMES = {"local": "memory"}
"""Names of before 0.2, which are still accepted."""
UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}
SIZE = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?\s*", re.IGNORECASE)


def bytes_of(size: int | str | None) -> int | None:
    """A size in bytes, as people write it.

    >>> bytes_of("4GB"), bytes_of("512 MiB"), bytes_of(1024)
    (4294967296, 536870912, 1024)
    """
    if size is None or isinstance(size, int):
        return size
    found = SIZE.fullmatch(size)
    if not found:
        raise PolicyError("A size of memory is a number with KB, MB, GB or TB, such as 4GB.")
    return int(float(found[1]) * UNITS[found[2].upper()])


def engine_for(job: Job, name: str | None = None) -> RowEngine:
    """The engine of this name, or the first of the catalog that takes the job; :class:`Refused` if it cannot do what is asked."""
    _sweep(job)
    if name is not None:
        engine: RowEngine = registry.find(CATALOG, OLD_NAMES.get(name, name), "engine")
    else:
        engine = next(e for e in (registry.find(CATALOG, each) for each in CATALOG) if e.takes(job))
    reason = engine.refuses(job)
    if reason is None and job.work is not None and not engine.keeps_work:
        reason = f"The engine '{engine.name}' cannot take up an interrupted run. Leave --work out; it is for files that are larger than memory (--engine files)."
    if reason is not None:
        raise Refused(reason)
    return engine


def _sweep(job: Job) -> None:
    """Remove what a killed run of any engine left: in the folder for temporary files, and where this run will write."""
    sweep()
    to = parse(job.output)
    place = job.output if to is None else None if to.scheme == "postgresql" else to.path
    if place not in (None, "-"):
        sweep(Path(os.path.realpath(str(place))).parent)


def refused_when_counting(job: Job) -> str | None:
    """What no engine can do that counts rows without having them in memory; None if nothing of it is asked."""
    if job.policy.person is not None:
        return "Counting people (--person) needs the table in memory. Take --engine memory, or keep one row of each person."
    if job.proof:
        return "A proof (--proof) is made, and checked, with the table in memory. Leave it out, or take --engine memory on a machine that holds the table."
    if job.form != "labels":
        return f"The form '{job.form}' needs the table in memory. Leave --form out, or take --engine memory."
    return None
