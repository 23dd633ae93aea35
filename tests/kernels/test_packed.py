"""What a kernel trusts is checked before: codes, types."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.kernels import native, pack


def test_a_table_whose_codes_are_no_leaves_never_reaches_a_kernel() -> None:
    packed = pack([np.array([2, 2, 2], dtype=np.int32)], [np.zeros(3)])
    codes = np.array([[0], [3]], dtype=np.int32)
    with pytest.raises(IndexError, match="outside of its tree"):
        native.table(packed, codes)
    with pytest.raises(ValueError, match="one tree per column"):
        native.table(packed, np.zeros((2, 2), dtype=np.int32))
    with pytest.raises(ValueError, match="one weight per tuple"):
        native.table(packed, codes[:1], np.ones(2, dtype=np.int64))


def test_an_array_of_another_type_never_reaches_a_kernel() -> None:
    with pytest.raises(TypeError, match="int32"):
        native.ints(np.zeros(3))
    with pytest.raises(TypeError, match="contiguous"):
        native.doubles(np.zeros((4, 4))[:, 1])
