"""How unlikely an agreement is."""

from __future__ import annotations

from math import comb, exp

import pytest

from shoal.text.chance import FEWEST, divergence, is_no_accident


@pytest.mark.parametrize(("n", "right", "p"), [(20, 20, 0.5), (40, 30, 0.5), (100, 20, 0.1), (60, 59, 0.9)])
def test_the_bound_is_never_below_the_true_chance(n, right, p):
    """Chernoff: the chance of so many or more is at most this."""
    true = sum(comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(right, n + 1))
    assert true <= exp(-n * divergence(right / n, p)) <= 40 * true


def test_what_chance_gives_is_an_accident():
    assert divergence(0.3, 0.3) == divergence(0.2, 0.3) == 0
    assert not is_no_accident(10_000, 0.3, 0.3)
    assert not is_no_accident(FEWEST - 1, 1.0, 1e-9)
    assert is_no_accident(20, 1.0, 0.5)
    assert not is_no_accident(19, 1.0, 0.5)
