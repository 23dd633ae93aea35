"""The table of people that the tests of this room ask about, and the true answers."""

from __future__ import annotations

import numpy as np
import polars as pl

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
