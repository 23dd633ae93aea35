"""Rows whose order is looked at, where all of them are too many."""

from __future__ import annotations

import numpy as np
import polars as pl

from shoal.engines import order_sample
from shoal.engines.order_sample import OrderSample, texts_once


def sample(rows: pl.DataFrame, stretch: int = 50) -> OrderSample:
    made = OrderSample(rows.columns)
    for first in range(0, rows.height, stretch):
        part = rows[first : first + stretch]
        made.add(part, np.ones(part.height, dtype=bool), first)
    return made


def test_a_sorted_column_is_found_by_texts_and_by_numbers(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(order_sample, "IN_ORDER", 100)
    monkeypatch.setattr(order_sample, "PIECE", 20)
    rng = np.random.default_rng(1)
    rows = pl.DataFrame(
        {
            "sorted": [f"name {i:05}" for i in range(2000)],
            "age": [str(9 + i // 20) for i in range(2000)],
            "year": np.arange(2000) // 100,
            "mixed": rng.permutation([f"v{i % 50}" for i in range(2000)]),
        }
    )
    assert sample(rows).telling(rows.columns) == ["sorted", "age", "year"]
    monkeypatch.setattr(order_sample, "PIECES", 10)
    fewer = sample(rows)
    assert 5 <= len(fewer._pieces) <= 10
    assert fewer.telling(rows.columns) == ["sorted", "age", "year"]


def test_withheld_rows_are_not_looked_at() -> None:
    rows = pl.DataFrame({"age": [str(i) for i in range(300)]})
    made = OrderSample(["age"])
    made.add(rows, np.zeros(300, dtype=bool), 0)
    assert made.telling(["age"]) == []


def test_rows_that_are_kept_for_long_are_small_and_the_same() -> None:
    rows = pl.DataFrame({"city": ["a rather long name of a city", None, ""] * 1000, "n": list(range(3000))})
    kept = texts_once(rows)
    assert kept.with_columns(pl.col("city").cast(pl.String)).equals(rows)
    assert kept["city"].estimated_size() < rows["city"].estimated_size() / 2
