"""Sums by index."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def add_up(where: NDArray[np.signedinteger[Any]], amount: NDArray[Any] | None, n: int) -> NDArray[np.float64]:
    """The sum of the amounts that go to each of n places; without amounts, how many go there."""
    return np.asarray(np.bincount(where, weights=amount, minlength=n), dtype=np.float64)
