"""Equal rows fold into tuples in lexicographic order, whatever the sizes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.table.fold import fold
from tests.naive import folding


@given(st.integers(1, 40), st.integers(1, 5), st.integers(0, 2**32), st.sampled_from([2, 5, 2**31 - 1]))
def test_fold_agrees_with_its_naive_twin(n, q, seed, most):
    rng = np.random.default_rng(seed)
    columns = [rng.choice(rng.integers(-1, most, size=4), size=n).astype(np.int32) for _ in range(q)]
    codes, weight, tuple_of_row = fold(columns)
    tuples, counts, of_row = folding.fold([c.tolist() for c in columns])
    assert [tuple(t) for t in codes.tolist()] == tuples
    assert weight.tolist() == counts
    assert tuple_of_row.tolist() == of_row


def test_the_result_has_fixed_types_and_layout():
    codes, weight, tuple_of_row = fold([np.array([1, 0, 1], dtype=np.int8), np.array([3, -1, 3], dtype=np.int16)])
    assert (codes.dtype, weight.dtype, tuple_of_row.dtype) == (np.int32, np.int64, np.int32)
    assert codes.flags.c_contiguous
    assert codes.tolist() == [[0, -1], [1, 3]]


def test_columns_that_need_more_than_63_bits_are_folded():
    rng = np.random.default_rng(1)
    columns = [rng.integers(0, 2**20, size=2000, dtype=np.int32) for _ in range(12)]
    doubled = [np.concatenate([c, c[::-1]]) for c in columns]
    codes, weight, tuple_of_row = fold(doubled)
    assert weight.tolist() == [2] * 2000
    assert (codes[tuple_of_row] == np.stack(doubled, axis=1)).all()
    assert (np.lexsort(codes.T[::-1]) == np.arange(2000)).all()


def test_no_rows_fold_into_no_tuples():
    codes, weight, tuple_of_row = fold([np.zeros(0, dtype=np.int8)] * 2)
    assert codes.shape == (0, 2)
    assert len(weight) == len(tuple_of_row) == 0


def test_columns_of_different_length_are_refused():
    with pytest.raises(ValueError):
        fold([np.zeros(2, dtype=np.int8), np.zeros(3, dtype=np.int8)])
    with pytest.raises(ValueError):
        fold([])
