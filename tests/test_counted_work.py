"""A limit of time is a count of work: the clock is read by nobody who searches, and only ever ends a run that is late."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import shoal
from shoal import algorithms, registry
from shoal.problem import Problem, Watch
from tests.tables import random_problem

SRC = Path(shoal.__file__).parent
SEARCHING = ("algorithms", "bounds", "search", "matching", "partition", "kernels", "measures", "clustering")
LIMITED = {
    "two-factor": 3,
    "one-two-factor": 2,
    "set-cover": 4,
    "full-domain": 4,
    "attribute-suppression": 2,
    "auto": 4,
    "meyerson-williams": 4,
}


def test_nobody_who_searches_reads_a_clock() -> None:
    """Six algorithms did."""
    files = [path for room in SEARCHING for path in (SRC / room).rglob("*.py")]
    files += [SRC / name for name in ("facility.py", "budget.py", "demands.py", "problem.py", "encode.py")]
    clocks = {"monotonic", "perf_counter", "time_ns", "process_time", "now", "today"}
    reading = {
        path.name
        for path in files
        if clocks & {node.attr for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Attribute)}
    }
    assert not reading


def table(k: int, seed: int = 3, n: int = 400) -> Problem:
    return random_problem(np.random.default_rng(seed), n, 4, k, values=9, measure="entropy", deep=True)


@pytest.mark.parametrize("name", LIMITED)
@pytest.mark.parametrize("seconds", [0.001, 0.02, 0.15])
def test_the_same_limit_gives_the_same_groups(name: str, seconds: float) -> None:
    """'two-factor --time-limit 0.4' gave two different releases in four runs."""
    problem = replace(table(LIMITED[name]), time_limit=seconds)
    algorithm = registry.find(algorithms.CATALOG, name)
    assert algorithm.counts_work
    found = {algorithm.solve(problem, Watch()).group.tobytes() for _ in range(3)}
    assert len(found) == 1
