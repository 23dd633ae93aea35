"""Numbers that are computed of hidden ones."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.judge.hints.sums import sums
from tests.judge.hints.drawn import drawn, ground_of

RNG = np.random.default_rng(0)
N = 200
A, B, C = (np.round(RNG.lognormal(5, 0.6, N), 2) for _ in range(3))


@pytest.mark.parametrize(
    ("cells", "told"),
    [(A + B, ["a", "b"]), (A - 2 * B, ["a", "b"]), (np.round(A * B, 4), ["a", "b"]), (np.round(A / B, 9), ["a", "b"]), (3 * A + C, ["a"])],
    ids=["sum", "difference", "product", "ratio", "with an open column"],
)
def test_a_number_computed_of_hidden_ones_is_found(cells, told):
    grounds = [ground_of(A, name="a"), ground_of(B, name="b")]
    assert sums([drawn(cells)], grounds, [drawn(C, "c")]) == {"x": told}
    changed = np.where(np.arange(N) % 40 == 0, 7.0, cells)
    assert sums([drawn(changed)], grounds, [drawn(C, "c")]) == {"x": told}


def test_two_columns_that_only_together_tell_are_both_found_and_a_third_is_not():
    share, noise = C, A - C
    pay = np.round(A + RNG.normal(0, 60, N), 2)
    found = sums([drawn(share, "one"), drawn(noise, "two"), drawn(pay, "pay")], [ground_of(A, name="a")], [])
    assert set(found) == {"one", "two"}


def test_a_correlation_is_no_sum():
    assert sums([drawn(np.round(A + RNG.normal(0, 30, N), 2))], [ground_of(A)], [drawn(C, "c")]) == {}
    assert sums([drawn(["p", "q"] * (N // 2))], [ground_of(A)], []) == {}
