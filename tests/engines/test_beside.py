"""Rows set beside each other as they are sent. Whole files in test_passing.py, tables in test_databases.py."""

from __future__ import annotations

import polars as pl
import pytest

from shoal.engines import beside
from shoal.engines.beside import FoundPairs


def test_pairs_and_differing_cells_are_found_however_the_rows_come(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beside, "OFTEN", 2)
    original = pl.DataFrame({"age": [31, 33, None, 31], "ill": ["flu", None, "", "flu"]})
    written = pl.DataFrame({"age": ["30-39", "30-39", "*", "30-39"], "ill": ["flu", "", "", None]})
    found = FoundPairs(["age", "ill"], {"age"})
    for i in range(4):
        found.add(original[i : i + 1], written[i : i + 1], 2)
    pairs = found.pairs()
    assert sorted(pairs.columns["age"].rows(), key=repr) == [("31", "30-39", 2), ("33", "30-39", 1), (None, "*", 1)]
    assert (pairs.differing, pairs.n_before) == ({"ill": 2}, 8)
