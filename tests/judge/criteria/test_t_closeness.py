"""The verifier computes the earth mover's distance."""

from __future__ import annotations

import pytest

from tests.judge.criteria.groups import judged, reached

PAY = [str(x) for x in (3, 4, 5, 6, 7, 8, 9, 10, 11)]


def test_the_salaries_of_the_paper() -> None:
    """Section 4.2: of 3k to 11k, the group {3k, 4k, 5k} lies .375 from the whole and {6k, 8k, 11k} lies .167."""
    groups = [["3", "4", "5"], ["6", "8", "11"], ["7", "9", "10"]]
    assert reached("t-closeness", {"t": 0.2}, groups)[:2] == pytest.approx([0.375, 1 / 6])
    found = judged("t-closeness", {"t": 0.25}, groups)
    assert found.is_broken.tolist() == [True, False, False]
    assert found.required == {"t": 0.25, "ordered": 1.0}


def test_categories_are_equally_far_apart() -> None:
    found = judged("t-closeness", {"t": 0.5}, [["a", "a"], ["b", "b"]])
    assert (found.reached, found.required["ordered"]) == (0.5, 0.0)


def test_a_missing_category_is_one_of_its_own() -> None:
    assert reached("t-closeness", {"t": 0.5}, [["a", None], ["a", "a"]]) == [0.25, 0.25]


def test_a_missing_number_lies_one_range_beyond_the_greatest() -> None:
    """P = (½, ½ missing), Q = (½, ¼, ¼ missing) at 0, 1 and 2: a quarter goes from 1 to 2."""
    assert reached("t-closeness", {"t": 0.5}, [["1", None], ["1", "2"]]) == pytest.approx([0.25, 0.25])
    assert reached("t-closeness", {"t": 0.5}, [["1", None], ["1", "1"]]) == pytest.approx([0.25, 0.25])
    assert reached("t-closeness", {"t": 0.5}, [[None, None], ["1", "2"]]) == pytest.approx([0.75, 0.75])


def test_a_group_as_the_whole_reaches_nothing() -> None:
    assert reached("t-closeness", {"t": 0}, [PAY, PAY + PAY]) == [0.0, 0.0]
    assert not judged("t-closeness", {"t": 0}, [PAY, PAY]).is_broken.any()
