"""The best release so far, what is proved about all of them, and when the two meet."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from shoal.problem import Floats, Ints


@dataclass
class Best:
    """The best release so far, and what is proved about all of them; both in prices, offsets not taken off."""

    group: Ints
    cost: float
    bound: float
    by_cuts: bool = False
    """Whether prices with cuts over groups prove the bound."""

    def prove(self, bound: float, unit: float, by_cuts: bool = False) -> None:
        """Keep a bound if it is more than what is proved.

        What no release costs less than is never above what one costs.
        """
        bound = min(self.cost, round_up(bound, unit))
        if bound > self.bound:
            self.bound, self.by_cuts = bound, by_cuts

    def keep(self, group: Ints, cost: float) -> None:
        """Keep a release if it costs less than the best."""
        if cost < self.cost:
            self.group, self.cost = group, cost


def is_proved(best: Best, unit: float) -> bool:
    return best.cost <= best.bound + tolerance(best, unit)


def round_up(bound: float, unit: float) -> float:
    """The least loss a release can have at or above a bound, where all are multiples of a unit."""
    return bound if unit == 0 else unit * math.ceil(bound / unit - 1e-6)


def tolerance(best: Best, unit: float) -> float:
    return max(1e-9 * best.cost, 1e-6 * unit, 1e-9)


def common_unit(price: Floats, n_rows: int) -> float:
    """The largest 1/m, m up to 64, of which every price is a multiple, so nearly that what all rows pay is one too; 0
    where there is none.
    """
    for m in range(1, 65):
        if np.abs(price * m - np.round(price * m)).max(initial=0.0) * max(n_rows, 1) < 1e-7:
            return 1.0 / m
    return 0.0
