"""Entropy l-diversity: as uncertain as l equally likely values."""

from __future__ import annotations

import pytest
from hypothesis import given

from tests.naive import criteria as naive
from tests.privacy.counting import TABLES, groups_of, is_met, reached

NAME = "entropy-l-diversity"


@given(rows=TABLES)
def test_it_reaches_two_to_the_entropy(rows):
    groups = groups_of(rows)
    assert reached(NAME, {"l": 2.0}, groups) == pytest.approx([naive.effective(g, []) for g in groups])


def test_four_equally_likely_values_are_four_diverse():
    assert is_met(NAME, {"l": 4.0}, [[0, 1, 2, 3]]) == [True]


def test_a_missing_cell_counts_as_the_commonest_value():
    """However the cells are filled, the group is at least as uncertain as is said."""
    assert reached(NAME, {"l": 2.0}, [[0, 0, 1, 9]], missing=9) == pytest.approx([naive.effective([0, 0, 1, 0], [])])
