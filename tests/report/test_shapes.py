"""Histograms of columns, before and after on one axis."""

from __future__ import annotations

from datetime import date, timedelta

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.reader.read import read
from shoal.report.shapes import shape


def shapes(frame: pl.DataFrame, name: str, k: int = 5, for_owner: bool = True, **asked):
    made = shoal.anonymize(frame, k=k, quasi_identifiers=frame.columns, algorithm="mondrian", **asked)
    return shape(made, read(made), name, for_owner)


@pytest.fixture(scope="module")
def ages() -> pl.DataFrame:
    rng = np.random.default_rng(4)
    return pl.DataFrame(
        {"age": np.minimum(18 + rng.gamma(3, 9, 500).astype(int), 95), "sex": rng.choice(["f", "m"], 500)}
    )


def test_numbers_lie_on_one_axis_in_their_order(ages):
    """Numeric columns were bars sorted by how often each occurs."""
    found = shapes(ages, "age")
    assert found["kind"] == "number"
    starts = [int(name.split(" ")[0]) for name in found["bins"]]
    assert starts == sorted(starts)
    assert len(found["bins"]) == len(found["after"]) == len(found["before"])
    assert sum(found["after"]) == pytest.approx(500, abs=len(starts))
    width = starts[1] - starts[0]
    for start, n in zip(starts, found["before"], strict=True):
        true = int(((ages["age"] >= start) & (ages["age"] < start + width)).sum())
        assert n == (true if true >= 5 else None)
    assert found["before_not_shown"] == 500 - sum(n or 0 for n in found["before"])


def test_what_is_published_says_nothing_of_before(ages):
    found = shapes(ages, "age", for_owner=False)
    assert set(found) == {"kind", "bins", "after", "missing"}


def test_a_few_very_large_numbers_do_not_flatten_the_rest():
    rng = np.random.default_rng(1)
    income = np.round(np.exp(rng.normal(8, 1.5, 800)), -2).astype(int)
    found = shapes(pl.DataFrame({"income": income, "sex": ["f", "m"] * 400}), "income")
    assert max(found["after"]) < 400
    assert len(found["bins"]) <= 21


@pytest.mark.parametrize(
    ("days", "first", "bins"),
    [(15, "2020-01-10", 15), (300, "2020-01", 10), (3000, "2020", 9), (30_000, "2020 to 2024", 17)],
)
def test_dates_are_counted_by_days_months_or_years(days: int, first: str, bins: int):
    rng = np.random.default_rng(2)
    when = [
        date(2020, 1, 10) + timedelta(days=int(d))
        for d in np.append(rng.integers(0, days, 900), [0, 0, 0, 0, 0, days - 1])
    ]
    found = shapes(
        pl.DataFrame({"when": [d.isoformat() for d in when]}),
        "when",
        hierarchies={"when": shoal.dates("month", "year")},
    )
    assert found["kind"] == "date"
    assert found["bins"][0] == first
    assert abs(len(found["bins"]) - bins) <= 2


def test_dates_that_are_shown_as_years_alone_lie_on_the_same_axis():
    rng = np.random.default_rng(3)
    when = [date(2000 + int(y), 1 + i % 12, 1 + i % 28).isoformat() for i, y in enumerate(rng.integers(0, 12, 600))]
    found = shapes(
        pl.DataFrame({"when": when, "sex": ["f", "m"] * 300}), "when", k=20, hierarchies={"when": shoal.dates("year")}
    )
    assert found["bins"] == [str(year) for year in range(2000, 2012)], "a year has no comma"
    assert found["before"] == pytest.approx(found["after"], abs=30)


def test_a_value_of_fewer_than_k_rows_is_not_named():
    """Values of the original are shown only where at least k rows share them."""
    frame = pl.DataFrame({"job": ["cook"] * 40 + ["nurse"] * 30 + ["ZebraMarker77"] * 3, "sex": ["f"] * 73})
    found = shapes(frame, "job")
    assert "ZebraMarker77" not in found["bins"]
    assert found["before_not_shown"] == 3


def test_no_leaf_of_a_list_is_published_unless_a_cell_shows_it():
    """A hierarchy given value by value lists the table's values, and is not printed."""
    rows = [["cook", "food", "*"], ["ZebraMarker77", "food", "*"], ["nurse", "care", "*"]]
    frame = pl.DataFrame({"job": (["cook"] * 2 + ["ZebraMarker77"] * 2) * 5 + ["nurse"] * 20, "n": ["1"] * 40})
    made = shoal.anonymize(frame, k=25, quasi_identifiers=["job"], keep=["n"], hierarchies={"job": rows})
    text = made.report()
    assert "ZebraMarker77" not in text
    assert "cook" not in text


def test_codes_with_zeros_in_front_stand_on_no_axis_of_numbers():
    """Thirty different codes: as numbers they would be a histogram from 1,000 to 9,999."""
    codes = pl.DataFrame({"PLZ": [f"0{1000 + 37 * (i % 30)}" for i in range(600)], "sex": ["f", "m"] * 300})
    found = shapes(codes, "PLZ")
    assert found["kind"] == "category"
    assert set(found["bins"]) <= set(codes["PLZ"].to_list())
