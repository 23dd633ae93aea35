"""(α, k)-anonymity from its definition: no value has more than the share α of a group."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given

from tests.privacy.counting import TABLES, groups_of, is_met, reached

NAME = "alpha-k-anonymity"


@given(rows=TABLES)
def test_it_reaches_the_share_of_the_commonest_value(rows):
    groups = groups_of(rows)
    assert reached(NAME, {"alpha": 0.5}, groups) == pytest.approx([max(Counter(g).values()) / len(g) for g in groups])


def test_the_limit_itself_is_allowed():
    assert is_met(NAME, {"alpha": 0.5}, [[0, 0, 1, 2], [0, 0, 0, 1]]) == [True, False]


def test_a_missing_cell_counts_as_the_commonest_value():
    assert reached(NAME, {"alpha": 0.5}, [[0, 0, 1, 9]], missing=9) == [0.75]
