"""δ-disclosure privacy from its definition: |log2(q / p)| < δ for every value of the table."""

from __future__ import annotations

from math import inf, log2

import pytest
from hypothesis import given

from tests.privacy.counting import TABLES, groups_of, is_met, reached

NAME = "delta-disclosure-privacy"


@given(rows=TABLES)
def test_it_reaches_the_farthest_share(rows):
    groups = groups_of(rows)
    table = [v for g in groups for v in g]
    slow = [
        max(abs(log2(g.count(v) / len(g) * len(table) / table.count(v))) if v in g else inf for v in set(table))
        for g in groups
    ]
    assert reached(NAME, {"delta": 1.0}, groups) == pytest.approx(slow)


def test_the_limit_itself_is_not_allowed():
    groups = [[0, 0, 1, 1, 1, 1, 1, 1], [0, 0, 0, 0, 0, 0, 1, 1]]
    assert reached(NAME, {"delta": 1.0}, groups) == pytest.approx([1.0, 1.0])
    assert is_met(NAME, {"delta": 1.0}, groups) == [False, False]
    assert is_met(NAME, {"delta": 1.01}, groups) == [True, True]


def test_a_group_without_one_of_the_values_breaks_it():
    assert is_met(NAME, {"delta": 99.0}, [[0, 1], [0, 0]]) == [True, False]
