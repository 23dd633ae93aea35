"""Counts: exact where they can be, else between what is certain and possible."""

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


def test_what_is_exact_is_counted_exactly():
    shown = pl.DataFrame({"age": ["30", "30", "40", "40"], "sex": ["f", "f", "m", "m"]})
    found = shoal.read(shown).count(age=30)
    assert (found.value, found.low, found.high, found.at_least, found.at_most) == (2, 2, 2, 2, 2)


def test_the_truth_lies_between_what_is_certain_and_what_is_possible(release):
    """The limits use no assumption at all, so they may never fail."""
    reading = shoal.read(release)
    rng = np.random.default_rng(0)
    for _ in range(300):
        asked = ask(rng)
        found = reading.count(asked)
        assert found.at_least <= truth(asked) <= found.at_most
        assert found.at_least <= found.low <= found.value + 1e-9
        assert found.value <= found.high + 1e-9
        assert found.high <= found.at_most
