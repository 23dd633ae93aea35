"""What a privacy criterion is: counts in, verdict out, nothing else.

Every criterion here is closed under merging: if two groups satisfy it, so does their union. Algorithms rely on it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Floats = NDArray[np.float64]
Parameters = Mapping[str, float]
TOLERANCE = 1e-9
"""How far a figure may be beyond what is asked, for the rounding of its sum."""


@dataclass(frozen=True, eq=False)
class Histogram:
    """How often each sensitive value occurs in each group: only what does occur, sorted by group, then value.

    The values are numbered in their own order (numbers by size, texts alphabetically), which t-closeness for numbers
    needs.
    """

    group: Longs
    value: Longs
    count: Longs
    n_groups: int
    whole: Longs
    """How often each value occurs in the whole table."""
    missing: int | None = None
    """The value that stands for a missing cell; the greatest, if there is one."""

    def most_likely(self) -> Histogram:
        """Each missing cell counted as the commonest value of its group: the least diverse table that the cells may
        hide.

        That adds to the group's largest count, which no other way of filling the cells exceeds; so what holds here
        holds however they are filled, and it survives merging as the criterion itself does.
        """
        gone = self.value == self.missing
        if self.missing is None or not gone.any():
            return self
        n_missing = np.bincount(self.group[gone], weights=self.count[gone], minlength=self.n_groups).astype(np.int64)
        group, value, count = self.group[~gone], self.value[~gone], self.count[~gone].copy()
        order = np.lexsort((-count, group))
        first = order[np.flatnonzero(np.diff(group[order], prepend=-1))]
        count[first] += n_missing[group[first]]
        empty = np.setdiff1d(self.group[gone], group)  # nothing but missing cells: one value at most
        group, value = np.append(group, empty), np.append(value, np.full(len(empty), self.missing))
        count = np.append(count, n_missing[empty])
        turn = np.lexsort((value, group))
        return Histogram(group[turn], value[turn], count[turn], self.n_groups, self.whole)

    def lift(self) -> Floats:
        """The share of each value in its group over its share in the whole table: one division of whole numbers, so
        that a limit is met exactly.
        """
        return np.asarray((self.count * int(self.whole.sum())) / (self.sizes()[self.group] * self.whole[self.value]))

    def n_different(self) -> Longs:
        """How many different values each group has; a missing cell is not one."""
        there = self.group if self.missing is None else self.group[self.value != self.missing]
        return np.bincount(there, minlength=self.n_groups).astype(np.int64)

    def per_group(self, amount: NDArray[np.generic]) -> Floats:
        """Sum a quantity over the values of each group."""
        return np.bincount(self.group, weights=amount, minlength=self.n_groups).astype(np.float64)

    def sizes(self) -> Longs:
        """How many rows each group has."""
        return self.per_group(self.count).astype(np.int64)


def histogram(
    group: Ints, value: Ints, n_groups: int, whole: Longs | None = None, rows: NDArray[np.integer[Any]] | None = None
) -> Histogram:
    """Count values per group; rows with a negative group are left out. ``whole`` defaults to the counts over all rows
    given.

    With ``rows``, an entry stands for so many rows.
    """
    n_values = int(value.max()) + 1 if len(value) else 0
    if whole is None:
        whole = np.bincount(value, weights=rows, minlength=n_values).astype(np.int64)
    kept = group >= 0
    pair, place = np.unique(group[kept].astype(np.int64) * max(len(whole), 1) + value[kept], return_inverse=True)
    count = np.bincount(place, weights=None if rows is None else rows[kept], minlength=len(pair))
    of_group, of_value = np.divmod(pair, max(len(whole), 1))
    return Histogram(of_group, of_value, count.astype(np.int64), n_groups, whole)


@dataclass(frozen=True, eq=False)
class Primitive:
    """What the search can check of a group while it grows: one of a few forms, with its numbers."""

    form: str
    """``distinct``, ``entropy``, ``recursive``, ``close``, ``close-ordered``, ``capped``."""
    l: float = 0.0
    c: float = 0.0
    """For ``recursive``, its c. For ``capped``, the least part of its cap that every value must have; 0 for none."""
    t: float = 0.0
    cap: Floats | None = None
    """For ``capped``: the greatest share that each value may have in a group."""
    takes_missing: bool = False
    """For ``capped``: whether a missing cell is a value like any other; if not, it counts as each of the other
    values.
    """


@dataclass(frozen=True)
class Parameter:
    """A number that a criterion takes, and what it may be."""

    name: str
    words: str
    """What it says, in a few words."""
    least: float = 0.0
    most: float = math.inf
    is_whole: bool = False
    is_above: bool = False
    """Whether it must be above ``least``, not only at it."""

    def check(self, value: float) -> str | None:
        """Why this value makes no sense; None if it does."""
        fits = math.isfinite(value) and self.least <= value <= self.most and not (self.is_above and value == self.least)
        if fits and not (self.is_whole and value != int(value)):
            return None
        kind = "a whole number" if self.is_whole else "a number"
        if self.most < math.inf:
            return f"{self.name} must be {kind} between {self.least:g} and {self.most:g}"
        return f"{self.name} must be {kind} {'above' if self.is_above else 'of at least'} {self.least:g}"


@dataclass(frozen=True)
class Criterion:
    """A promise about every group. All that anybody needs to know of a criterion is declared here, and nowhere else."""

    name: str
    title: str
    reference: str
    parameters: tuple[Parameter, ...]
    """What it takes, the main one first."""
    reached: Callable[[Histogram, Parameters], Floats]
    """What each group reaches, in the unit of the main parameter."""
    is_met: Callable[[Floats, Parameters], NDArray[np.bool_]]
    """Whether each reached value satisfies the parameters."""
    worst: Callable[[Floats], float]
    """The weakest group's value: the least where more is better, else the greatest."""
    shorthand: str = ""
    """The key of a policy and the option that may stand for it, such as ``l_diversity``; criteria may share one."""
    kind: str = ""
    """Which of those that share a shorthand it is. The first of the catalog is meant where none is named."""
    uses_order: bool = False
    """Whether the order of numbers matters to it: it is then told by the parameter ``ordered`` whether the column has
    one.
    """
    compares_with_whole: bool = False
    """Whether what a group reaches depends on the values of the whole table, and so on rows that are withheld."""
    is_closed: bool = True
    """Whether two groups that satisfy it satisfy it together. Algorithms merge groups; they can only serve such
    criteria.
    """
    option: str = ""
    """How the command asks for it where ``--require`` does not."""
    primitive: Callable[[Parameters, Floats], Primitive] | None = None
    """How the search checks a single group, from the parameters and the shares of the values in the whole table; None:
    it cannot, and groups are merged until they keep the promise."""
    reported: tuple[str, str] | None = None
    """For the report on any sensitive column: what is reached, in words, and the form of the number; None: not shown
    unless asked.
    """
    different: str = ""
    """Where groups must hold a number of different values (a missing cell is none): the parameter that says how many.
    Bounds count on it.
    """
    about_rows: bool = False
    """Whether it counts rows, or the people they are about, and is asked of no sensitive column."""

    def check(self, parameters: Parameters) -> str | None:
        """Why these parameters make no sense; None if they do."""
        wanted = [p.name for p in self.parameters]
        if set(parameters) != set(wanted):
            return f"it takes {' and '.join(wanted)}"
        return next((wrong for p in self.parameters if (wrong := p.check(parameters[p.name]))), None)


@dataclass(frozen=True)
class Demand:
    """A criterion asked for one sensitive column, with its parameters (``{"l": 3}``)."""

    criterion: Criterion
    column: str
    parameters: Parameters
    missing: int | None = None
    """The number of a missing cell among the column's values."""

    def text(self) -> str:
        inner = ", ".join(f"{key}={value:g}" for key, value in self.parameters.items() if key != "ordered")
        return f"{self.criterion.name} ({inner}) of '{self.column}'"

    def reached(self, counts: Histogram) -> Floats:
        return self.criterion.reached(
            counts if self.missing is None else replace(counts, missing=self.missing), self.parameters
        )

    def is_met(self, counts: Histogram) -> NDArray[np.bool_]:
        """Whether each group keeps the promise."""
        return self.criterion.is_met(self.reached(counts), self.parameters)
