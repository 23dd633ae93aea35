"""The verifier computes the entropy of a group."""

from __future__ import annotations

import pytest

from tests.judge.criteria.groups import judged, reached


def test_equally_likely_values_reach_their_number() -> None:
    assert reached("entropy-l-diversity", {"l": 2}, [["a", "b"], ["a", "b", "c"], ["a", "a"]]) == pytest.approx([2, 3, 1])
    assert not judged("entropy-l-diversity", {"l": 3}, [["a", "b", "c"]]).is_broken.any()


def test_three_to_one_is_less_than_two() -> None:
    """H = .75 log2(4/3) + .25 log2(4) = .8113 bits."""
    assert reached("entropy-l-diversity", {"l": 2}, [["a", "a", "a", "b"]]) == pytest.approx([2**0.8112781])


def test_a_missing_cell_may_be_the_commonest_value() -> None:
    assert reached("entropy-l-diversity", {"l": 2}, [["a", "a", "b", None]]) == reached(
        "entropy-l-diversity", {"l": 2}, [["a", "a", "b", "a"]]
    )
