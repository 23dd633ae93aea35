"""A table of people, and its clusters."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

import shoal

QI = ["age", "town", "sex"]


def people(n: int = 60, seed: int = 0) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "name": [f"person {i}" for i in range(n)],
            "age": rng.integers(18, 90, n),
            "town": rng.choice(["A", "B", "C"], n),
            "sex": rng.choice(["f", "m"], n),
            "illness": rng.choice(["flu", "cold", "gout"], n),
        }
    )


def run(frame: Any, **more: Any) -> Any:
    more = {
        "quasi_identifiers": QI,
        "sensitive": ["illness"],
        "identifiers": ["name"],
        "metric": {"age": {"unit": 10}},
        **more,
    }
    return shoal.cluster(frame, **more)
