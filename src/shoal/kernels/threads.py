"""How many threads the kernels and the search may use: decided here and nowhere else."""

from __future__ import annotations

import math
import os
from functools import cache
from pathlib import Path

from shoal.disk.system import allowed_cores
from shoal.kernels.native import lib

SETTING = "SHOAL_THREADS"
CONTROL = Path("/sys/fs/cgroup")
"""Where Linux tells a container what it may use."""
MOST: int = lib.SHOAL_MOST_THREADS


def n_threads() -> int:
    """``SHOAL_THREADS`` if it is set; else as many as this process may run on at once, which a container may limit."""
    asked = os.environ.get(SETTING, "").strip()
    if asked:
        if not asked.isdecimal() or int(asked) < 1:
            raise ValueError(f"{SETTING} must be a whole number of at least 1, not '{asked}'")
        return min(int(asked), MOST)
    return max(1, min(allowed_cores(), quota(CONTROL), MOST))


@cache
def quota(control: Path) -> int:
    """The cores that a container's share of time is worth, rounded up; very many where there is no limit."""
    for spent, period in (("cpu.max", None), ("cpu/cpu.cfs_quota_us", "cpu/cpu.cfs_period_us")):
        try:
            words = (control / spent).read_text(encoding="ascii").split()
            if period is not None:
                words += (control / period).read_text(encoding="ascii").split()
            allowed, each = int(words[0]), int(words[1])
        except (OSError, ValueError, IndexError):
            continue  # not there, or "max": no limit
        if allowed > 0 and each > 0:
            return max(1, math.ceil(allowed / each))
    return MOST
