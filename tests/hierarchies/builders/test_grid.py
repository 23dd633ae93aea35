"""Numbers of very different size on a grid of 1, 2 and 5 times the powers of ten."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from shoal.hierarchies import grid
from shoal.hierarchies.builders.grid import is_skewed
from shoal.hierarchies.encode import encode
from shoal.hierarchies.rows import rows_of

INCOMES = [str(v) for v in (0, 700, 1200, 1800, 2500, 6000, 14_000, 33_000, 48_000, 90_000, 450_000)]


def test_intervals_are_as_wide_as_their_numbers_are_large() -> None:
    rows = {row[0]: row for row in rows_of(encode("income", sorted(INCOMES), False, grid()).tree)}
    assert (
        rows["33000"][1:] == ["[30000, 40000)", "[20000, 50000)", "[10000, 100000)", "*"]
        or "[20000, 50000)" in rows["33000"]
    )
    assert "[1000, 2000)" in rows["1200"]
    assert "[1000, 2000)" in rows["1800"]


def test_skewed_numbers_are_told_from_even_ones() -> None:
    draw = np.random.default_rng(0)
    assert is_skewed(np.exp(draw.normal(8, 1.5, 500)))
    assert not is_skewed(draw.normal(170, 10, 500))
    assert not is_skewed(np.arange(100.0))
    assert not is_skewed(draw.normal(0, 1, 500))


@given(st.lists(st.floats(-1e9, 1e9, allow_nan=False), min_size=1, max_size=40, unique=True))
def test_every_number_lies_in_its_intervals(numbers: list[float]) -> None:
    for row in rows_of(encode("x", sorted({repr(x) for x in numbers}), False, grid()).tree):
        for label in row[1:-1]:
            if label.startswith("["):
                low, high = label[1:-1].split(", ")
                assert float(low) <= float(row[0]) < float(high)
