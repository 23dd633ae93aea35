"""Non-uniform entropy: the own value has a quarter of the label's rows, which is two bits."""

import pytest

from tests.judge.measures.labels import cost, floor_of


def test_what_a_cell_costs_by_hand() -> None:
    assert cost("non-uniform-entropy", [1, 3, 4], "a", own=0) == pytest.approx(2.0)


def test_what_the_checker_counts_by_hand() -> None:
    assert float(floor_of("non-uniform-entropy", [1, 3], 4)) == pytest.approx(2.0)
