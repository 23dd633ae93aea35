"""Categories that have an order."""

from __future__ import annotations

import pytest

from shoal.columns.ordered import order_of


@pytest.mark.parametrize(
    "order",
    [
        ["<18", "18-24", "25-34", "35-64", "65+"],
        ["under 18", "18 to 24", "25 to 64", "65 or older"],
        ["$0-$999", "$1,000-$1,999", "$2,000+"],
        ["0-10k", "10k-20k", "20k-50k", "more than 50k"],
        ["low", "medium", "high"],
        ["Never", "Rarely", "Sometimes", "Often", "Always"],
        ["strongly disagree", "disagree", "neutral", "agree", "strongly agree"],
        ["1st", "2nd", "3rd"],
        ["lessHS", "HS", "somePS", "college", "higher"],
        ["1_98-98.9F", "2_99-99.9F", "3_100-100.9F", "4_100F+"],
        ["Jan", "Feb", "Mar", "Dec"],
    ],
)
def test_an_order_is_found(order: list[str]) -> None:
    found = order_of(sorted(order))
    assert found is not None
    assert found[0] == order


def test_answers_outside_the_scale_are_left_out() -> None:
    found = order_of(["0", "1-2", "3-5", "6-9", "did not drive"])
    assert found is not None
    assert found[0] == ["0", "1-2", "3-5", "6-9"]


@pytest.mark.parametrize(
    "values",
    [["red", "green", "blue"], ["low", "high"], ["1-2", "blue", "3"], ["north", "south", "east"], ["1", "2", "3"]],
)
def test_words_without_an_order_get_none(values: list[str]) -> None:
    assert order_of(values) is None


def test_numbered_names_of_kinds_have_no_order() -> None:
    assert order_of(["1. White", "2. Black", "3. Asian"], is_nominal=True) is None
