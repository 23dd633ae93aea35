"""Pairs of columns, before and after."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.reader.read import read
from shoal.report.pairs import correlation, pair_table
from tests.report.conftest import people


def test_every_pair_of_columns_gets_its_figures(release):
    found = {(p["a"], p["b"]): p for p in pair_table(release, read(release))}
    assert len(found) == 15
    p = found["age", "height"]
    kept = people()[release.rows.tolist()]
    assert p["correlation"]["before"] == pytest.approx(np.corrcoef(kept["age"], kept["height"])[0, 1])
    assert -1 <= p["correlation"]["after"] <= 1
    assert found["ill", "income"]["misplaced"] == 0.0, "sensitive columns are released as they are"


def test_a_constant_column_has_no_correlation():
    assert correlation(np.ones(5), np.arange(5.0)) is None


def test_codes_with_zeros_in_front_have_no_correlation():
    frame = pl.DataFrame({"PLZ": [f"0{1000 + i % 30}" for i in range(300)], "age": [20 + i % 30 for i in range(300)]})
    made = shoal.anonymize(frame, k=3, quasi_identifiers=["PLZ", "age"], algorithm="mondrian")
    assert all("correlation" not in pair for pair in pair_table(made, read(made)))
