"""Counted work: when the way by groups has had its part, and that the optimum is among the boxes that it leaves."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from shoal.algorithms.exact import EXACT, by_boxes, by_subsets, first_release
from shoal.facility import Facility
from shoal.kernels.closed_boxes import closed_boxes
from shoal.partition.closing import Closing, cost_of
from shoal.partition.work import SEARCHED_PER_SECOND, Work
from shoal.problem import Watch
from tests.tables import random_problem


def test_it_asks_to_stop_when_its_seconds_are_counted_or_the_watch_does() -> None:
    work = Work(2.0, Watch())
    work.searched(SEARCHED_PER_SECOND)
    assert not work.wants_stop()
    work.searched(SEARCHED_PER_SECOND)
    assert work.wants_stop()
    assert not Work(None, Watch()).wants_stop()


@pytest.mark.parametrize("seconds", [0.002, 0.05, 5.0])
@pytest.mark.parametrize("measure", ["stars", "entropy", "lm"])
def test_wherever_the_groups_end_the_optimum_is_in_the_boxes_that_they_leave(measure: str, seconds: float) -> None:
    rng = np.random.default_rng(2)
    for k in (2, 3):
        problem = random_problem(rng, 13, 3, k, values=5, measure=measure, deep=True)
        boxes = closed_boxes(problem.packed, problem.codes, problem.weight, k, np.inf, 100_000, 1_000_000)
        assert boxes is not None
        closing = Closing(problem, boxes, first_release(problem), 0.0, Work(seconds, Watch()))
        closing.run(np.zeros(problem.n_tuples))
        optimum = by_subsets(problem)
        least = cost_of(problem, optimum.group)
        assert closing.best.bound <= least + 1e-6
        left = Facility(problem, boxes).only(closing.boxes_within(least + 1e-6))
        assert left.integer(0.0, Watch()).cost == pytest.approx(least)


@pytest.mark.parametrize("limit", [0.001, 0.3, 100.0])
def test_both_ways_together_find_the_optimum_whatever_part_the_groups_had(limit: float) -> None:
    """The watch does not ask to stop here: the limit only says how much work the groups get."""
    rng = np.random.default_rng(4)
    for measure in ("stars", "root-share"):
        problem = random_problem(rng, 14, 4, 3, values=4, measure=measure, deep=True)
        found = by_boxes(replace(problem, time_limit=limit), Watch())
        assert found.note == "Proved optimal."
        assert found.loss == pytest.approx(by_subsets(problem).loss)
        larger = random_problem(rng, 45, 3, 3, values=5, measure=measure, deep=True)
        assert EXACT.solve(replace(larger, time_limit=limit), Watch()).loss == pytest.approx(
            EXACT.solve(larger, Watch()).loss
        )
