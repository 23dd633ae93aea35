"""Estimates and their intervals."""

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


def ask(rng: np.random.Generator) -> dict:
    """A random conjunction of one to three conditions."""
    asked: dict = {}
    for name in rng.choice([*QI, "ill"], rng.integers(1, 4), replace=False):
        if name == "age":
            low = int(rng.integers(18, 70))
            asked["age"] = (low, low + int(rng.choice([4, 9, 19])))
        else:
            values = TABLE[name].unique().sort().to_list()
            asked[str(name)] = list(rng.choice(values, rng.integers(1, max(2, len(values) // 2)), replace=False))
    return asked


def truth(asked: dict) -> int:
    kept = TABLE
    for name, value in asked.items():
        kept = kept.filter(pl.col(name).is_between(*value) if name == "age" else pl.col(name).is_in(value))
    return kept.height


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
