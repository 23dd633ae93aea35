"""Rows are taken across stretches and set beside each other, and what does not fit is an error. Whole files in test_files.py, tables in test_databases.py."""

from __future__ import annotations

import polars as pl
import pytest

from shoal.engines import beside
from shoal.engines.beside import FoundPairs, Rest
from shoal.errors import DataError


def test_rows_are_taken_across_stretches() -> None:
    rest = Rest(iter([pl.DataFrame({"a": [1, 2, 3]}), pl.DataFrame({"a": [4]}), pl.DataFrame({"a": [5, 6]})]))
    assert [rest.take(n)["a"].to_list() for n in (2, 0, 3, 1)] == [[1, 2], [], [3, 4, 5], [6]]
    rest.finish()
    with pytest.raises(DataError, match="changed"):
        rest.take(1)


def test_rows_that_are_left_over_are_an_error() -> None:
    for more in ([], [pl.DataFrame({"a": [4]})]):
        rest = Rest(iter([pl.DataFrame({"a": [1, 2, 3]}), *more]))
        rest.take(3 if more else 2)
        with pytest.raises(DataError, match="changed"):
            rest.finish()


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
