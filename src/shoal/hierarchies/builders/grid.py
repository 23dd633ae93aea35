"""Grid: numbers of very different size, cut at 1, 2 and 5 times the powers of ten, and at the powers of ten alone.

Equal widths put nearly all of a skewed column into one interval. Here an interval is about as wide as its numbers are
large.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from shoal.errors import HierarchyError, PolicyError
from shoal.hierarchies.builders.intervals import LARGEST, numbers_of, spread_out
from shoal.hierarchies.encoded import Arrangement, Encoded, in_order
from shoal.hierarchies.stack import Layer
from shoal.text.labels import interval_label, number_text
from shoal.text.numbers import Floats

STEPS = (("1", "1.5", "2", "3", "4", "5", "6", "7", "8", "9"), ("1", "2", "5"), ("1",))
"""Where the intervals of each level begin, from fine to coarse, as multiples of a power of ten."""
DECADES = 4
"""So many powers of ten below the largest number have intervals of their own; smaller numbers lie in one interval with
0.
"""
MOST_IN_ONE = 0.75
"""A level on which one interval holds more than this share of the values is left out: it says too little."""


@dataclass(frozen=True)
class Grid:
    """The grid is told by the least and the greatest number."""

    name: ClassVar[str] = "grid"

    @property
    def description(self) -> str:
        return "a grid of 1, 2, 5 times powers of ten"

    def build(self, column: str, values: Sequence[str], has_missing: bool) -> Encoded:
        return self.arrange(column, values).encoded(self, has_missing)

    def arrange(self, column: str, values: Sequence[str]) -> Arrangement:
        """The values by size, cut at the lines of each level."""
        leaves, rank, number = in_order(values, numbers_of(column, values))
        if len(number) and np.abs(number).max() > LARGEST:
            raise HierarchyError(f"Column '{column}': its numbers are too large for a grid.")
        layers = [_layer(number, lines) for lines in _levels(number)] if len(number) else []
        return Arrangement(leaves, layers, rank, np.column_stack([number, number]))

    def to_toml(self) -> Any:
        return {self.name: True}

    @classmethod
    def from_toml(cls, value: Any, **options: Any) -> Grid:
        if value is not True or options:
            raise PolicyError("Write { grid = true }, with nothing beside it.")
        return cls()


def _levels(number: Floats) -> list[list[Decimal]]:
    """The lines of each level on which several intervals hold values and none holds nearly all.

    Nested: a level's lines are among the finer level's.
    """
    top = int(np.floor(np.log10(np.abs(number).max()))) if np.abs(number).max() > 0 else 0
    kept: list[list[Decimal]] = []
    before = len(number)
    for steps in STEPS:
        above = [Decimal(s).scaleb(e) for e in range(top - DECADES, top + 2) for s in steps]
        lines = sorted([-x for x in above] + [Decimal(0)] + above)
        n_blocks = np.unique(_block(number, lines), return_counts=True)[1]
        if 1 < len(n_blocks) < before and (not kept or n_blocks.max() <= MOST_IN_ONE * len(number)):
            kept.append(lines)
            before = len(n_blocks)
    return kept


def _block(number: Floats, lines: Sequence[Decimal]) -> np.ndarray[Any, np.dtype[np.int64]]:
    """The interval of each number: that of the last line not above it."""
    return np.searchsorted(np.array([float(x) for x in lines]), number, side="right").astype(np.int64) - 1


def _layer(number: Floats, lines: Sequence[Decimal]) -> Layer:
    starts, block = np.unique(_block(number, lines), return_inverse=True)
    labels = [interval_label(number_text(lines[i]), number_text(lines[i + 1])) for i in starts.tolist()]
    ends = np.array([[float(lines[i]), float(lines[i + 1])] for i in starts.tolist()])
    return Layer(block, labels, np.clip(ends, number[0], number[-1]))


def is_skewed(number: Floats, counts: NDArray[np.int64] | None = None) -> bool:
    """Whether the greatest of some numbers lie so far from the middle that equal widths would say little of the
    rest.
    """
    if len(number) < 20 or number.min() < 0 or number.max() > LARGEST:
        return False
    rows = number if counts is None else spread_out(number, counts)
    low, middle, high = np.quantile(rows[rows > 0], [0.02, 0.5, 0.98])
    is_long = high - middle > 4 * (middle - low) and high >= 6 * middle
    return bool(is_long or number.max() > 20 * middle)


def grid() -> Grid:
    """Numbers of very different size by intervals about as wide as they are large.

    >>> grid().description
    'a grid of 1, 2, 5 times powers of ten'
    """
    return Grid()
