"""Dates that are cut down to months, years and decades are days to a reader, whatever form the column writes them in."""

from __future__ import annotations

import polars as pl
import pytest

import shoal
from shoal.reader.days import days_of


def test_decades_alone_are_days_and_not_values() -> None:
    """Nobody's birth is shown exactly where all that a release shows is its decade."""
    shown = pl.DataFrame({"born": ["1980s"] * 40 + ["1970s"] * 50 + ["*"] * 10, "sex": ["f", "m"] * 50})
    reading = shoal.read(shown)
    (row,) = reading.summary().filter(pl.col("column") == "born").to_dicts()
    assert (row["exact"], row["generalized"], row["hidden"]) == pytest.approx((0.0, 0.9, 0.1))
    decade = reading.count(born=("1980-01-01", "1989-12-31"))
    assert (decade.at_least, decade.at_most) == (40.0, 50.0)
    assert 40 <= decade.value <= 50
    year = reading.count(born="1985")
    assert year.value == pytest.approx(decade.value / 10, rel=0.01)
    assert (year.at_least, year.at_most) == (0.0, 50.0)


def test_a_quarter_can_be_asked_for() -> None:
    shown = pl.DataFrame({"seen": ["2021-Q1"] * 6 + ["2021-Q2"] * 5 + ["2021"] * 4})
    found = shoal.read(shown, hierarchies={"seen": shoal.dates("quarter", "year")}).count(seen="2021-Q1")
    assert (found.at_least, found.at_most) == (6.0, 10.0)
    alone = shoal.read(shown).count(seen="2021-Q1")
    assert (alone.at_least, alone.at_most) == (0.0, 15.0), "the quarters of others may begin in another month"


def test_a_column_keeps_its_own_form() -> None:
    days = days_of(["21.06.1997", "1.7.1997", "1996"])
    assert days is not None
    assert days[0] == "01.01.1996"
    assert "21.06.1997" in days
    assert days[-1] == "1.7.1997"
    assert "22.06.1997" in days


def test_years_and_months_that_people_wrote_themselves_stay_values() -> None:
    assert days_of(["1997", "1998"]) is None
    assert days_of(["1997-05", "1997-06"]) == ["1997-05", "1997-06"]
    assert days_of(["20210703", "20210704"]) is None
    assert days_of(["nurse", "cook"]) is None
