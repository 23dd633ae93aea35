"""Recursive (c, l)-diversity: the commonest value is not too common."""

from __future__ import annotations

import pytest
from hypothesis import given

from tests.naive import criteria as naive
from tests.privacy.counting import TABLES, groups_of, is_met, reached

NAME = "recursive-l-diversity"


@given(rows=TABLES)
def test_it_reaches_the_commonest_over_the_rare_ones(rows):
    groups = groups_of(rows)
    assert reached(NAME, {"c": 2.0, "l": 2}, groups) == pytest.approx([naive.recursive(g, [], 2) for g in groups])


def test_the_limit_itself_is_not_allowed():
    assert is_met(NAME, {"c": 2.0, "l": 2}, [[0, 0, 1], [0, 0, 1, 2]]) == [False, True]


def test_a_missing_cell_counts_as_the_commonest_value():
    assert reached(NAME, {"c": 2.0, "l": 2}, [[0, 0, 1, 9]], missing=9) == [3.0]
