"""Estimates and their intervals."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import shoal
from tests.reader.people import TABLE, ask, truth


def test_intervals_hold_the_truth_as_often_as_they_say(release):
    reading, rng = shoal.read(release), np.random.default_rng(1)
    held = []
    for _ in range(400):
        asked = ask(rng)
        found = reading.count(asked)
        if found.at_most > found.at_least:
            held.append(found.low - 0.5 <= truth(asked) <= found.high + 0.5)
    assert np.mean(held) > 0.9


def test_intervals_are_not_wide_for_nothing(release):
    """Counts of one column: the error to expect is a few percent of what is possible."""
    reading = shoal.read(release)
    for name in ("sex", "job"):
        for value in TABLE[name].unique():
            found = reading.count({name: value})
            assert found.high - found.low <= 0.75 * (found.at_most - found.at_least) + 2


def test_means_and_quantiles_are_near_and_say_how_near(release):
    reading = shoal.read(release)
    mean = reading.mean("age")
    assert mean.low <= TABLE["age"].mean() <= mean.high
    assert abs(mean.value - TABLE["age"].mean()) < 1.5
    nurses = TABLE.filter(pl.col("job") == "nurse")["age"]
    assert reading.mean("age", job="nurse").value == pytest.approx(nurses.mean(), abs=2.5)
    for share in (0.25, 0.5, 0.75):
        found = reading.quantile("age", share)
        assert found.low - 1 <= TABLE["age"].quantile(share) <= found.high + 1
