"""Shamir's shares: points of a polynomial whose value at 0 is the secret, in the clear and in the exponent."""

from __future__ import annotations

import math
from collections.abc import Sequence

from shoal.protocol.group import Group


def random_polynomial(group: Group, threshold: int) -> list[int]:
    """Coefficients of a random polynomial of degree ``threshold − 1``, constant first."""
    return [group.random_scalar() for _ in range(threshold)]


def evaluate(coefficients: Sequence[int], point: int, order: int) -> int:
    """The polynomial's value, by Horner's rule.

    >>> evaluate([1, 2, 3], 10, 1009)
    321
    """
    value = 0
    for c in reversed(coefficients):
        value = (value * point + c) % order
    return value


def lagrange(points: Sequence[int], at: int, order: int) -> list[int]:
    """The weight of each point's value in the value at ``at``: products of (at − l) / (i − l) over the other points l.

    >>> order = 1009
    >>> shares = [evaluate([5, 7, 11], x, order) for x in (1, 2, 4)]
    >>> sum(w * s for w, s in zip(lagrange([1, 2, 4], 0, order), shares)) % order
    5
    """
    weights = []
    for i in points:
        above, below = 1, 1
        for l in points:
            if l != i:
                above = above * (at - l) % order
                below = below * (i - l) % order
        weights.append(above * pow(below, -1, order) % order)
    return weights


def lagrange_many(points: Sequence[int], wanted: Sequence[int], order: int) -> list[list[int]]:
    """:func:`lagrange` at many places; what does not depend on the place is inverted once.

    >>> lagrange_many([2, 4, 6], [1, 3], 1009) == [lagrange([2, 4, 6], at, 1009) for at in (1, 3)]
    True
    """
    scale = [pow(math.prod(i - l for l in points if l != i), -1, order) for i in points]
    return [
        [s * math.prod(at - l for l in points if l != i) % order for s, i in zip(scale, points, strict=True)]
        for at in wanted
    ]


def basis(points: Sequence[int], order: int) -> list[list[int]]:
    """Row i holds the coefficients of the polynomial that is 1 at point i and 0 at the others."""
    rows = []
    for i in points:
        row, below = [1], 1
        for l in points:
            if l != i:
                row = [(a - l * b) % order for a, b in zip([0, *row], [*row, 0], strict=True)]
                below = below * (i - l) % order
        scale = pow(below, -1, order)
        rows.append([c * scale % order for c in row])
    return rows


def coefficients_in_exponent(group: Group, points: Sequence[int], values: Sequence[bytes]) -> list[bytes]:
    """From h^P(i) at as many points as P has coefficients: h raised to each coefficient, constant first."""
    rows = basis(points, group.order)
    return [group.combine(values, [row[l] for row in rows]) for l in range(len(points))]


def evaluate_in_exponent(group: Group, coefficients: Sequence[bytes], point: int) -> bytes:
    """h^P(point) by Horner's rule: one exponentiation by the (small) point for each coefficient but one."""
    value = coefficients[-1]
    for c in reversed(coefficients[:-1]):
        value = group.multiply(group.power(value, point), c)
    return value
