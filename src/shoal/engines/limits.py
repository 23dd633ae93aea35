"""How much memory a run may use, and what needs more."""

from __future__ import annotations

from shoal.disk.system import free_memory
from shoal.engines.base import Job
from shoal.errors import Refused

SHARE = 0.6
"""How much of the free memory a run takes if nobody says how much it may."""
BASE, SOLVER = 256 << 20, 1000
"""Bytes that every run takes, and bytes that solving takes for each different row, about."""
LEAST = 700 << 20
"""Bytes that reading, counting and writing take in any run, as measured: less is refused."""


def limit(job: Job) -> int:
    """Bytes of memory that a run may use."""
    return job.memory if job.memory is not None else int(SHARE * free_memory())


def check_memory(n_kinds: int, job: Job) -> None:
    """Refuse, before the search, so many different rows that solving would take more memory than the run may use."""
    needed = BASE + n_kinds * SOLVER
    if needed > limit(job):
        raise Refused(
            f"There are {n_kinds:,} different rows over the quasi-identifiers. Solving needs about {needed / 2**30:.1f} GiB of memory for them, and the run may use "
            f"{limit(job) / 2**30:.1f}. Give more (--memory), name fewer quasi-identifiers, or round their values beforehand."
        )
