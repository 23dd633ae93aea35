"""The solver on Adult and its enlargements: loss, bound, ratio and CPU seconds, beside what other tools reach.

The figures of other tools were measured by the project on the same kind of machine, with the same scorer; they are quoted here.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

import shoal
from benchmarks import adult
from shoal.algorithms.auto import AUTO
from shoal.problem import Problem, Solution, Watch
from shoal.search.anchors import loosen
from shoal.search.effort import seconds_of

CELL = "{:<34} {:>9} {:>9} {:>7} {:>7}   {}"


@dataclass(frozen=True)
class Case:
    """One run, and what others reach there."""

    title: str
    k: int
    measure: str = "entropy"
    limit: float | None = None
    n_rows: int = 0
    free: bool = False
    peers: str = ""


CASES = (
    Case("Adult, entropy, k=2, short", 2, limit=5, peers="ARX local 0.269 in 9 s; top-down greedy 0.226 in 58 s"),
    Case("Adult, entropy, k=2", 2, limit=40, peers="reach 0.115, ratio 1.05 in 60 s"),
    Case("Adult, entropy, k=5, short", 5, limit=8, peers="reach 0.314 in 15 s; ARX local 0.481 in 14 s, 0.428 in 254 s"),
    Case("Adult, entropy, k=5", 5, limit=60, peers="reach 0.298, ratio 1.08 in 90 s"),
    Case("Adult, entropy, k=10, short", 10, limit=5, peers="anonypy 0.559 in 55 s; Mondrian 0.661 to 0.779"),
    Case("Adult, entropy, k=50, short", 50, limit=5, peers="ARX local 0.908 in 31 s"),
    Case("Adult, LM, k=2, short", 2, "lm", limit=5),
    Case("Adult, LM, k=10, short", 10, "lm", limit=5),
    Case("Adult, LM, k=50, short", 50, "lm", limit=5),
    Case("Adult, tree, k=2", 2, "tree", limit=50, peers="reach ratio 1.03 in 60 s"),
    Case("Adult, tree, k=5", 5, "tree", limit=40, peers="reach 0.0872, ratio 1.05 in 60 s"),
    Case("Adult, tree, k=10", 10, "tree", limit=60, peers="reach ratio 1.06 in 60 s"),
    Case("Adult, tree, k=50", 50, "tree", limit=90, peers="reach ratio 1.05 in 60 s"),
    Case("Adult, free recoding, k=5", 5, limit=15, free=True, peers="reach 0.28 in 30 s; mosaicrown Mondrian 0.387 in 117 s"),
    Case("Adult, free recoding, k=2", 2, limit=15, free=True, peers="reach 0.11 in 30 s; mosaicrown Mondrian 0.171 in 329 s"),
    Case("100,000 rows, entropy, k=5", 5, limit=10, n_rows=100_000, peers="reach 0.215 in 20 s; ARX local 0.347 in 14 s"),
    Case("1,000,000 rows, entropy, k=5", 5, limit=25, n_rows=1_000_000, peers="reach 0.120 in 60 s; ARX local 0.120 in 25 s"),
)


class First(Watch):
    """Notes when there was a first release with a bound."""

    def __init__(self) -> None:
        self.start = time.process_time()
        self.first = float("nan")

    def tell(self, stage: str, done: float | None = None, loss: float | None = None, bound: float | None = None) -> None:
        if np.isnan(self.first) and loss is not None and bound is not None:
            self.first = time.process_time() - self.start


def run(case: Case) -> tuple[Problem, Solution, First, float]:
    """Solve a case; the CPU seconds of the solver alone."""
    problem = adult.problem(case.k, case.measure, case.n_rows, free=case.free)
    problem = replace(problem, effort=case.limit / seconds_of(loosen(problem)))
    watch = First()
    solution = AUTO.solve(problem, watch)
    return problem, solution, watch, time.process_time() - watch.start


def main(cases: tuple[Case, ...] = CASES) -> None:
    if not adult.is_there():
        print("Adult is not beside the repository (../shared/data): nothing to measure.")
        return
    print(CELL.format("", "per cell", "bound", "ratio", "CPU s", "others; CPU s to a first release with a bound"))
    for case in cases:
        problem, solution, watch, seconds = run(case)
        sizes = solution.sizes
        if sizes.min() < case.k:
            raise AssertionError("a group below k")
        cells = problem.n_rows * problem.n_columns
        bound = solution.bound.value if solution.bound is not None else 0.0
        ratio = f"{solution.loss / bound:.4f}" if bound > 0 else "–"
        figures = (f"{solution.loss / cells:.5f}", f"{bound / cells:.5f}", ratio, f"{seconds:.1f}")
        print(CELL.format(case.title, *figures, f"{case.peers} (first: {watch.first:.1f} s)"), flush=True)
    score()
    print(f"most memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.2f} GiB")


def score() -> None:
    """From file to file, judged by the independent scorer where it is there."""
    scorer = adult.DATA.parent / "score.py"
    if not scorer.exists():
        return
    names = list(adult.QUASI_IDENTIFIERS)
    start = time.process_time()
    release = shoal.anonymize(adult.path(), k=5, quasi_identifiers=names, hierarchies=str(adult.HIERARCHIES), effort=8 / 25)
    seconds = time.process_time() - start
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "release.csv"
        release.write(out)
        asked = [sys.executable, str(scorer), str(adult.path()), str(out), str(adult.HIERARCHIES), "--qi", ",".join(names), "--json"]
        found = json.loads(subprocess.run(asked, capture_output=True, text=True, check=True).stdout)
    print(f"from file to file, k=5: record {release.record['loss_per_cell']:.6f}, ratio {release.ratio:.4f}, {seconds:.1f} s CPU")
    print(
        f"the scorer says: {json.dumps({key: found[key] for key in found if 'entropy' in key or 'class_size' in key or 'untruth' in key})}"
    )
