"""What to try is said where released cells are empty and the original ones are usual marks of missing values, and only there."""

from __future__ import annotations

import polars as pl
import pytest

import shoal

BEFORE = pl.DataFrame({"age": ["20", "20", "20", "40", "40", "40", "NA", "NA", "NA"], "ill": list("abcabcabc")})
AFTER = BEFORE.with_columns(age=pl.Series(["20", "20", "20", "40", "40", "40", None, None, None]))


def fault(original: pl.DataFrame, released: pl.DataFrame, **more) -> str:
    with pytest.raises(shoal.NotAnonymous) as caught:
        shoal.verify(original, released, k=2, quasi_identifiers=["age"], **more)
    return str(caught.value)


def test_it_is_said_where_rows_are_beside_rows():
    assert "--missing-value NA" in fault(BEFORE, AFTER)


def test_it_is_said_where_rows_are_lacking_or_moved():
    assert "--missing-value NA" in fault(BEFORE, AFTER[1:])
    assert "--missing-value NA" in fault(BEFORE, AFTER.reverse(), reordered=True)


def test_a_value_that_was_left_out_is_not_taken_for_a_mark_and_not_told():
    emptied = BEFORE.with_columns(age=pl.Series([None, None, None, "40", "40", "40", "NA", "NA", "NA"]))
    said = fault(BEFORE, emptied)
    assert "--missing-value" not in said
    assert "20" not in said


def test_a_high_age_is_not_told():
    old = BEFORE.with_columns(age=BEFORE["age"].replace("NA", "99"))
    assert "99" not in fault(old, AFTER)
