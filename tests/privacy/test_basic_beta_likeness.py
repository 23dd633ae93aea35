"""Basic β-likeness from its definition: (q − p) / p ≤ β."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given

from tests.privacy.counting import TABLES, groups_of, is_met, reached

NAME = "basic-beta-likeness"


@given(rows=TABLES)
def test_it_reaches_the_greatest_gain(rows):
    groups = groups_of(rows)
    table = [v for g in groups for v in g]
    slow = []
    for g in groups:
        gains = [Fraction(g.count(v), len(g)) / Fraction(table.count(v), len(table)) - 1 for v in set(g)]
        slow.append(float(max(gains)))
    assert reached(NAME, {"beta": 1.0}, groups) == pytest.approx(slow)


def test_a_value_twice_as_frequent_gains_one():
    assert is_met(NAME, {"beta": 1.0}, [[0, 0, 1, 1], [1, 1, 1, 1]]) == [True, True]
    assert is_met(NAME, {"beta": 0.9}, [[0, 0, 1, 1], [1, 1, 1, 1]]) == [False, True]
