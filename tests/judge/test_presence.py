"""Which columns a release has. What an attacker does with them is in ``tests/attacks/test_odd_files.py``."""

from __future__ import annotations

import polars as pl
import pytest

from shoal.errors import NotAnonymous
from shoal.judge.presence import check_columns, doubts

BEFORE = pl.DataFrame({"name": ["Ada", "Bo", "Cy"], "age": ["20", "30", "40"], "ill": ["flu", "flu", "gout"]})


def test_a_column_that_was_to_be_dropped_or_kept_is_checked():
    after = BEFORE.select("age", "ill")
    check_columns(BEFORE, after, ["name"], ["ill", "not in the original either"])
    with pytest.raises(NotAnonymous, match="'ill' was to be kept"):
        check_columns(BEFORE, after.drop("ill"), ["name"], ["ill"])
    with pytest.raises(NotAnonymous, match="'name' is an identifier"):
        check_columns(BEFORE, BEFORE, ["name"], ["ill"])


@pytest.mark.parametrize(
    ("added", "word"),
    [
        (pl.Series("weight", ["20", "30", "41"]), ""),
        (pl.Series("who", ["Cy", "Ada", "Bo"]), "renamed"),
        (pl.Series("NAME", ["x", "y", "z"]), "are they one"),
        (pl.Series("constant", ["flu", "flu", "flu"]), ""),
    ],
)
def test_what_a_column_of_the_release_alone_may_be(added, word):
    after = BEFORE.select("ill", age=pl.lit("*")).with_columns(added)
    found = doubts(BEFORE, after, ["age"], [])
    assert word in found
    assert bool(word) == bool(found)


def test_missing_rows_do_not_hide_a_copy():
    after = BEFORE.select("ill", age=pl.lit("*"), who="name").head(2)
    assert "'name'" in doubts(BEFORE, after, ["age"], ["name"])
