"""Discernibility (Bayardo and Agrawal 2005): each row is charged the rows that it cannot be told from."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.judge.measures.discernibility import DISCERNIBILITY
from tests.naive import losses


@given(st.lists(st.integers(1, 6), min_size=1, max_size=6), st.integers(0, 4))
def test_every_row_is_charged_the_rows_like_it_and_a_withheld_one_the_whole_table(sizes: list[int], n_withheld: int) -> None:
    release = [group for group, size in enumerate(sizes) for _ in range(size)]
    n_rows = len(release) + n_withheld
    assert DISCERNIBILITY.total(np.array(sizes), n_withheld, n_rows) == losses.discernibility(release, n_rows)


def test_groups_count_squared_and_a_withheld_row_counts_the_table() -> None:
    """Groups of 2 and 3 with one row of six withheld: 4 + 9 + 6."""
    assert DISCERNIBILITY.total(np.array([2, 3]), 1, 6) == 19


def test_large_groups_do_not_overflow() -> None:
    assert DISCERNIBILITY.total(np.array([4 * 10**9]), 0, 4 * 10**9) == pytest.approx(1.6e19)
