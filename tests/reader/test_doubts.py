"""What a reader should doubt."""

from __future__ import annotations

import polars as pl
import pytest

import shoal


def test_it_says_when_values_seem_hidden_by_how_rare_they_are():
    """Nine in ten rare values hidden, and nothing of the frequent one: the reader must notice."""
    shown = ["a"] * 900 + ["b"] * 10 + ["*"] * 90
    reading = shoal.read(pl.DataFrame({"x": shown, "group": [str(i // 5) for i in range(1000)]}), quasi_identifiers=["x"])
    assert reading.summary()["hidden"].item() == pytest.approx(0.09)
    certain = shoal.read(pl.DataFrame({"x": ["a"] * 10}))
    assert certain.doubts == []
    assert any("'x'" in sentence for sentence in shoal.read(pl.DataFrame({"x": ["a"] * 500 + ["b"] * 20 + ["*"] * 480})).doubts)
