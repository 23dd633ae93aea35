"""What a measure of information loss is.

A *cell* measure prices what a cell was generalized to: ``loss = price(node) − offset(leaf)``. The offset is zero for
all of them except the non-uniform ones. There it is the same for a row whatever is done to it, so an algorithm may
minimise prices and ignore it. A *group* measure is a function of the sizes of the groups and is only reported.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from shoal.hierarchies.tree import Tree

Counts = NDArray[np.int64]
Leaves = NDArray[np.int32]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Sets:
    """A list of sets of leaves, end to end: set i is ``leaves[start[i]:start[i + 1]]``, sorted."""

    start: NDArray[np.int64]
    leaves: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.start) - 1

    def __getitem__(self, i: int) -> NDArray[np.int32]:
        return self.leaves[self.start[i] : self.start[i + 1]]


@dataclass(frozen=True)
class SetForm:
    """What any set of values costs, as one of the few forms that the search computes by itself while groups change."""

    form: Literal["bits", "rows-bits", "log-rows", "root-rows", "leaves", "several"] | None
    """The entropy of the set; that times its rows; log2 of its rows; their square root; its values minus one; 1 if it
    has several values. None: none of them.
    """
    scale: Callable[[float, Tree, Counts], float] = lambda weight, tree, count: weight
    """What the form is multiplied by, from the column's weight."""
    is_width: bool = False
    """Whether numbers on a line are priced by the share of the domain's width instead."""


@dataclass(frozen=True)
class Measure:
    """A measure of the loss of single cells, from the tree of a column and the counts of its leaves in the table."""

    name: str
    title: str
    formula: str
    reference: str
    price: Callable[[Tree, Counts], Floats]
    """Price of each node of a tree."""
    set_price: Callable[[Tree, Counts, Sets], Floats]
    """Price of each set of leaves, for generalizations that are not nodes (any interval, any subset)."""
    offset: Callable[[Tree, Counts], Floats] | None = None
    """What to subtract for each leaf; None for zero."""
    set_form: SetForm | None = None
    """How the search prices any set while groups change; None: a set costs what the smallest node around it does."""
    pair_floor: Callable[[Counts, Leaves, Leaves], Floats] | None = None
    """Where it is not monotone: the least cost of a set that holds these two values and any others, for bounds on
    columns that are generalized freely. None: nothing is known, and the bound counts such a column as free of cost."""
    lean: float = 0.5
    """For analysts of a release that minimised this measure: the likelihood that a value was hidden is proportional to
    its frequency to the power of this number minus one. At 1, rare values are hidden no more often than frequent ones.
    """
    monotone: bool = True
    """Whether a superset never costs less, on every tree and table."""
    reads: Literal["label", "hierarchy", "table"] = "table"
    """What decides a price: the released label alone, the hierarchy too, or also the values of the table, which a
    release hides.
    """

    @property
    def pays_by_own_value(self) -> bool:
        """Whether rows of one group pay differently, each by its own value."""
        return self.offset is not None


@dataclass(frozen=True)
class GroupMeasure:
    """A measure of the sizes of the groups; reported, never minimised."""

    name: str
    title: str
    formula: str
    reference: str
