"""NCP: two values of three."""

from fractions import Fraction

import pytest

from tests.judge.measures.labels import cost, floor_of


def test_what_a_cell_costs_by_hand() -> None:
    assert cost("ncp", [1, 1, 1], "a") == pytest.approx(2 / 3)


def test_what_the_checker_counts_by_hand() -> None:
    assert floor_of("ncp", [1, 1], 1) == Fraction(2, 3)
