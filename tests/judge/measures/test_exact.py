"""Fractions around what is no fraction: never above and never below, and close."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from shoal.judge.measures.exact import NO_BITS, bits_of, information_above, information_below, log_above, log_below


def test_logarithms_lie_between_their_fractions() -> None:
    for n in [1, 2, 3, 5, 1023, 1024, 1025, 10**6 + 3, 2**40 + 1]:
        low, high = log_below(n), log_above(n)
        assert high - low <= Fraction(3, 2**64)
        scale = 64  # 2^(64 low) <= n^64 <= 2^(64 high), in whole numbers
        assert 2 ** (low * scale).__floor__() <= n**scale <= 2 ** (high * scale).__ceil__()


@given(st.lists(st.integers(0, 10**6), min_size=1, max_size=12).filter(lambda counts: sum(counts) > 0))
def test_the_entropy_of_a_column_lies_between_its_fractions(counts: list[int]) -> None:
    n = np.array(counts, dtype=np.int64)
    found = bits_of(n)
    share = n[n > 0] / n.sum()
    bits = float(-(share * np.log2(share)).sum())
    assert found.below <= found.above
    assert float(found.below) - 1e-9 <= bits <= float(found.above) + 1e-9
    assert found.above - found.below <= Fraction(1, 2**50)


def test_powers_of_two_and_nothing_are_exact() -> None:
    assert [log_below(n) for n in (0, 1, 2, 1024)] == [log_above(n) for n in (0, 1, 2, 1024)] == [0, 0, 1, 10]
    assert bits_of(np.array([7, 0])) == NO_BITS
    assert information_above([4, 2]) == information_below([4, 2]) == 10
