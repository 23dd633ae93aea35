"""One text for each value, whatever its type."""

from __future__ import annotations

import datetime as d
from decimal import Decimal

import polars as pl
import pytest

from shoal.errors import DataError
from shoal.text.cells import as_text

UTC = d.UTC


@pytest.mark.parametrize(
    ("cells", "dtype", "texts"),
    [
        (["007", "", None], None, ["007", "", None]),
        ([7, -3, None], pl.Int64, ["7", "-3", None]),
        ([255], pl.UInt8, ["255"]),
        ([39.0, 0.1, -0.0, float("nan"), None], None, ["39.0", "0.1", "0.0", None, None]),
        ([0.1], pl.Float32, ["0.1"]),
        ([True, False, None], None, ["true", "false", None]),
        ([d.date(2024, 1, 31), None], None, ["2024-01-31", None]),
        ([d.datetime(2024, 1, 31), d.datetime(2024, 1, 31, 7, 5)], None, ["2024-01-31", "2024-01-31T07:05:00"]),
        ([d.datetime(2024, 1, 31, 7, 5, 6, 250000)], None, ["2024-01-31T07:05:06.250"]),
        ([d.datetime(2024, 1, 31, 7, tzinfo=UTC)], None, ["2024-01-31T07:00:00+00:00"]),
        ([d.time(7, 5)], None, ["07:05:00"]),
        (["b", "a", None], pl.Categorical, ["b", "a", None]),
        (["b", "a", None], pl.Enum(["b", "a"]), ["b", "a", None]),
        ([Decimal("1.50")], None, ["1.50"]),
        ([None, None], None, [None, None]),
    ],
)
def test_every_type_has_one_text(cells, dtype, texts):
    text = as_text(pl.Series("c", cells, dtype=dtype))
    assert text.dtype == pl.String
    assert text.name == "c"
    assert text.to_list() == texts


@pytest.mark.parametrize("cells", [[[1]], [{"a": 1}], [b"x"]])
def test_what_has_no_text_is_refused_by_name(cells):
    with pytest.raises(DataError, match="Column 'c' holds"):
        as_text(pl.Series("c", cells))
