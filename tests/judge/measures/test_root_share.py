"""Root share: suppressing a column of which all values occur alike costs 1 a cell."""

import pytest

from tests.judge.measures.labels import cost, floor_of


def test_what_a_cell_costs_by_hand() -> None:
    assert cost("root-share", [5, 5, 5], "*", own=1) == pytest.approx(1.0)


def test_what_the_checker_counts_by_hand() -> None:
    assert float(floor_of("root-share", [5, 5, 5])) == pytest.approx(1 / (1 - 3**-0.5))
