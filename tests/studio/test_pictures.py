"""Small pictures: the rows are all in them, and no text breaks out of them."""

from __future__ import annotations

import polars as pl
import pytest

from shoal.studio.pictures import large, spark, spread_of
from shoal.table import Table


def coded(values: list[str | None]):
    return Table(pl.DataFrame({"x": values})).coded("x")


@pytest.mark.parametrize(
    ("values", "kind", "is_line"),
    [
        ([str(i % 40) for i in range(200)], "number", True),
        (["2020-01-05", "2021-06-07", "2021-06-07", "2024-12-31"], "date", True),
        (["a", "b", "a", None, "c"], "category", False),
        (["7"] * 5, "number", True),
        (["<b>", "&", '"']*3, "category", False),
    ],
)  # fmt: skip
def test_each_row_is_in_one_bar(values: list[str | None], kind: str, is_line: bool):
    spread = spread_of(coded(values), kind)
    assert spread.is_line == is_line
    assert sum(spread.counts) == sum(v is not None for v in values)
    for drawn in (spark(spread), large("x", spread)):
        assert "<b>" not in drawn
        assert drawn.count("<svg") == 1
    assert spread.words()


def test_a_column_without_values_has_an_empty_picture():
    spread = spread_of(coded([None, None]), "category")
    assert spread.counts == ()
    assert "<rect" not in spark(spread)
    assert spread.words() == "no values"
