"""Counts that contradict each other are noticed."""

import polars as pl
import pytest

from shoal.errors import DataError
from shoal.judge.counts import N, by_names, check_margin, label


def counted(**n: int) -> pl.DataFrame:
    return pl.DataFrame({"s": list(n), N: list(n.values())})


def test_columns_get_names_of_our_own() -> None:
    assert by_names(pl.DataFrame({"n": ["a"], "c0": ["b"]}), ["c0", "n"]).to_dict(as_series=False) == {label(0): ["b"], label(1): ["a"]}


def test_rows_may_be_lacking_and_no_others() -> None:
    check_margin(counted(a=2, b=1), counted(a=2, b=3), "s", 2)
    for found, lacking in ((counted(a=2, b=1), 1), (counted(a=3), 0), (counted(a=2, c=1), 2)):
        with pytest.raises(DataError, match="does not agree"):
            check_margin(found, counted(a=2, b=3), "s", lacking)
