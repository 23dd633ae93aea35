"""Intervals and sets as text, there and back."""

from __future__ import annotations

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from shoal.text.labels import interval_label, number_text, read_interval, read_set, set_label

plain = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=8)


@given(st.sets(plain, min_size=2, max_size=5))
def test_a_set_reads_back(members: set[str]) -> None:
    assert read_set(set_label(members)) == sorted(members)


@given(st.sets(plain, min_size=2, max_size=4), st.sets(plain, min_size=2, max_size=4))
def test_two_sets_never_look_alike(a: set[str], b: set[str]) -> None:
    assert (set_label(a) == set_label(b)) == (a == b)


def test_members_that_would_be_misread_are_quoted() -> None:
    assert set_label(["a, b", "c"]) == '{"a, b", c}'
    assert set_label(["", "x"]) == '{"", x}'
    assert read_set('{a, "b}') is None
    assert read_set("{}") is None


def test_an_interval_reads_back() -> None:
    assert read_interval(interval_label("-5", "0.5")) == ("-5", "0.5", False)
    assert read_interval(interval_label("2024-01-01", "2024-02-01", closed=True)) == ("2024-01-01", "2024-02-01", True)
    assert read_interval("20-29") is None


@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**12), max_value=10**12, places=4))
def test_a_number_s_text_is_that_number(number: Decimal) -> None:
    text = number_text(number)
    assert Decimal(text) == number
    assert "E" not in text
    assert text == "0" or not text.lstrip("-").startswith("00")
