"""FOREST on Adult, and the neighbours of many rows against a scan of all pairs."""

from __future__ import annotations

import resource
import time

import numpy as np

from benchmarks import adult
from shoal import kernels
from shoal.algorithms.forest import FOREST, factor
from shoal.bounds.box import BOX
from shoal.problem import Watch

SAMPLE = 2_000
"""At a million rows a scan of all pairs is timed on so many queries, and scaled up."""


def main() -> None:
    if not adult.is_there():
        print("Adult is not beside the repository: nothing to measure.")
        return
    forest()
    neighbours()


def forest() -> None:
    print(f"{'measure':9}{'k':>4}{'per cell':>10}{'box bound':>11}{'ratio':>7}{'factor':>8}{'CPU s':>7}{'groups':>8}")
    for measure in ("entropy", "tree"):
        for k in (2, 5, 10, 50):
            problem = adult.problem(k, measure)
            start = time.process_time()
            solution = FOREST.solve(problem.by_rows(), Watch())
            took = time.process_time() - start
            bound, cells = BOX.compute(problem, Watch()).value, problem.n_rows * problem.n_columns
            ratio = solution.loss / bound
            assert ratio <= factor(k)
            print(
                f"{measure:9}{k:4}{solution.loss / cells:10.4f}{bound / cells:11.4f}{ratio:7.2f}{factor(k):8}{took:7.2f}{solution.n_groups:8}"
            )
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")


def neighbours() -> None:
    print("\n(k − 1)-th companions, k = 5, entropy: tree of boxes against a compiled scan of all pairs")
    for n_rows in (0, 100_000, 1_000_000):
        problem = adult.problem(5, "entropy", n_rows)
        rows = (problem.packed, problem.codes, problem.weight, problem.k - 1)
        start = time.process_time()
        by_tree = kernels.companion_distances(*rows, method="tree")
        tree = time.process_time() - start
        some = np.linspace(0, problem.n_tuples - 1, min(SAMPLE, problem.n_tuples)).astype(np.int32)
        queries = some if n_rows == 1_000_000 else np.arange(problem.n_tuples, dtype=np.int32)
        start = time.process_time()
        by_scan = kernels.companion_distances(*rows, queries=queries, method="scan")
        scan = (time.process_time() - start) * problem.n_tuples / len(queries)
        assert (by_tree[queries] == by_scan).all()
        note = "" if len(queries) == problem.n_tuples else f" (from {len(queries)} queries)"
        print(f"{problem.n_rows:9} rows, {problem.n_tuples:7} distinct: tree {tree:6.2f} s, scan {scan:8.2f} s{note}, {scan / tree:6.0f} ×")
