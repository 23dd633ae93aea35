"""How unlikely it is that rows agree so often by accident."""

from __future__ import annotations

import math

import numpy as np

CHANCE = 1e-6
"""Something is said only if it happens by accident less often than this."""
FEWEST = 10
"""At least so many rows must share a value with another row, or rise together, before anything is said."""


def divergence(seen: float, by_chance: float) -> float:
    """How unlikely it is, for each row, to agree so often by chance (Chernoff's bound, as a logarithm)."""
    if seen <= by_chance:
        return 0.0
    p = min(max(by_chance, 1e-300), 1 - 1e-12)
    rest = (1 - seen) * np.log((1 - seen) / (1 - p)) if seen < 1 else 0.0
    return float(seen * np.log(seen / p) + rest)


def is_no_accident(n: int, seen: float, by_chance: float) -> bool:
    """Whether so many trials succeed this often by chance in fewer than one case in a million."""
    return n >= FEWEST and n * divergence(seen, by_chance) > -math.log(CHANCE)
