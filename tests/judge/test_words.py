"""A verdict in words: the command and the notebook say the same."""

from __future__ import annotations

import polars as pl
import pytest

import shoal
from shoal.judge.words import is_warning, words_of


def test_where_people_could_not_be_counted_the_words_say_that_the_cells_are_true():
    """After --shuffle two rows that fit into two groups may be exchanged, and with them their people."""
    frame = pl.DataFrame({"who": ["a", "a", "a", "b", "c", "d"], "age": ["30"] * 6})
    shown = pl.DataFrame({"age": ["30", "30", "30", "*", "*", "*"]})
    with pytest.raises(shoal.NotCompared) as caught:
        shoal.verify(frame, shown, k=2, quasi_identifiers=["age"], person="who", reordered=True)
    said = [line for line in words_of(caught.value.verdict) if is_warning(line)]
    assert said[0].startswith("PEOPLE NOT COUNTED: Rows were compared ")
    assert "every cell covers its original one" in said[0]
    assert "--keep-order" in said[0]


def test_the_words_of_a_good_release_have_no_warning():
    frame = pl.DataFrame({"age": ["30"] * 4})
    said = words_of(shoal.verify(frame, frame, k=4, quasi_identifiers=["age"]))
    assert said[:2] == ["4-anonymous in age.", "4 rows in 1 groups, the smallest of 4."]
    assert not any(is_warning(line) for line in said)
