"""Effort is counted work: what a table of this size is worth, and never more than the limit."""

from dataclasses import replace

import numpy as np
import pytest

from shoal.search.effort import DEFAULT_SECONDS, seconds_of
from tests.tables import random_problem

pytestmark = pytest.mark.usual_effort

PROBLEM = random_problem(np.random.default_rng(1), 3000, 3, 5, values=9)


def test_a_limit_can_only_shorten_a_run():
    usual = seconds_of(PROBLEM)
    assert seconds_of(replace(PROBLEM, time_limit=1e6)) == usual
    assert seconds_of(replace(PROBLEM, time_limit=0.5)) == 0.5


@pytest.mark.parametrize("limit", [0.0, -1.0])
def test_no_time_at_all_is_next_to_none_and_can_be_shared_out(limit):
    assert 0.0 < seconds_of(replace(PROBLEM, time_limit=limit)) <= 1e-6


def test_effort_multiplies_it():
    assert seconds_of(replace(PROBLEM, effort=3.0)) == pytest.approx(3 * seconds_of(PROBLEM))


def test_a_longer_table_never_gets_less_and_a_table_like_adult_gets_the_usual():
    found = [
        seconds_of(replace(PROBLEM, tuple_of_unit=np.zeros(n, dtype=np.int32)))
        for n in (10, 300, 3000, 30_000, 300_000, 3_000_000)
    ]
    assert found == sorted(found)
    assert found[3] == pytest.approx(DEFAULT_SECONDS)
