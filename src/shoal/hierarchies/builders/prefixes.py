"""Prefixes: codes by their first characters, the rest starred so that the length stays: ``81243`` becomes ``81***``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from shoal.errors import HierarchyError, PolicyError
from shoal.hierarchies.encoded import Arrangement, Encoded, ValuesError
from shoal.hierarchies.stack import Layer

MOST_LEVELS = 5


@dataclass(frozen=True)
class Prefixes:
    """How many characters are kept on each level, many first; none at all: chosen from the data."""

    lengths: tuple[int, ...] = ()
    name: ClassVar[str] = "prefixes"

    def __post_init__(self) -> None:
        for length in self.lengths:
            if isinstance(length, bool) or not isinstance(length, int) or length < 1:
                raise HierarchyError(f"A prefix must keep a whole number of characters, at least 1, not '{length}'.")
        if len(set(self.lengths)) < len(self.lengths):
            raise HierarchyError("A prefix length is given twice. Name each once.")
        object.__setattr__(self, "lengths", tuple(sorted(self.lengths, reverse=True)))

    @property
    def description(self) -> str:
        return "prefixes of " + ", ".join(str(x) for x in self.lengths) if self.lengths else "prefixes"

    def build(self, column: str, values: Sequence[str], has_missing: bool) -> Encoded:
        starred = [i for i, v in enumerate(values) if v.endswith("*")]
        if starred:
            advice = (
                "A reader could not tell them from codes cut short. Replace the asterisk, or give the column another "
                "hierarchy."
            )
            raise ValuesError(column, starred, len(values), "{are} codes that end in *", advice)
        chosen = self.chosen(column, values)
        return chosen.arrange(column, values).encoded(chosen, has_missing)

    def chosen(self, column: str, values: Sequence[str]) -> Prefixes:
        """With lengths, if it had none."""
        return self if self.lengths else Prefixes(suggest_lengths(values))

    def arrange(self, column: str, values: Sequence[str]) -> Arrangement:
        """The values as they come, cut to each length."""
        return Arrangement(
            values, [_layer(values, length) for length in self.lengths], np.arange(len(values), dtype=np.int32)
        )

    def to_toml(self) -> Any:
        return {self.name: list(self.lengths) or True}

    @classmethod
    def from_toml(cls, value: Any, **options: Any) -> Prefixes:
        if options:
            raise PolicyError(f"prefixes takes only lengths, not '{next(iter(options))}'.")
        return prefixes(*(() if value is True else value if isinstance(value, list) else [value]))


def _layer(values: Sequence[str], length: int) -> Layer:
    """Codes with the same first characters and the same length are one block; a code that is no longer stays as it
    is.
    """
    masked = [v if len(v) <= length else v[:length] + "*" * (len(v) - length) for v in values]
    number = {label: i for i, label in enumerate(dict.fromkeys(masked))}
    return Layer(np.fromiter(map(number.__getitem__, masked), dtype=np.int64, count=len(values)), list(number))


def suggest_lengths(values: Sequence[str]) -> tuple[int, ...]:
    """Lengths at which something is lost, at most five, spread evenly from long to short."""
    longest = max(map(len, values), default=0)
    kept, before = [], len(values)
    for length in range(longest - 1, 0, -1):
        distinct = len({(v[:length], len(v)) for v in values})
        if distinct < before:
            kept.append(length)
        before = distinct
    if len(kept) > MOST_LEVELS:
        kept = [kept[round(i * (len(kept) - 1) / (MOST_LEVELS - 1))] for i in range(MOST_LEVELS)]
    return tuple(kept) or (1,)


def prefixes(*lengths: int) -> Prefixes:
    """Codes by their first characters; without lengths, they are chosen from the data.

    >>> prefixes(4, 3, 1).description
    'prefixes of 4, 3, 1'
    """
    return Prefixes(tuple(lengths))
