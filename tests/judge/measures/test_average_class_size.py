"""Average class size (LeFevre et al. 2006): released rows over groups."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.judge.measures.average_class_size import AVERAGE_CLASS_SIZE
from tests.naive import losses


@given(st.lists(st.integers(1, 6), min_size=1, max_size=6), st.integers(0, 4))
def test_it_is_the_mean_size_and_withheld_rows_do_not_count(sizes: list[int], n_withheld: int) -> None:
    release = [group for group, size in enumerate(sizes) for _ in range(size)]
    found = AVERAGE_CLASS_SIZE.total(np.array(sizes), n_withheld, len(release) + n_withheld)
    assert found == pytest.approx(float(losses.average_class_size(release)))


def test_an_empty_release_has_none() -> None:
    assert AVERAGE_CLASS_SIZE.total(np.zeros(0, dtype=np.int64), 3, 3) == 0.0
