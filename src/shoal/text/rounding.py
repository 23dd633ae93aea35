"""Shares and factors, rounded up, in the same way wherever they are said: so 'at most' stays true."""

from __future__ import annotations

import math


def percent_up(share: float | None, digits: int = 1) -> str:
    """A share in percent, rounded up.

    >>> percent_up(1 / 3), percent_up(0.25), percent_up(0.0271, 2)
    ('33.4 %', '25 %', '2.71 %')
    """
    scale = 10**digits
    return "–" if share is None else f"{math.ceil(100 * scale * share - 1e-9) / scale:g} %"


def chance_up(chance: float | None) -> str:
    """A chance with three decimals, rounded up.

    >>> chance_up(1 / 3), chance_up(0.2), chance_up(1.0), chance_up(None)
    ('0.334', '0.2', '1', '–')
    """
    return "–" if chance is None else f"{math.ceil(1000 * chance - 1e-9) / 1000:g}"


def factor_up(ratio: float | None) -> str:
    """A factor with three decimals, rounded up. It is never said as a percentage.

    'Within 98.7 %' of the best reads as nearly the best, and means nearly twice its loss.

    >>> factor_up(1.98643), factor_up(1.05), factor_up(1.0000001), factor_up(None)
    ('1.987', '1.050', '1.001', '–')
    """
    return "–" if ratio is None else f"{math.ceil(1000 * ratio - 1e-9) / 1000:.3f}"


def times_the_least(ratio: float) -> str:
    """How close to the best possible a loss or a cost is proved to be.

    >>> times_the_least(1.98643), times_the_least(1.0)
    ('at most 1.987 times the least possible', 'the least possible')
    """
    return "the least possible" if ratio <= 1 + 1e-9 else f"at most {factor_up(ratio)} times the least possible"
