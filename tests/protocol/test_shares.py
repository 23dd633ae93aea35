"""Shares interpolate, in numbers and in the exponent."""

from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.protocol import shares
from shoal.protocol.group.ristretto import Ristretto


@settings(max_examples=30)
@given(st.integers(2, 6), st.sets(st.integers(1, 1000), min_size=6, max_size=8), st.integers(1, 2000))
def test_shares_interpolate(threshold, points, at):
    order = Ristretto.order
    polynomial = [pow(7, i + at, order) for i in range(threshold)]
    chosen = sorted(points)[:threshold]
    values = [shares.evaluate(polynomial, x, order) for x in chosen]
    found = sum(w * v for w, v in zip(shares.lagrange(chosen, at, order), values, strict=True)) % order
    assert found == shares.evaluate(polynomial, at, order)


def test_interpolation_in_the_exponent_both_ways(group):
    polynomial, points = shares.random_polynomial(group, 4), [2, 6, 8, 14]
    h = group.hash_to_group(b"q", b"t")
    values = [group.power(h, shares.evaluate(polynomial, x, group.order)) for x in points]
    coefficients = shares.coefficients_in_exponent(group, points, values)
    assert coefficients == [group.power(h, c) for c in polynomial]
    expected = group.power(h, shares.evaluate(polynomial, 7, group.order))
    assert shares.evaluate_in_exponent(group, coefficients, 7) == expected
    assert group.combine(values, shares.lagrange(points, 7, group.order)) == expected
