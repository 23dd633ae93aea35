"""A text is found in all values at once as it is found in each by itself."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.studio.haystack import Haystack

LETTERS = st.text(alphabet="aAbBzZ[`@{1 *-éÉßſKk中ü\0\n", max_size=6)
"""Letters of both cases, what stands beside them in the code, letters of several bytes, and two that only Unicode takes
for an s or a k.
"""


def alike(text: str) -> str:
    """A to Z as a to z, and nothing else."""
    return "".join(c.lower() if c.isascii() else c for c in text)


@given(st.lists(LETTERS, max_size=12), LETTERS)
def test_ascii_and_what_has_no_case_is_found_byte_by_byte(values: list[str], text: str) -> None:
    wanted = text.lower()
    if not wanted or not (wanted.isascii() or wanted.upper() == wanted):
        return
    found = Haystack(pl.Series(values, dtype=pl.String)).holds(wanted)
    assert found.tolist() == [wanted in alike(value) for value in values]


@given(st.lists(LETTERS, max_size=12))
def test_letters_beyond_ascii_are_found_in_both_cases(values: list[str]) -> None:
    found = Haystack(pl.Series(values, dtype=pl.String)).holds("é")
    assert found.tolist() == ["é" in value.lower() for value in values]


@pytest.mark.parametrize(
    ("wanted", "expected"), [("ab", [0, 0, 1]), ("bc", [0, 0, 0]), ("a", [1, 0, 1]), ("abab", [0, 0, 0])]
)
def test_what_stands_across_two_values_is_in_neither(wanted: str, expected: list[int]) -> None:
    assert Haystack(pl.Series(["a", "b", "ab"])).holds(wanted).astype(int).tolist() == expected
    assert Haystack(pl.Series(["x", "a", "b", "ab"])[1:]).holds(wanted).astype(int).tolist() == expected, (
        "a part of a longer series"
    )


def test_where_there_is_nothing_nothing_is_found() -> None:
    assert Haystack(pl.Series([], dtype=pl.String)).holds("a").tolist() == []
    assert Haystack(pl.Series(["", ""])).holds("a").tolist() == [False, False]
