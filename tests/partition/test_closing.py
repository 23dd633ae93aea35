"""The optimum by groups, against all partitions of small tables and against the integer program over boxes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from shoal import measures, registry
from shoal.algorithms.exact import by_subsets, first_release
from shoal.bounds.rank import RANK
from shoal.kernels.closed_boxes import closed_boxes
from shoal.partition.best import Best, common_unit, is_proved
from shoal.partition.closing import Closing, applies, cost_of
from shoal.partition.work import Work
from shoal.problem import Problem, Watch
from tests.tables import random_problem

MEASURES = registry.names(measures.CATALOG)


def closed(problem: Problem, watch: Watch | None = None) -> tuple[Best, float]:
    """What the way by groups alone finds and proves, from poor prices on; and the unit."""
    boxes = closed_boxes(problem.packed, problem.codes, problem.weight, problem.k, np.inf, 100_000, 1_000_000)
    assert boxes is not None
    unit = common_unit(boxes.price, problem.n_rows) if not problem.has_offset else 0.0
    best = first_release(problem)
    Closing(problem, boxes, best, unit, Work(None, watch or Watch())).run(np.zeros(problem.n_tuples))
    return best, unit


@pytest.mark.parametrize("measure", MEASURES)
def test_it_finds_and_proves_what_all_partitions_say(measure: str) -> None:
    rng = np.random.default_rng(len(measure))
    proved = 0
    for k, values in ((2, 6), (3, 6), (3, 2), (4, 3)):  # of two values many rows are equal
        problem = random_problem(rng, 12, 3, k, values=values, measure=measure, deep=True)
        least = cost_of(problem, by_subsets(problem).group)
        best, unit = closed(problem)
        assert best.bound <= least + 1e-6
        assert best.cost >= least - 1e-6
        if is_proved(best, unit):  # pairs of equal rows are not branched on: then it may end before
            proved += 1
            assert best.cost == pytest.approx(least, abs=1e-6)
        assert cost_of(problem, best.group) == pytest.approx(best.cost, abs=1e-6)
        assert np.bincount(best.group).min() >= k
    assert proved >= 2


def test_the_bound_is_at_least_that_of_rank_cuts_and_below_the_release() -> None:
    class OnlyCuts(Watch):
        """Asks to stop when prices with cuts are done."""

        over = False

        def tell(
            self, stage: str, done: float | None = None, loss: float | None = None, bound: float | None = None
        ) -> None:
            self.over |= stage == "groups"

        def wants_stop(self) -> bool:
            return self.over

    problem = random_problem(np.random.default_rng(3), 60, 4, 4, values=5, measure="lm", deep=True)
    best, _ = closed(problem, OnlyCuts())
    assert RANK.compute(problem, Watch()).value * (1 - 1e-6) <= best.bound <= best.cost
    assert best.bound <= closed(problem)[0].cost


def test_the_same_table_gives_the_same_release_again() -> None:
    problem = random_problem(np.random.default_rng(5), 40, 4, 3, values=4, measure="entropy", deep=True)
    first, second = closed(problem)[0], closed(problem)[0]
    assert first.group.tolist() == second.group.tolist()
    assert (first.cost, first.bound) == (second.cost, second.bound)


def test_rows_left_out_and_large_groups_go_the_other_way() -> None:
    problem = random_problem(np.random.default_rng(5), 40, 4, 3)
    assert applies(problem)
    assert not applies(replace(problem, max_withheld=1))
    assert not applies(replace(problem, deletion=True))
    assert not applies(replace(problem, k=11))
