"""The verifier's reading of texts: which are one value, how values are ordered, who is who."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.judge.criteria.reading import read_people, read_values
from shoal.privacy.meaning import people_of, scale_of

TEXTS = st.lists(
    st.one_of(
        st.sampled_from(["1", "1.0", "01", "10", "9", "-3", "1e1", "1,000", "1.000", "3,5", "€ 4", "5 %", "flu", "", " 7", "7 ", " ", "é"]),
        st.integers(-20, 2000).map(str),
        st.text(max_size=3),
    ),
    unique=True,
    max_size=8,
)


@given(texts=TEXTS)
def test_both_readings_number_values_alike(texts: list[str]) -> None:
    first, second = scale_of(texts), read_values(texts)
    assert [first.missing if place is None else place for place in second.places] == first.rank.tolist()
    assert (second.n_values, second.is_ordered) == (first.missing, first.is_ordered)


@given(texts=TEXTS)
def test_both_readings_number_people_alike(texts: list[str]) -> None:
    first, second = people_of(texts), read_people(texts)
    assert [first.missing if place is None else place for place in second.places] == first.rank.tolist()
    assert second.n_values == first.missing


@pytest.mark.parametrize(
    ("texts", "places", "is_ordered"),
    [
        (["10", "9", "9.0"], [1, 0, 0], True),
        (["1,000", "999", "12"], [2, 1, 0], True),
        (["-1", "1", "0"], [0, 2, 1], True),
        (["9007199254740993", "9007199254740992"], [0, 0], True),
        (["low", "middle", "high"], [1, 2, 0], False),
        (["07", "7", "11"], [0, 0, 1], False),
        (["1", "2", "n/a"], [0, 1, 2], False),
        ([], [], False),
        (["5"], [0], True),
    ],
)
def test_values_and_their_order(texts: list[str], places: list[int], is_ordered: bool) -> None:
    found = read_values(texts)
    assert (found.places, found.is_ordered) == (places, is_ordered)


def test_a_blank_text_is_a_missing_cell_and_blanks_around_one_are_no_part_of_it() -> None:
    found = read_values(["flu", "flu ", "", " ", "\t", "gout"])
    assert (found.places, found.n_values) == ([0, 0, None, None, None, 1], 2)
    assert read_values(["10", " 9", ""]).is_ordered


def test_a_blank_person_is_nobody() -> None:
    found = read_people(["7", " 7", "007", " ", ""])
    assert (found.places, found.n_values) == ([1, 1, 0, None, None], 2)
