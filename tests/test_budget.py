"""Effort is counted work: portions, never longer than asked."""

from __future__ import annotations

import threading
from dataclasses import replace

import numpy as np
import pytest

from shoal import algorithms, registry
from shoal.algorithms.auto import AUTO
from shoal.budget import Budget, stoppable
from shoal.problem import Problem, Watch
from shoal.search.effort import seconds_of
from tests.tables import random_problem

pytestmark = pytest.mark.usual_effort


def table(k: int, seed: int = 3, n: int = 400) -> Problem:
    return random_problem(np.random.default_rng(seed), n, 4, k, values=9, measure="entropy", deep=True)


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
    """A limit of 20 seconds made a run of 8 take 20."""
    problem = table(4, n=60)
    assert seconds_of(replace(problem, time_limit=1e6)) == seconds_of(problem)
    assert seconds_of(replace(problem, time_limit=0.01)) == 0.01
    free, limited = AUTO.solve(problem, Watch()), AUTO.solve(replace(problem, time_limit=1e6), Watch())
    assert (free.group == limited.group).all()


class Impatient(Watch):
    """Asks to stop after so many questions."""

    def __init__(self, patience: int) -> None:
        self.patience = patience

    def wants_stop(self) -> bool:
        self.patience -= 1
        return self.patience < 0


def test_while_a_kernel_runs_the_watch_is_asked_by_a_thread_of_its_own() -> None:
    with stoppable(Impatient(2)) as flag:
        assert flag is not None
        asking = [thread for thread in threading.enumerate() if thread.name.endswith("(look)")]
        assert len(asking) == 1
        asking[0].join(30.0)
        assert flag.is_set
    with stoppable(Impatient(10**9)) as flag:
        assert flag is not None
    assert not flag.is_set
    assert not [thread for thread in threading.enumerate() if thread.name.endswith("(look)")]


def test_a_watch_that_never_asks_needs_no_thread() -> None:
    with stoppable(Watch()) as flag:
        assert flag is None
