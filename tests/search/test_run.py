"""What a search has found so far: the best groups, the highest bound, and whether that is enough."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from shoal.problem import Bound, Moment, Watch, close
from shoal.search.constructions import top_down
from shoal.search.run import Run
from tests.tables import random_problem


def begun() -> Run:
    problem = random_problem(np.random.default_rng(2), 60, 2, 3, values=4, deep=True)
    group = top_down(problem)
    return Run(problem, Watch(), group, close(problem, group).loss)


def test_worse_groups_and_lower_bounds_are_not_kept() -> None:
    run = begun()
    best, loss = run.group, run.loss
    run.keep(np.zeros_like(best))
    assert run.group is best
    assert run.loss == loss
    first = Bound("first", 0.5 * loss)
    run.prove(first)
    run.prove(Bound("second", 0.25 * loss))
    assert run.bound is first


def test_it_is_over_when_the_bound_is_reached_or_near_enough_for_what_was_asked() -> None:
    run = begun()
    run.prove(Bound("near", run.loss / 1.1))
    assert not run.is_over()
    run.problem = replace(run.problem, stop_at_ratio=1.2)
    assert run.is_over()


def test_what_is_told_is_noted_down() -> None:
    run = begun()
    run.work = 3.0
    run.tell("search", 0.5)
    assert run.history == [Moment("search", 3.0, run.loss, None)]
