"""Counts of texts, whoever counted them, become codes."""

from __future__ import annotations

import polars as pl

from shoal.engines.tables import folded_of, summed
from shoal.judge.counts import N, label


def test_counts_become_codes_with_their_rows() -> None:
    counted = pl.DataFrame({label(0): ["b", None, "a", "b"], label(1): ["x", "x", None, "y"], N: [3, 2, 1, 4]})
    folded = folded_of(counted, ["q", "r"], ["q", "r", "s"], "it", lambda column, texts: f"{column} {texts}")
    assert (folded.n_rows, folded.n_kinds, folded.columns) == (10, 4, ("q", "r", "s"))
    assert folded.coded["q"].values.to_list() == ["a", "b"]
    assert folded.coded["q"].counts().tolist() == [1, 7]
    assert (folded.coded["q"].n_missing, folded.coded["r"].n_missing) == (2, 1)
    assert folded.where("q", [-1, 0]) == "q [None, 'a']"


def test_equal_rows_are_counted_together() -> None:
    counted = pl.DataFrame({label(0): ["b", None, "b", None], N: [3, 2, 1, 4]})
    assert sorted(summed(counted).rows(), key=repr) == [("b", 4), (None, 6)]
