"""Times of a day."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.reader.clock import hours, nearest
from shoal.reader.expect import expect


def test_an_hour_is_one_of_the_six_that_a_quarter_of_the_day_holds() -> None:
    shown = pl.DataFrame({"seen": ["[06:00, 07:00)"] * 6 + ["[09:00, 10:00)"] * 5 + ["[06:00, 12:00)"] * 4})
    reading = shoal.read(shown)
    assert sorted(reading.table("seen")["seen"]) == ["06:00", "07:00", "08:00", "09:00", "10:00", "11:00"]
    found = reading.count(seen="06:00")
    assert (found.at_least, found.at_most) == (0.0, 10.0), "six o'clock itself is shown nowhere"
    assert found.low <= 1
    assert found.high >= 6
    assert not reading.columns["seen"].is_exact.any()


def test_exact_times_stay_values_beside_the_hours() -> None:
    found = hours(["06:15", "[06:00, 07:00)"])
    assert found is not None
    assert found["[06:00, 07:00)"] == ["06:00", "06:15", "06:30", "06:45"]
    assert hours(["06:15", "07:00"]) is None
    assert hours(["[06:00, 07:00)", "nurse"]) is None


def test_a_time_falls_to_the_last_that_is_listed_before_it() -> None:
    assert nearest(["06:59:30", "07:00"], ["06:00", None, "07:00"]) == {"06:59:30": 0, "07:00": 2}
    assert nearest(["nurse"], ["06:00"]) == {}
    assert nearest(["06:00"], ["nurse"]) == {}


def test_what_is_measured_knows_times() -> None:
    rng = np.random.default_rng(1)
    cells = [
        f"{h:02}:{m:02}:{s:02}"
        for h, m, s in zip(rng.integers(6, 20, 400), rng.integers(0, 60, 400), rng.integers(0, 60, 400), strict=True)
    ]
    found = expect(shoal.anonymize(pl.DataFrame({"seen": cells}), k=5, quasi_identifiers=["seen"], effort=0.1))
    assert found.measured is not None
    assert found.measured[1] == pytest.approx(0.0, abs=0.2)
