"""The verifier finds what a value gains."""

from __future__ import annotations

import pytest

from tests.judge.criteria.groups import judged, reached


def test_a_rare_value_gains_most() -> None:
    """Of eight rows one is rare: in a group of two its share is 1/2 instead of 1/8, a gain of 3."""
    groups = [["rare", "common"], ["common"] * 6]
    assert reached("basic-beta-likeness", {"beta": 3}, groups) == pytest.approx([3, 1 / 7])
    assert judged("basic-beta-likeness", {"beta": 3}, groups).is_broken.tolist() == [False, False]
    assert judged("basic-beta-likeness", {"beta": 2.9}, groups).is_broken.tolist() == [True, False]


def test_a_missing_cell_is_a_value() -> None:
    assert reached("basic-beta-likeness", {"beta": 1}, [[None, "a"], ["a", "a"]]) == pytest.approx([1, 1 / 3])
