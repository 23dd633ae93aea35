"""LM: one value more, of two that could be more."""

from fractions import Fraction

from tests.judge.measures.labels import cost, floor_of


def test_what_a_cell_costs_by_hand() -> None:
    assert cost("lm", [1, 1, 1], "a") == 0.5


def test_what_the_checker_counts_by_hand() -> None:
    assert floor_of("lm", [1, 1], 1) == Fraction(1, 2)
