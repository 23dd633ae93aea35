"""The pages that people look at, for Adult and for a million rows: the assessment, the report, and the studio's first page."""

from __future__ import annotations

import re
import resource
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import shoal
from benchmarks import adult
from shoal import io
from shoal.report.model import owner_model
from shoal.report.page import html
from shoal.studio.desk import Desk

N = 1_000_000


def cpu(work: Callable[[], Any]) -> tuple[float, Any]:
    start = time.process_time()
    made = work()
    return time.process_time() - start, made


def first_page() -> tuple[float, float]:
    """Seconds by the clock from the command to the first page, and of CPU until it is closed."""
    start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-u", "-m", "shoal", "studio", "--no-browser"]
    with tempfile.TemporaryDirectory() as folder, subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=folder) as studio:
        found = re.search(r"http://\S+", studio.stdout.readline() if studio.stdout else "")
        opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(), urllib.request.ProxyHandler({}))
        with opener.open(found.group() if found else "") as answer:
            assert b"Load a table" in answer.read()
        spent = time.perf_counter() - start
        studio.terminate()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def a_million(path: Path) -> float:
    """CPU seconds of the studio's work: read, overview of the columns, assessment of eight quasi-identifiers."""
    with tempfile.TemporaryDirectory() as folder:
        desk = Desk(Path(folder), path.parent)

        def work() -> None:
            desk.load(path, path.name)
            assert desk.loading is not None
            desk.loading.wait()
            desk.give_roles(dict.fromkeys(adult.QUASI_IDENTIFIERS, "quasi-identifier") | {"salary-class": "sensitive"})
            job = desk.risk()
            job.wait()
            assert job.state == "done", job.error

        return cpu(work)[0]


def main() -> None:
    spent, busy = min(first_page() for _ in range(5))
    print(f"studio, from the command to the first page: {spent:.2f} s by the clock (reach 1), {busy:.2f} s CPU")
    if not adult.is_there():
        print("Adult is not beside the repository: the rest is left out.")
        return
    table, names, watched = io.read(adult.path()), adult.QUASI_IDENTIFIERS, [adult.SENSITIVE]
    spent, _ = cpu(lambda: shoal.assess(table, quasi_identifiers=names, sensitive=watched, largest_subset=3))
    print(f"assess Adult, all pairs and triples of 8 columns: {spent:.2f} s CPU (reach 3)")
    release = shoal.anonymize(table, k=5, quasi_identifiers=names, sensitive=watched, hierarchies=adult.HIERARCHIES, algorithm="mondrian")
    spent, text = cpu(lambda: html(owner_model(release)))
    print(f"report of Adult: {spent:.2f} s CPU (reach 2), {len(text.encode()) / 2**20:.2f} MiB (reach 1)")
    print(f"studio, {N:,} rows loaded and assessed: {a_million(adult.path(N)):.2f} s CPU (reach 20)")


if __name__ == "__main__":
    main()
