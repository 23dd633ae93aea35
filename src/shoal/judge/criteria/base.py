"""What the verifier knows of a criterion: its second definition, as the paper says it, of one group at a time.

The search has a definition of its own in :mod:`shoal.privacy`, of arrays over all groups at once. The two share no code, so an error in one
of them ends in ``NotAnonymous`` and not in a release. Here shares are compared in whole numbers, and divided once, at the end.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

Parameters = Mapping[str, float]
ROUNDING = 1e-9
"""A figure may be so far beyond what is asked: the search adds up shares that are rounded."""


@dataclass(frozen=True)
class Requirement:
    """What is asked of every group: a criterion by its name, the column that it is about, and its parameters (``{"l": 3}``)."""

    criterion: str
    column: str
    parameters: Parameters

    def text(self) -> str:
        inner = ", ".join(f"{key}={value:g}" for key, value in self.parameters.items())
        return f"{self.criterion} ({inner}) of '{self.column}'"


@dataclass(frozen=True)
class GroupCounts:
    """How many of some rows have each value of a column. Values are numbered from 0 in their order."""

    counts: Mapping[int, int]
    """Rows of each value that occurs, the values rising."""
    n_missing: int = 0
    """Rows in which the cell is missing."""

    @cached_property
    def n_rows(self) -> int:
        return sum(self.counts.values()) + self.n_missing

    def filled(self) -> list[int]:
        """The counts, falling, each missing cell counted as the commonest value: so it may be, and nothing that it may be is less diverse."""
        falling = sorted(self.counts.values(), reverse=True) or [0]
        return [falling[0] + self.n_missing, *falling[1:]]

    @cached_property
    def cells(self) -> dict[int | None, int]:
        """The counts with a missing cell as a value of its own."""
        found: dict[int | None, int] = dict(self.counts.items())
        if self.n_missing:
            found[None] = self.n_missing
        return found


@dataclass(frozen=True)
class WholeCounts(GroupCounts):
    """All rows of the original, whether or not they are released."""

    n_values: int = 0
    """Different values that there are, in the original or the release."""
    is_ordered: bool = False
    """Whether the values are numbers, which are near each other or far apart."""

    @cached_property
    def up_to(self) -> list[int]:
        """How many rows have each value or a lesser one."""
        return list(accumulate(self.counts.get(value, 0) for value in range(self.n_values)))

    @cached_property
    def summed(self) -> list[int]:
        """The sum of the first 0, 1, … entries of ``up_to``."""
        return list(accumulate(self.up_to, initial=0))

    def n_of(self, value: int | None) -> int:
        """How many rows have a value; None is a missing cell."""
        return self.n_missing if value is None else self.counts.get(value, 0)

    def ratio(self, group: GroupCounts, value: int | None) -> float:
        """The share of a value in a group over its share in the whole table."""
        n = group.n_missing if value is None else group.counts[value]
        return (n * self.n_rows) / (group.n_rows * self.n_of(value)) if self.n_of(value) else math.inf


@dataclass(frozen=True)
class Definition:
    """A criterion as the verifier holds a group to it."""

    name: str
    reached: Callable[[GroupCounts, WholeCounts, Parameters], float]
    """What a group reaches, in the unit of the main parameter."""
    is_enough: Callable[[float, Parameters], bool]
    """Whether that is what was asked for."""
    more_is_better: bool = False
    different: str = ""
    """Where a group must hold a number of different values: the parameter that says how many. Proofs count on it."""
    uses_order: bool = False
    """Whether it matters that values are numbers."""

    def weakest(self, reached: Iterable[float]) -> float:
        """What the weakest group reaches."""
        return min(reached, default=math.inf) if self.more_is_better else max(reached, default=0.0)
