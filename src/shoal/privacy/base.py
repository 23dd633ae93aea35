"""What a privacy criterion is: counts in, verdict out, nothing else.

Every criterion here is closed under merging: if two groups satisfy it, so does their union. Algorithms rely on it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Criterion:
    """A promise about the sensitive values of every group."""

    name: str
    title: str
    reference: str
    reached: Callable[[NDArray[np.int64], NDArray[np.int64], dict[str, float]], NDArray[np.float64]]
    """``(histograms (n_groups, n_values), histogram of the whole table, parameters)`` → the value each group reaches."""
    is_met: Callable[[NDArray[np.float64], dict[str, float]], NDArray[np.bool_]]
    """Whether each reached value satisfies the parameters."""
    worst: Callable[[NDArray[np.float64]], float]
    """The weakest group's value: the minimum for l-diversity, the maximum for t-closeness."""


@dataclass(frozen=True)
class Demand:
    """A criterion asked for one sensitive column, with its parameters (``{"l": 3}``)."""

    criterion: Criterion
    column: str
    parameters: dict[str, float]

    def text(self) -> str:
        inner = ", ".join(f"{key}={value:g}" for key, value in self.parameters.items())
        return f"{self.criterion.name}({inner}) of '{self.column}'"
