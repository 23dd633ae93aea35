"""How far from the best possible, in percent: rounded up, in the same way wherever it is said."""

from __future__ import annotations

import math


def percent_up(share: float | None, digits: int = 1) -> str:
    """A share in percent, rounded up, so that 'at most' and 'within' stay true.

    >>> percent_up(1 / 3), percent_up(0.25), percent_up(0.0271, 2)
    ('33.4 %', '25 %', '2.71 %')
    """
    scale = 10**digits
    return "–" if share is None else f"{math.ceil(100 * scale * share - 1e-9) / scale:g} %"
