"""One column beside its original: every released cell covers its own, or is named."""

from __future__ import annotations

import polars as pl
import pytest

import shoal
from tests.judge.compared import RELEASED, check


def test_a_cell_that_does_not_cover_its_original_is_rejected():
    wrong = RELEASED.with_columns(age=pl.Series(["[20, 30)", "[20, 30)", "[50, 60)", "[50, 60)"]))
    with pytest.raises(shoal.NotAnonymous, match="'age': 2 released cells do not cover"):
        check(wrong)


def test_a_value_where_the_original_is_missing_is_rejected():
    with pytest.raises(shoal.NotAnonymous, match="'zip'"):
        check(RELEASED.with_columns(zip=pl.Series(["81", "81", "90", "90"])))


def test_a_changed_cell_in_a_column_that_was_to_stay_is_rejected():
    touched = RELEASED.with_columns(ill=pl.Series(["flu", "flu", "flu", "flu"]))
    with pytest.raises(shoal.NotAnonymous, match="'ill' is in both tables and no quasi-identifier, and 1 cell of it differs"):
        check(touched)
    with pytest.raises(shoal.NotAnonymous, match="'ill' was to be released as it is"):
        check(touched, rows=[0, 1, 2, 3])
