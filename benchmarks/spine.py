"""The command's start-up and the recount of a million rows: what every run pays, whatever the algorithm."""

from __future__ import annotations

import resource
import subprocess
import sys
import time

import numpy as np
import polars as pl

from shoal.judge.verify import verify

N = 1_000_000
COLUMNS = [f"q{j}" for j in range(8)]


def child_cpu(arguments: list[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(arguments, capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def tables() -> tuple[pl.DataFrame, pl.DataFrame, dict[str, list[list[str]]]]:
    """A million rows in groups of five to fifty, each column with a hierarchy of three levels over 200 values."""
    rng = np.random.default_rng(1)
    group = np.sort(rng.integers(0, N // 20, N))
    before, after = {}, {}
    for name in COLUMNS:
        block = rng.integers(0, 20, N // 20 + 1)[group]
        value = block * 10 + rng.integers(0, 10, N)
        before[name] = pl.Series(value).cast(pl.String)
        after[name] = "b" + pl.Series(block).cast(pl.String)
    rows = [[str(v), f"b{v // 10}", "*"] for v in range(200)]
    return pl.DataFrame(before), pl.DataFrame(after), dict.fromkeys(COLUMNS, rows)


def naive_count(released: pl.DataFrame) -> int:
    """The recount as a script would do it: a dictionary over rows."""
    counts: dict[tuple[str, ...], int] = {}
    for row in released.iter_rows():
        counts[row] = counts.get(row, 0) + 1
    return min(counts.values())


def main() -> None:
    print(f"shoal --help: {min(child_cpu([sys.executable, '-m', 'shoal', '--help']) for _ in range(5)):.2f} s CPU (reach 0.30)")
    before, after, hierarchies = tables()
    smallest = after.group_by(COLUMNS).len()["len"].min()
    start = time.process_time()
    verdict = verify(before, after, k=int(smallest), quasi_identifiers=COLUMNS, hierarchies=hierarchies)  # type: ignore[call-overload]
    spent = time.process_time() - start
    start = time.process_time()
    assert naive_count(after) == verdict.smallest_group
    naive = time.process_time() - start
    print(f"verify {N:,} rows × {len(COLUMNS)}: {spent:.2f} s CPU (reach 5); counting alone, row by row in Python: {naive:.2f} s CPU")
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MiB")
