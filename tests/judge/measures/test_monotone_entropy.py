"""Monotone entropy: a bit, times the half of the rows that show it."""

import pytest

from tests.judge.measures.labels import cost, floor_of


def test_what_a_cell_costs_by_hand() -> None:
    assert cost("monotone-entropy", [2, 2, 4], "a") == pytest.approx(0.5)


def test_what_the_checker_counts_by_hand() -> None:
    assert float(floor_of("monotone-entropy", [2, 2], 4)) == pytest.approx(0.5)
