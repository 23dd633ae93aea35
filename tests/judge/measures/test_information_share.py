"""Information share: one of the column's one and a half bits."""

import pytest

from tests.judge.measures.labels import cost, floor_of


def test_what_a_cell_costs_by_hand() -> None:
    assert cost("information-share", [2, 2, 4], "a", own=0) == pytest.approx(1 / 1.5)


def test_what_the_checker_counts_by_hand() -> None:
    assert float(floor_of("information-share", [2, 2], 4)) == pytest.approx(2 / 1.5)
