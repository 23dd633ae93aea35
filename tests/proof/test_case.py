"""The case of a proof, as data."""

import numpy as np

from shoal.proof.case import fold


def test_equal_rows_are_one_tuple_with_a_count():
    codes, rows, of_row = fold([np.array([3, 1, 3, 3]), np.array([0, 0, 0, 2])])
    assert codes.tolist() == [[3, 0], [1, 0], [3, 2]]
    assert rows.tolist() == [2, 1, 1]
    assert of_row.tolist() == [0, 1, 0, 2]
