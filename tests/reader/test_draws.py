"""Tables drawn from a release."""

from __future__ import annotations

import polars as pl
import pytest

import shoal
from tests.reader.people import TABLE


def test_a_drawn_table_keeps_what_is_shown_and_has_types(release):
    drawn = shoal.read(release).imputed(seed=1)
    assert drawn.height == TABLE.height
    assert drawn["age"].dtype.is_integer()
    exact = drawn.filter(pl.col("age_exact"))["age"].cast(pl.String)
    assert exact.equals(release.frame.filter(drawn["age_exact"])["age"], null_equal=True)
    assert drawn["ill"].equals(release.frame["ill"])
    assert shoal.read(release).imputed(seed=1).equals(drawn)
    assert not shoal.read(release).imputed(seed=2).equals(drawn)


def test_many_drawings_vary_as_much_as_the_interval_says(release):
    """Rubin's rules need it: the spread of a count over drawings is about its standard error."""
    reading = shoal.read(release)
    drawn = reading.imputed(times=60)
    counts = drawn.filter(pl.col("job") == "clerk").group_by("imputation").len()["len"].to_numpy()
    found = reading.count(job="clerk")
    assert counts.mean() == pytest.approx(found.value, abs=2 * found.standard_error)
    assert 0.4 * found.standard_error < counts.std() < 1.6 * found.standard_error
