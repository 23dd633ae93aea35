"""A limit of time is a count of work: the clock is read by nobody who searches, and only ever ends a run that is late."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import shoal
from shoal import algorithms, clock, registry
from shoal.algorithms.auto import AUTO
from shoal.budget import Budget
from shoal.clock import Deadline
from shoal.problem import Problem, Watch
from shoal.search.effort import seconds_of
from tests.tables import random_problem

SRC = Path(shoal.__file__).parent
SEARCHING = ("algorithms", "bounds", "search", "matching", "kernels", "measures", "clustering")
LIMITED = {"two-factor": 3, "one-two-factor": 2, "set-cover": 4, "full-domain": 4, "attribute-suppression": 2, "auto": 4}


def test_nobody_who_searches_reads_a_clock() -> None:
    """R14: six algorithms did."""
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
    """R14: 'two-factor --time-limit 0.4' gave two different releases in four runs."""
    problem = replace(table(LIMITED[name]), time_limit=seconds)
    algorithm = registry.find(algorithms.CATALOG, name)
    assert algorithm.counts_work
    found = {algorithm.solve(problem, Watch()).group.tobytes() for _ in range(3)}
    assert len(found) == 1


def test_a_limit_ends_a_factor_before_its_proof() -> None:
    problem = table(3, n=900)
    cut, whole = (registry.find(algorithms.CATALOG, "two-factor").solve(replace(problem, time_limit=t), Watch()) for t in (0.01, None))
    assert "time was over" in cut.note
    assert "proved optimal" in whole.note


def test_work_is_counted_by_portions() -> None:
    budget = Budget(1.0, Watch())
    asked = budget.portions(300, 1000.0)
    assert [asked() for _ in range(4)] == [False, False, False, True]
    assert Budget(0.0, Watch()).is_over()
    assert not Budget(None, Watch()).is_over()


def test_a_limit_never_lengthens_a_run() -> None:
    """U11: a limit of 20 seconds made a run of 8 take 20."""
    problem = table(4, n=60)
    assert seconds_of(replace(problem, time_limit=1e6)) == seconds_of(problem)
    assert seconds_of(replace(problem, time_limit=0.01)) == 0.01
    free, limited = AUTO.solve(problem, Watch()), AUTO.solve(replace(problem, time_limit=1e6), Watch())
    assert (free.group == limited.group).all()


def people(n: int = 80) -> pl.DataFrame:
    rng = np.random.default_rng(1)
    return pl.DataFrame({"age": rng.integers(17, 80, n), "job": rng.choice(["nurse", "cook", "clerk"], n)})


class Rushing:
    """A clock on which a minute passes whenever somebody looks."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 60.0
        return self.now


@pytest.mark.parametrize(
    "name", [n for n in registry.names(algorithms.CATALOG) if n not in ("restricted-matching", "meyerson-williams-diameter")]
)
def test_a_run_that_the_clock_ends_is_a_release_and_is_marked(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """R14: 'same bytes' is said only where it is so."""
    k = {"two-factor": 3, "one-two-factor": 2}.get(name, 4)
    asked = {"k": k, "quasi_identifiers": ["age", "job"], "algorithm": name}
    calm = shoal.anonymize(people(), **asked)
    assert calm.solution.is_repeatable
    monkeypatch.setattr(clock.time, "monotonic", Rushing())
    late = shoal.anonymize(people(), time_limit=5.0, **asked)
    assert late.verdict.smallest_group >= k
    assert late.record["is_repeatable"] is late.solution.is_repeatable
    if name in ("auto", "exact", "full-domain"):
        assert not late.solution.is_repeatable


def test_somebody_who_stops_a_run_marks_it() -> None:
    class Impatient(Watch):
        def wants_stop(self) -> bool:
            return True

    release = shoal.anonymize(people(), k=4, quasi_identifiers=["age", "job"], watch=Impatient())
    assert not release.solution.is_repeatable


def test_a_deadline_hears_and_stops() -> None:
    heard = []

    class Ear(Watch):
        def tell(self, stage: str, done: float | None = None, loss: float | None = None, bound: float | None = None) -> None:
            heard.append(stage)

    patient, late = Deadline(Ear(), None), Deadline(Ear(), -1.0)
    patient.tell("boxes")
    assert heard == ["boxes"]
    assert (patient.wants_stop(), patient.has_stopped) == (False, False)
    assert (late.wants_stop(), late.has_stopped) == (True, True)
