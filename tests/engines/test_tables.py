"""What all databases share: rows that pass in stretches are set beside each other, and what does not fit is an error."""

from __future__ import annotations

import polars as pl
import pytest

from shoal.engines.beside import Rest
from shoal.engines.tables import _Hash, folded_of
from shoal.errors import DataError
from shoal.io.releases import csv_sha256
from shoal.release.counting import N, label


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


def test_the_hash_of_stretches_is_that_of_the_whole() -> None:
    frame = pl.DataFrame({"a": ["x", None, "", 'q"'], "b": [0.5, None, -0.0, 3.0]})
    told = _Hash()
    for piece in frame.iter_slices(2):
        told.add(piece)
    assert told.hexdigest() == csv_sha256(frame)


def test_counts_become_codes_with_their_rows() -> None:
    counted = pl.DataFrame({label(0): ["b", None, "a", "b"], label(1): ["x", "x", None, "y"], N: [3, 2, 1, 4]})
    folded = folded_of(counted, ["q", "r"], ["q", "r", "s"], "it", lambda column, texts: f"{column} {texts}")
    assert (folded.n_rows, folded.n_kinds, folded.columns) == (10, 4, ("q", "r", "s"))
    assert folded.coded["q"].values.to_list() == ["a", "b"]
    assert folded.coded["q"].counts().tolist() == [1, 7]
    assert (folded.coded["q"].n_missing, folded.coded["r"].n_missing) == (2, 1)
    assert folded.where("q", [-1, 0]) == "q [None, 'a']"
