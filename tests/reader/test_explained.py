"""What a manifest and the hierarchies of the caller say of a column."""

from __future__ import annotations

import pytest

import shoal
from shoal.reader.explained import explained
from shoal.release.manifest import DEFAULT, GIVEN

WORDS = ["cold", "mild", "warm"]


def test_nobody_said_anything() -> None:
    found = explained("x", {}, None)
    assert (found.rows, found.is_ours, found.order) == (None, False, None)


@pytest.mark.parametrize("text", [GIVEN, "from jobs.csv"])
def test_a_list_that_was_not_published_is_missing_until_somebody_gives_it(text: str) -> None:
    facts = {"hierarchies": {"x": text}}
    assert explained("x", facts, None).is_list_missing
    assert not explained("x", facts, {"x": [["a", "*"], ["b", "*"]]}).is_list_missing


def test_an_order_of_the_policy_is_the_hierarchy_and_one_that_was_found_is_not_all_of_it() -> None:
    policy = {"hierarchies": {"x": shoal.neighbours(WORDS).description}, "orders": {"x": WORDS}}
    assert explained("x", policy, None).rows == shoal.neighbours(WORDS).rows([])
    default = explained("x", {"hierarchies": {"x": DEFAULT}, "orders": {"x": WORDS}}, None)
    assert (default.rows, default.order, default.is_ours) == (None, tuple(WORDS), True)


def test_an_older_manifest_tells_no_order() -> None:
    found = explained("x", {"hierarchies": {"x": DEFAULT}}, None)
    assert found.is_ours
    assert found.order is None


def test_stars_alone_leave_every_other_text_a_value() -> None:
    assert explained("x", {"hierarchies": {"x": "suppression"}, "orders": {}}, None).is_plain
    assert explained("x", {}, {"x": shoal.suppression()}).is_plain


def test_an_order_of_one_word_or_with_a_word_twice_is_no_list_of_neighbours() -> None:
    for order in (["cold"], ["cold", "cold"]):
        found = explained("x", {"hierarchies": {"x": "text"}, "orders": {"x": order}}, None)
        assert found.rows is None
        assert found.order == tuple(order)
