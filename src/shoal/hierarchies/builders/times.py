"""Times of a day, by hours, by quarters of the day and by its halves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from shoal.errors import PolicyError
from shoal.hierarchies.encoded import Arrangement, Encoded, Longs, ValuesError, in_order
from shoal.hierarchies.stack import Layer
from shoal.text.dates import parse_times
from shoal.text.labels import interval_label

HOURS = (1, 6, 12)
ADVICE = "Write all of them like 07:05 or 07:05:30, leave the cell empty, or give the column another hierarchy."


@dataclass(frozen=True)
class Times:
    """Hours, quarters and halves of the day."""

    name: ClassVar[str] = "times"

    @property
    def description(self) -> str:
        return "times by hour, quarter and half of the day"

    def build(self, column: str, values: Sequence[str], has_missing: bool) -> Encoded:
        return self.arrange(column, values).encoded(self, has_missing)

    def arrange(self, column: str, values: Sequence[str]) -> Arrangement:
        """The values by time."""
        second, wrong = parse_times(values)
        if len(wrong):
            raise ValuesError(column, wrong, len(values), "cannot be read as times of a day", ADVICE)
        leaves, rank, second = in_order(values, second)
        return Arrangement(leaves, [_layer(second, hours) for hours in HOURS], rank)

    def to_toml(self) -> Any:
        return {self.name: True}

    @classmethod
    def from_toml(cls, value: Any, **options: Any) -> Times:
        if value is not True or options:
            raise PolicyError("Write { times = true }, with nothing beside it.")
        return cls()


def _layer(second: Longs, hours: int) -> Layer:
    starts, block = np.unique(second // (hours * 3600), return_inverse=True)
    return Layer(block, [interval_label(f"{s * hours:02d}:00", f"{(s + 1) * hours:02d}:00") for s in starts.tolist()])


def times() -> Times:
    """Times of a day by hour, quarter and half.

    >>> times().description
    'times by hour, quarter and half of the day'
    """
    return Times()
