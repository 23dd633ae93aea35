"""Rounds of the search: how they cool, when they stand still, and what they may do."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from shoal.algorithms.auto import begin, first_prices, near_of
from shoal.problem import Watch
from shoal.search import loosen
from shoal.search.effort import CELLS_PER_SECOND
from shoal.search.rounds import STILL_ROUNDS, Rounds, cooler, is_still, spending_of
from tests.tables import random_problem


def test_so_many_rounds_cool_from_warm_to_cold() -> None:
    warm, cold, rounds = 8.0, 0.125, 12
    for left in range(rounds, 0, -1):
        warm = cooler(warm, cold, left)
    assert warm == pytest.approx(cold)
    assert cooler(0.0, cold, 3) == 0.0


def test_a_search_stands_still_when_its_last_rounds_cost_the_same_and_no_less_was_met() -> None:
    same = [7.0] * STILL_ROUNDS
    assert not is_still(same, rounds=24)
    assert is_still([9.0, *same], rounds=24)
    assert not is_still([6.0, *same], rounds=24), "it was better before"
    assert not is_still([9.0, *same[1:], 6.9], rounds=24), "it still moves"
    assert not is_still([9.0, *same], rounds=800), "a long search has more rounds to wait for"


def test_rounds_spend_what_was_asked_for_and_never_lose_what_was_found() -> None:
    made = random_problem(np.random.default_rng(5), 200, 3, 4, values=6, deep=True)
    run = begin(loosen(replace(made, effort=0.2)), Watch())
    first, prices, near = run.loss, first_prices(run), near_of(run)
    assert near is not None
    rounds = Rounds(run, prices, near, spending_of(run.problem))
    for number in range(rounds.most):
        assert rounds.raise_prices(number)
        rounds.loosen()
        before = run.loss
        is_last = rounds.play(number)
        assert run.loss <= before <= first
        if is_last:
            break
    assert rounds.annealing.work <= 2 * rounds.spending.seconds * CELLS_PER_SECOND
    sizes = np.bincount(run.group[run.group >= 0], weights=run.problem.rows_of_unit[run.group >= 0])
    assert sizes[sizes > 0].min() >= run.problem.k
