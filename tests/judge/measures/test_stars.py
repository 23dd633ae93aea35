"""Stars: a label of two values is one, a label of one is none."""

from fractions import Fraction

from tests.judge.measures.labels import cost, floor_of


def test_what_a_cell_costs_by_hand() -> None:
    assert (cost("stars", [1, 1, 1], "a"), cost("stars", [1, 1, 1], "b")) == (1.0, 0.0)


def test_what_the_checker_counts_by_hand() -> None:
    assert floor_of("stars", [1, 1], 1) == Fraction(1)
