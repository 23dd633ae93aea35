"""A small release, made once."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import shoal

JOBS = ["nurse", "medic", "cook", "waiter", "clerk"]


def people(n: int = 400, seed: int = 7) -> pl.DataFrame:
    """Rows with two numbers, two texts, and two sensitive columns that depend on them."""
    rng = np.random.default_rng(seed)
    age = rng.integers(18, 80, n)
    job = rng.integers(0, 5, n)
    return pl.DataFrame(
        {
            "age": age,
            "height": 150 + age // 4 + rng.integers(0, 12, n),
            "job": [JOBS[j] for j in job],
            "zip": [f"{81000 + 7 * int(z)}" for z in rng.integers(0, 30, n)],
            "ill": [["flu", "cold", "gout"][min(2, int(a) // 30)] for a in age],
            "income": age * 500 + rng.integers(0, 9000, n),
        }
    )


@pytest.fixture(scope="session")
def release() -> shoal.Release:
    return shoal.anonymize(
        people(),
        k=4,
        quasi_identifiers=["age", "height", "job", "zip"],
        sensitive=["ill", "income"],
        hierarchies={"job": [[j, "care" if j in ("nurse", "medic") else "other", "*"] for j in JOBS]},
        algorithm="mondrian",
        withhold=0.02,
    )


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    people().write_csv(path)
    return path
