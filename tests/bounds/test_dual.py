"""Raising prices: always feasible, repeatable, and close to what the linear program allows."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.bounds import box, dual
from shoal.bounds.linear import LINEAR
from shoal.kernels.boxes import Boxes
from shoal.problem import Watch
from tests.naive.boxes import is_feasible
from tests.naive.program import best_prices
from tests.tables import random_problem


@pytest.mark.parametrize("measure", ["tree", "entropy", "non-uniform-entropy"])
def test_feasible_after_every_turn_and_never_falling(measure: str) -> None:
    problem = random_problem(np.random.default_rng(1), 80, 3, 4, values=6, measure=measure, deep=True)
    rising = dual.RisingPrices(problem)
    before = rising.result().bound.value
    for _ in range(6):
        rising.turn()
        found = rising.result()
        assert is_feasible(problem, found.prices.tolist())
        assert found.bound.value >= before
        before = found.bound.value


def test_where_boxes_are_many_only_the_tightest_are_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dual, "MANY", 40)
    problem = random_problem(np.random.default_rng(2), 80, 3, 4, values=6, measure="tree", deep=True)
    rising = dual.RisingPrices(problem)
    first = rising.result().bound.value
    for _ in range(8):
        rising.turn()
        assert is_feasible(problem, rising.prices.tolist())
        assert len(rising.raised) <= len(rising.boxes)
    assert rising.least > dual.LEAST
    assert rising.result().bound.value > first


def test_the_tightest_of_some_boxes() -> None:
    nodes = np.arange(3, dtype=np.int32)[:, None]
    boxes = Boxes(
        nodes, np.ones(3), np.array([0.9, 1.0, 0.97]), np.array([0, 2, 3, 5]), np.array([4, 5, 6, 7, 8], dtype=np.int32)
    )
    kept = boxes.tightest(0.95)
    assert kept.nodes.tolist() == [[1], [2]]
    assert kept.start.tolist() == [0, 1, 3]
    assert kept.tuples.tolist() == [6, 7, 8]


@pytest.mark.parametrize("measure", ["stars", "tree", "entropy"])
def test_close_to_the_linear_program(measure: str) -> None:
    """The obvious program, with a variable for each tuple in each box, solved by scipy."""
    for seed in range(6):
        problem = random_problem(np.random.default_rng(seed), 40, 3, 3, values=5, measure=measure, deep=True)
        best = best_prices(problem)
        assert dual.DUAL.compute(problem, Watch()).value >= 0.97 * best
        assert dual.DUAL.compute(problem, Watch()).value <= best + 1e-9
        assert 0.998 * best <= LINEAR.compute(problem, Watch()).value <= best + 1e-9


def test_any_beginning_is_repaired() -> None:
    rng = np.random.default_rng(3)
    problem = random_problem(rng, 60, 3, 3, values=5, measure="tree", deep=True)
    rising = dual.RisingPrices(problem, start=rng.random(problem.n_tuples) * 10)
    assert is_feasible(problem, rising.result().prices.tolist())


def test_the_same_twice() -> None:
    problem = random_problem(np.random.default_rng(4), 500, 4, 4, values=8, measure="entropy", deep=True)
    one, two = (dual.prices(problem, 4, Watch()) for _ in range(2))
    assert (one.prices == two.prices).all()
    assert (one.boxes.nodes == two.boxes.nodes).all()
    assert one.work == two.work


def test_too_many_boxes_leave_the_weaker_bound_and_say_so() -> None:
    problem = random_problem(np.random.default_rng(5), 300, 6, 3, values=6, measure="tree", deep=True)
    found, remark = box.prices(problem, most_work=2000)
    assert "too many" in remark
    assert is_feasible(problem, found.tolist())
    rising = dual.RisingPrices(problem, most_work=10)
    assert rising.is_stuck
    assert "too many" in rising.result().bound.note
    assert rising.result().bound.name == "box"
    assert is_feasible(problem, rising.result().prices.tolist())


class Stopped(Watch):
    """Asks to stop from the n-th question on."""

    def __init__(self, patience: int) -> None:
        self.patience = patience

    def wants_stop(self) -> bool:
        self.patience -= 1
        return self.patience < 0


@pytest.mark.parametrize("patience", [0, 1, 15, 60])
def test_stopped_in_the_middle_of_a_turn_the_best_prices_stay(patience: int) -> None:
    """A turn on a million rows takes seconds: a stop was heard only after it."""
    problem = random_problem(np.random.default_rng(6), 200, 4, 4, values=6, measure="entropy", deep=True)
    rising = dual.RisingPrices(problem, watch=Stopped(patience))
    first = rising.result().bound.value
    for _ in range(3):
        rising.turn()
        assert is_feasible(problem, rising.prices.tolist())
    assert rising.result().bound.value >= first
    assert rising.turns == max(patience // dual.ROUNDS, 0)


def test_stopped_before_anything_is_known_there_is_no_bound_but_0(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*rows: object, **options: object) -> None:
        raise InterruptedError

    monkeypatch.setattr("shoal.kernels.cheapest_boxes", interrupted)
    problem = random_problem(np.random.default_rng(6), 60, 3, 4, values=6, measure="tree", deep=True)
    rising = dual.RisingPrices(problem, watch=Stopped(0))
    assert rising.is_stuck
    assert rising.result().bound.value == 0
    assert "stopped before" in rising.result().bound.note
