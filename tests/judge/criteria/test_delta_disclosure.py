"""The verifier compares shares both ways."""

from __future__ import annotations

import math

from tests.judge.criteria.groups import judged, reached


def test_the_limit_itself_is_too_far() -> None:
    """A share of ½ instead of ¼ is a factor of 2: |log2| = 1, to be below δ."""
    groups = [["a", "a", "b", "c"], ["b", "a", "c", "c"], ["d", "d", "a", "b", "c", "d", "d", "a"]]
    assert reached("delta-disclosure-privacy", {"delta": 1}, [["a", "b"], ["a", "b", "b", "b", "b", "b"]])[0] == 1.0
    assert judged("delta-disclosure-privacy", {"delta": 1}, [["a", "b"], ["a", "b", "b", "b", "b", "b"]]).is_broken[0]
    assert judged("delta-disclosure-privacy", {"delta": 9}, groups).is_broken.tolist() == [True, True, False], "d is lacking"


def test_a_lacking_value_breaks_it_and_a_missing_cell_is_one() -> None:
    assert reached("delta-disclosure-privacy", {"delta": 1}, [["a", "b"], ["a", "b", None]]) == [math.inf, math.log2(5 / 3)]
