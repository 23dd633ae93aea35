"""t-closeness: the earth mover's distance from the whole table, for categories and for numbers."""

from __future__ import annotations

import pytest
from hypothesis import given

from tests.naive import criteria as naive
from tests.privacy.counting import TABLES, groups_of, reached

NAME = "t-closeness"


@pytest.mark.parametrize("ordered", [False, True])
@given(rows=TABLES)
def test_it_reaches_the_earth_movers_distance(ordered, rows):
    groups = groups_of(rows)
    table = [v for g in groups for v in g]
    slow = [naive.distance(g, table, ordered) for g in groups]
    assert reached(NAME, {"t": 0.3, "ordered": float(ordered)}, groups) == pytest.approx(slow)


def test_a_missing_number_lies_one_range_beyond_the_greatest():
    """A quarter of the table is missing.

    All of it is in one group, so a quarter of either group has to move by one range.
    """
    assert reached(NAME, {"t": 0.3, "ordered": 1.0}, [[0, 2], [0, 1]], missing=2) == pytest.approx([0.25, 0.25])


def test_the_order_of_numbers_does_not_change_because_a_cell_is_missing():
    """0, 1 and 2 are two steps apart; moving a third of the group by one step is a sixth of the range."""
    with_missing = reached(NAME, {"t": 0.3, "ordered": 1.0}, [[0, 0, 2, 3], [1, 0, 2, 3]], missing=3)
    assert with_missing == pytest.approx([0.0625, 0.0625])
