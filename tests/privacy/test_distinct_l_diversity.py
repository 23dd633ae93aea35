"""Distinct l-diversity: different values are counted, and what is missing is none of them."""

from __future__ import annotations

from hypothesis import given

from tests.privacy.counting import TABLES, groups_of, is_met, reached

NAME = "distinct-l-diversity"


@given(rows=TABLES)
def test_it_reaches_the_number_of_different_values(rows):
    groups = groups_of(rows)
    assert reached(NAME, {"l": 2}, groups) == [len(set(g)) for g in groups]


def test_missing_adds_no_diversity():
    """Hiv, hiv and a missing cell are not 2-diverse."""
    assert is_met(NAME, {"l": 2}, [[0, 0, 9], [0, 1, 9]], missing=9) == [False, True]
