"""Whether one column follows from another: what is found, and what is not called found."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.judge.hints.agreement import FEW, follows, gap, gives, ground, is_copied, is_told, narrows
from tests.judge.hints.drawn import drawn, ground_of, hidden

N = 600


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(3)


def tens(ages: np.ndarray) -> list[str]:
    return [f"[{a // 10 * 10}, {a // 10 * 10 + 10})" for a in ages.tolist()]


def test_a_function_of_the_hidden_value_gives_it_back_also_with_exceptions(rng):
    age = rng.integers(20, 60, N)
    at = ground_of(age, tens(age))
    code = rng.permutation(100)[age]
    assert gives(drawn(code), at)
    code[rng.choice(N, N // 40, replace=False)] = 0
    assert gives(drawn(code), at)
    assert not gives(drawn(rng.permutation(code)), at)


def test_the_place_within_a_label_gives_the_value_back(rng):
    age = rng.integers(20, 60, N)
    assert gives(drawn(age % 10), ground_of(age, tens(age)))


def test_what_the_label_says_already_is_not_told_by_the_column(rng):
    age = rng.integers(20, 60, N)
    at = ground_of(age, tens(age))
    assert not gives(drawn(age // 10), at)
    assert not follows(drawn(age // 10), at)
    assert follows(drawn(age // 5), at)


def test_amounts_that_nobody_shares_give_nothing_back(rng):
    at = ground_of(rng.integers(20, 60, N))
    assert not gives(drawn(rng.random(N)), at)


def test_twins_of_a_few_people_prove_nothing(rng):
    """In a table with some people in it twice, their codes agree and so do their ages."""
    age, code = rng.integers(20, 60, N), rng.permutation(N)
    age[:30], code[:30] = age[30:60], code[30:60]
    assert not gives(drawn(code, repeats=0.1 - 1e-9), ground_of(age))


def test_an_order_narrows_a_number_and_a_correlation_does_not(rng):
    pay = rng.lognormal(10, 1, N)
    at = ground_of(np.round(pay, 2))
    left = narrows(drawn(np.argsort(np.argsort(pay))), at)
    assert left is not None
    assert left < 0.05
    weight = pay + rng.normal(0, 0.6 * pay.std(), N)
    assert narrows(drawn(np.round(weight, 3)), at) is None
    assert narrows(drawn(np.arange(N)), ground_of(rng.integers(1, 3, N))) is None


def test_a_flag_of_a_hidden_number_is_a_part_of_it(rng):
    pay = np.round(rng.lognormal(10, 1, N), 2)
    assert follows(drawn(pay > np.median(pay)), ground_of(pay))
    assert not follows(drawn(rng.random(N) > 0.5), ground_of(pay))


def test_a_few_hidden_rows_are_judged_by_all(rng):
    age = rng.integers(20, 60, N)
    shown = ["*" if i < FEW // 10 else str(a) for i, a in enumerate(age.tolist())]
    at = ground_of(age, shown)
    assert at.rows.all()
    assert gives(drawn(2026 - age), at)


def test_there_is_no_ground_where_nothing_is_hidden():
    assert ground(hidden(["1", "2"], ["1", "2"])) is None


def test_what_is_told_and_copied_is_more_than_chance():
    assert is_told(100, 0.95, 0.3)
    assert not is_told(100, 0.95, 0.9)
    assert not is_told(9, 1.0, 0.1)
    assert is_copied(100, 0.5, 0.05)
    assert not is_copied(100, 0.7, 0.5)
    assert is_copied(100, 0.98, 0.5)


def test_the_largest_differences_are_left_out():
    number = np.array([0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 1e9])
    assert gap(number, np.arange(10), np.arange(1, 11)) == 1.0
