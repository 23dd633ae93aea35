"""What the reader calls certain, on random tables of the kinds that people have: the truth is never below `at_least` nor above `at_most`.

He has:   the released table alone, without hierarchies.
He asks:  random ranges and values, of one to three columns.
He gets:  limits that hold, whatever the hidden cells are.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal

N = 150
BANDS = ["<18", "18-24", "25-44", "45-64", "65+"]


def table(rng: np.random.Generator) -> tuple[pl.DataFrame, dict[str, Any]]:
    """A table as texts, and what its cells mean: numbers, days as numbers, or the texts themselves."""
    age = rng.integers(18, 70, N)
    kilos = rng.normal(75, 12, N).round(1)
    born = rng.integers(date(1950, 1, 1).toordinal(), date(2005, 1, 1).toordinal(), N)
    days = [date.min + timedelta(days=int(day) - 1) for day in born]
    band = rng.choice(BANDS, N, p=[0.1, 0.2, 0.3, 0.3, 0.1])
    code = np.array([f"0{n}" for n in rng.choice(rng.integers(1000, 1400, 25), N)])
    town = rng.choice(["Graz", "Linz", "Wien", "Enns", "Lech"], N, p=[0.5, 0.3, 0.17, 0.02, 0.01])
    frame = pl.DataFrame({
        "age": [str(a) for a in age], "kilos": [f"{x}".replace(".", ",") for x in kilos], "born": [f"{d.day:02}.{d.month:02}.{d.year}" for d in days],
        "band": band, "code": code, "town": [None if t == "Lech" else t for t in town],
    })  # fmt: skip
    return frame, {"age": age.astype(float), "kilos": kilos, "born": born.astype(float), "band": band, "code": code, "town": town}


def ask(rng: np.random.Generator, means: dict[str, Any], values: dict[str, list[Any]]) -> tuple[dict[str, Any], np.ndarray]:
    """A question, and which rows of the original meet it."""
    names = rng.choice(list(values), int(rng.integers(1, min(len(values), 3) + 1)), replace=False)
    asked: dict[str, Any] = {}
    met = np.ones(N, dtype=bool)
    for name in map(str, names):
        column = means[name]
        if name in ("age", "kilos", "born"):
            low, high = sorted(rng.choice(column, 2))
            met &= (column >= low) & (column <= high)
            asked[name] = (
                (str(date.fromordinal(int(low))), str(date.fromordinal(int(high)))) if name == "born" else (float(low), float(high))
            )
        else:
            some = [str(v) for v in rng.choice(values[name], int(rng.integers(1, 3)))]
            met &= np.isin(column, some)
            asked[name] = some
    return asked, met


@pytest.mark.parametrize("seed", range(12))
def test_the_truth_lies_between_what_is_certain(seed: int) -> None:
    rng = np.random.default_rng(seed)
    frame, means = table(rng)
    names = [str(name) for name in rng.choice(frame.columns, int(rng.integers(2, 5)), replace=False)]
    made = shoal.anonymize(frame.select(names), k=int(rng.integers(2, 9)), quasi_identifiers=names, algorithm="mondrian", seed=seed)
    reading = shoal.read(made.table.clone(), quasi_identifiers=names)
    values = {name: [v for v in reading.columns[name].words.values if v is not None and "*" not in v] for name in names}
    values = {
        name: some for name, some in values.items() if some and (reading.columns[name].is_line or name not in ("age", "kilos", "born"))
    }
    for _ in range(40):
        asked, met = ask(rng, means, values)
        found = reading.count(asked)
        assert found.at_least is not None
        assert found.at_most is not None
        assert found.at_least <= met.sum() <= found.at_most, asked
        assert found.at_least <= found.low <= found.high <= found.at_most
