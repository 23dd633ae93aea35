"""The verifier finds what a value gains, and what it may gain."""

from __future__ import annotations

import math

import pytest

from tests.judge.criteria.groups import judged, reached


def test_a_frequent_value_may_gain_little() -> None:
    """A share of 3/4 gains at most −ln ¾ = .288, and in a group of its own it gains .333."""
    groups = [["a", "a"], ["a", "b"], ["a", "a", "a", "b"]]
    assert reached("enhanced-beta-likeness", {"beta": 9}, [["a", "a", "a"], ["b"]])[0] == math.inf
    assert judged("enhanced-beta-likeness", {"beta": 9}, groups).is_broken.tolist() == [True, False, False]


def test_below_that_it_is_the_basic_one() -> None:
    groups = [["rare", "common"], ["common"] * 6]
    assert reached("enhanced-beta-likeness", {"beta": 3}, groups)[0] == math.inf, "3 is above −ln ⅛ = 2.08"
    assert reached("enhanced-beta-likeness", {"beta": 3}, [["a", "b"], ["a", "b", "c", "c"]]) == pytest.approx([0.5, 0.5])
