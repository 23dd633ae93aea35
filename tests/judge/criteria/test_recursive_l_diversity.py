"""The verifier compares the commonest value with the rare ones."""

from __future__ import annotations

import math

from tests.judge.criteria.groups import judged, reached


def test_counts_in_falling_order() -> None:
    group = ["a"] * 4 + ["b"] * 3 + ["c"] * 2
    assert reached("recursive-l-diversity", {"c": 2, "l": 2}, [group]) == [4 / 5]
    assert reached("recursive-l-diversity", {"c": 2, "l": 3}, [group]) == [2.0]
    assert reached("recursive-l-diversity", {"c": 2, "l": 4}, [group]) == [math.inf]


def test_the_limit_itself_is_not_enough() -> None:
    """r_1 < c (r_l + … + r_m), and not ≤."""
    assert judged("recursive-l-diversity", {"c": 2, "l": 2}, [["a", "a", "b"], ["a", "b"]]).is_broken.tolist() == [True, False]


def test_a_missing_cell_may_be_the_commonest_value() -> None:
    assert reached("recursive-l-diversity", {"c": 2, "l": 2}, [["a", "a", "b", None]]) == [3.0]
