"""A column as codes of its sorted texts."""

from __future__ import annotations

import time

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.table.coded import code


@given(st.lists(st.none() | st.text(max_size=3), max_size=20))
def test_codes_number_the_sorted_texts(cells):
    coded = code(pl.Series("c", cells, dtype=pl.String))
    values = sorted({c for c in cells if c is not None})
    assert coded.values.to_list() == values
    assert coded.codes.tolist() == [-1 if c is None else values.index(c) for c in cells]
    assert coded.n_missing == cells.count(None)
    assert coded.counts().tolist() == [cells.count(v) for v in values]


@pytest.mark.parametrize(
    ("n", "dtype"), [(0, np.int8), (1, np.int8), (128, np.int8), (129, np.int16), (32768, np.int16), (32769, np.int32)]
)
def test_codes_take_the_smallest_type(n, dtype):
    coded = code(pl.Series("c", [*map(str, range(n)), None], dtype=pl.String))
    assert coded.codes.dtype == dtype
    assert sorted(coded.codes.tolist()) == list(range(-1, n))


def test_a_million_values_are_coded_in_seconds():
    numbers = np.random.default_rng(0).permutation(1_000_000)
    began = time.process_time()
    coded = code(pl.Series("c", numbers))
    assert time.process_time() - began < 5
    assert coded.n_values == 1_000_000
    assert coded.values[0] == "0"
    assert (coded.values.gather(coded.codes).cast(pl.Int64).to_numpy() == numbers).all()


def test_rows_of_codes_and_of_missing():
    coded = code(pl.Series("c", ["b", None, "a", "b"]))
    assert coded.rows_of([1]).tolist() == [0, 3]
    assert coded.rows_of([-1]).tolist() == [1]
    assert coded.rows_of([0, -1]).tolist() == [1, 2]
    assert coded.rows_of([]).tolist() == []
