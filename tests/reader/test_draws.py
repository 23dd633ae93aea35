"""Tables drawn from a release."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import shoal

RNG = np.random.default_rng(3)


def people(n: int = 1500) -> pl.DataFrame:
    age = np.clip(RNG.normal(42, 14, n).round(), 18, 90).astype(int)
    sex = RNG.choice(["f", "m"], n, p=[0.55, 0.45])
    job = np.where(
        age > 60,
        RNG.choice(["retired", "clerk"], n, p=[0.8, 0.2]),
        RNG.choice(["nurse", "cook", "clerk", "smith"], n, p=[0.4, 0.3, 0.25, 0.05]),
    )
    town = RNG.choice(["north", "south", "east", "west", "isle"], n, p=[0.4, 0.3, 0.2, 0.08, 0.02])
    ill = RNG.choice(["flu", "cold"], n)
    return pl.DataFrame({"age": age, "sex": sex, "job": job, "town": town, "ill": ill})


TABLE = people()


QI = ["age", "sex", "job", "town"]


@pytest.fixture(scope="module", params=["non-uniform-entropy", "lm"])
def release(request) -> shoal.Release:
    return shoal.anonymize(TABLE, k=5, quasi_identifiers=QI, sensitive=["ill"], measure=request.param, time_limit=1)


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
