"""Runs the measurements named on the command line, or all of them, and prints machine and commit above each."""

from __future__ import annotations

import platform
import subprocess
import sys
import time

from benchmarks import CATALOG
from shoal import registry


def commit() -> str:
    answer = subprocess.run(["git", "describe", "--always", "--dirty"], capture_output=True, text=True, check=False)
    return answer.stdout.strip() or "unknown"


def main(names: list[str]) -> None:
    for name in names or list(CATALOG):
        run = registry.find(CATALOG, name, "benchmark")
        print(
            f"\n== {name} · commit {commit()} · Python {platform.python_version()} · {platform.machine()} · {time.strftime('%Y-%m-%d %H:%M')}",
            flush=True,
        )
        start = time.process_time()
        run()
        print(f"-- {name}: {time.process_time() - start:.1f} s CPU", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
