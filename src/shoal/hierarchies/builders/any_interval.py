"""Any interval: a group shows the least and the greatest of its numbers or dates.

Not laminar, so no guarantee holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from shoal.errors import PolicyError
from shoal.hierarchies.builders.dates import days_of
from shoal.hierarchies.builders.intervals import PLAIN
from shoal.hierarchies.encoded import Arrangement, Encoded, ValuesError, in_order
from shoal.hierarchies.stack import Layer
from shoal.text.dates import date_forms
from shoal.text.labels import interval_label
from shoal.text.numbers import Floats, parse_numbers

MOST_LEVELS = 10


@dataclass(frozen=True)
class AnyInterval:
    """Intervals that follow the groups. The tree to search on halves the sorted values again and again."""

    name: ClassVar[str] = "any_interval"

    @property
    def description(self) -> str:
        return "any interval"

    def build(self, column: str, values: Sequence[str], has_missing: bool) -> Encoded:
        place, are_numbers = _positions(column, values)
        leaves, rank, place = in_order(values, place)
        bounds = np.column_stack([place, place]) if are_numbers else None
        return Arrangement(leaves, halves(leaves, bounds), rank, bounds).encoded(self, has_missing, "interval")

    def to_toml(self) -> Any:
        return {self.name: True}

    @classmethod
    def from_toml(cls, value: Any, **options: Any) -> AnyInterval:
        if value is not True or options:
            raise PolicyError("Write { any_interval = true }, with nothing beside it.")
        return cls()


def _positions(column: str, values: Sequence[str]) -> tuple[Floats, bool]:
    """Where each value stands on its line: its number, or its day; and whether they are numbers."""
    number, wrong = parse_numbers(values)
    if not len(wrong):
        return number, True
    if 0 in date_forms(values).values():
        return days_of(column, values).astype(np.float64), False
    raise ValuesError(
        column, wrong, len(values), "cannot be read as plain numbers, nor all of them as dates in one form", PLAIN
    )


def halves(leaves: Sequence[str], bounds: Floats | None = None) -> list[Layer]:
    """Blocks of neighbouring values, each layer's twice the size of the one below."""
    n = len(leaves)
    depth = min(MOST_LEVELS, max(int(np.ceil(np.log2(max(n, 1)))), 0))
    layers = []
    for l in range(depth - 1, 0, -1):
        block = np.arange(n, dtype=np.int64) * 2**l // n
        first = np.flatnonzero(np.diff(block, prepend=-1))
        last = np.append(first[1:], n) - 1
        labels = [
            interval_label(leaves[a], leaves[b], closed=True)
            for a, b in zip(first.tolist(), last.tolist(), strict=True)
        ]
        layers.append(
            Layer(block, labels, None if bounds is None else np.column_stack([bounds[first, 0], bounds[last, 1]]))
        )
    return layers


def any_interval() -> AnyInterval:
    """Numbers or dates by whatever interval a group needs."""
    return AnyInterval()
