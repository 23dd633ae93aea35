"""``make recorded AGAINST=REVISION``: several hundred small runs of another revision and of this tree, compared to the byte.

The status is 1 if anything differs that ``expected.toml`` does not name.
"""

from __future__ import annotations

import argparse
import resource
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from benchmarks.checkout import ROOT, checkout, commit_of, environment
from benchmarks.recorded import expected
from benchmarks.recorded.compare import Difference, differences, is_lacking
from benchmarks.recorded.runs import TEXTS, runs
from benchmarks.recorded.tables import write_all
from benchmarks.recorded.worker import folder_of

MOST_LINES = 4


def record(old: Path, folder: Path, names: list[str]) -> None:
    """Every run in each tree, both at the same time. This one is copied first, so that one can go on working in it."""
    write_all(_made(folder / "in"), TEXTS)
    shutil.copytree(ROOT / "src" / "shoal", folder / "tree" / "src" / "shoal")
    trees = {"before": old, "now": folder / "tree"}
    started: list[tuple[str, subprocess.Popen[bytes]]] = []
    for side, tree in trees.items():
        at = _made(folder / side)
        shutil.copytree(folder / "in", at / "in")
        _made(at / "runs")
        log = (folder / f"{side}.log").open("wb")
        command = [sys.executable, "-m", "benchmarks.recorded.worker", str(at), *names]
        started.append((side, subprocess.Popen(command, cwd=at, env=environment(tree), stdout=log, stderr=log)))
    try:
        for side, process in started:
            if process.wait():
                told = (folder / f"{side}.log").read_text(errors="replace")[-3000:]
                raise SystemExit(f"The runs of {side} ended with {process.returncode}:\n{told}")
    finally:
        for _, process in started:
            process.terminate()


def _made(place: Path) -> Path:
    place.mkdir(parents=True)
    return place


def show(found: Iterable[Difference], title: str) -> None:
    """The differences of one sort, the first lines of each."""
    found = list(found)
    if found:
        print(f"\n== {title}: {len(found)} in {len({d.run for d in found})} runs")
    for d in found:
        more = f"\n      … {len(d.lines) - MOST_LINES} more lines" if len(d.lines) > MOST_LINES else ""
        print(f"  {d.run} · {d.what}\n" + "\n".join(f"      {line[:220]}" for line in d.lines[:MOST_LINES]) + more)


def judge(found: list[Difference], known: Sequence[expected.Expected]) -> int:
    """Print what differs; 1 if some of it is on no list."""
    why = [(d, expected.reasons(d, known)) for d in found]
    told = Counter(reason for _, given in why if given for reason in given)
    if told:
        print(f"\n== on purpose: {sum(given is not None for _, given in why)} differences")
        for reason, n in told.most_common():
            print(f"  {n:4}  {reason}")
    unknown = [d for d, given in why if given is None]
    show((d for d in unknown if d.is_message), "messages and statuses that differ")
    show((d for d in unknown if not d.is_message), "files that differ")
    return 1 if unknown else 0


def main() -> int:
    asked = argparse.ArgumentParser(prog="python -m benchmarks.recorded", description=__doc__)
    asked.add_argument("revision", help="such as HEAD~3, or a tag")
    asked.add_argument("--runs", default="*", help="only runs whose names match, such as 'person*|*proof*'")
    asked.add_argument("--keep", type=Path, help="keep inputs and outputs of all runs in this new folder")
    said = asked.parse_args()
    names = [run.name for run in runs() if any(fnmatchcase(run.name, pattern) for pattern in said.runs.split("|"))]
    old = checkout(said.revision)
    known = expected.known_against(old, ROOT)
    with tempfile.TemporaryDirectory(prefix="shoal-recorded-") as private:
        folder = said.keep.resolve() if said.keep else Path(private)
        record(old, folder, [] if said.runs == "*" else names)
        places = {name: (folder / "before/runs" / folder_of(name), folder / "now/runs" / folder_of(name)) for name in names}
        lacking = [name for name, at in places.items() if is_lacking(*at)]
        found = [d for name, at in places.items() if name not in lacking for d in differences(name, *at)]
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    status = judge(found, known)
    left = f", {len(lacking)} left out that it does not have" if lacking else ""
    print(f"\n{len(names)} runs against {said.revision} ({commit_of(said.revision)[:12]}){left}: {len(found)} differences", end=", ")
    print(f"{spent.ru_utime + spent.ru_stime:.0f} s CPU")
    return status


if __name__ == "__main__":
    sys.exit(main())
