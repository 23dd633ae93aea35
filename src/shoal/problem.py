"""Problem and Solution: the only types an algorithm sees.

A Problem is numbers: leaf codes with equal rows folded, one tree with its node prices per quasi-identifier, k, and what else
was demanded. A Solution is a group for each unit and what each group shows. Neither knows text or files.

A *unit* is what a search moves: some rows of one tuple, with the same sensitive values, that stay together. Rows of one *kind* (one tuple,
one set of sensitive values) cannot be told apart here, so a kind begins as one unit. An algorithm cuts it up as far as it needs to:
into single rows (:meth:`Problem.by_rows`), or into some loose rows and one unit for the rest (:meth:`Problem.loosened`).
What was solved is a :class:`Plan`: how many rows of each kind go to which group.

Prices are monotone by construction. Where a measure is not (entropy on some trees), a node may be shown as one of its
ancestors if that costs less, so ``price`` is the cheapest ancestor's and ``shown`` says which ancestor that is: the optimum
over all allowed supersets is then the optimum over closures, and every guarantee that needs monotonicity holds.

Some columns may be generalized freely (any interval, any subset). They still have a tree, a *stand-in* that algorithms
search on; what a group of them shows is its own interval or set, priced by the measure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from shoal import kernels
from shoal.hierarchies.tree import Tree
from shoal.measures.base import Measure, Sets
from shoal.plan import Plan, plan_of_units
from shoal.privacy.base import Demand

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Floats = NDArray[np.float64]
Free = Literal["interval", "subset"]


@dataclass(frozen=True, eq=False)
class QuasiIdentifier:
    """One quasi-identifier as an algorithm sees it."""

    name: str
    tree: Tree
    count: Longs
    """How often each leaf occurs in the table."""
    price: Floats
    """Price of each node, weighted and monotone."""
    offset: Floats
    """What to subtract for each leaf, weighted; all zero except for non-uniform entropy."""
    shown: Ints
    """The node that is published for each node: itself or a cheaper ancestor; the root for a missing cell that is to be starred."""
    free: Free | None = None
    """None for a laminar hierarchy."""
    weight: float = 1.0

    @property
    def has_missing(self) -> bool:
        """Whether the last leaf stands for missing cells."""
        return self.tree.labels[self.tree.n_leaves - 1] is None


def quasi_identifier(
    name: str,
    tree: Tree,
    count: Longs,
    measure: Measure,
    weight: float = 1.0,
    free: Free | None = None,
    starred: int | None = None,
) -> QuasiIdentifier:
    """Price a column's tree: weighted, and made monotone by letting a node be shown as a cheaper ancestor.

    ``starred`` is a leaf that is shown as the root whatever happens (a missing cell that is to be suppressed).
    """
    price = weight * measure.price(tree, count)
    offset = weight * measure.offset(tree, count) if measure.offset else np.zeros(tree.n_leaves)
    shown = np.arange(tree.n_nodes, dtype=np.int32)
    if free is None and not measure.monotone:
        price, shown = kernels.cheapest_ancestors(tree.parent, price)
    if starred is not None:
        price[starred], shown[starred] = price[tree.root], tree.root
    return QuasiIdentifier(name, tree, count, price, offset, shown, free, weight)


@dataclass(frozen=True, eq=False)
class Problem:
    """Find groups of at least k rows that cost least."""

    columns: tuple[QuasiIdentifier, ...]
    codes: Ints
    """Leaf code of each distinct tuple, shape (n_tuples, n_columns), C-contiguous."""
    weight: Longs
    """How many rows carry each tuple."""
    tuple_of_unit: Ints
    rows_of_unit: Ints
    """How many rows each unit stands for."""
    kind_of_unit: Ints
    k: int
    measure: Measure
    demands: tuple[Demand, ...] = ()
    sensitive: tuple[Ints, ...] = ()
    """For each demand, the code of its sensitive value in each unit."""
    max_withheld: int = 0
    """How many rows may be left out at no cost."""
    deletion: bool = False
    """The paper's row deletion: any row may be left out, at the price of suppressing it whole. Then none may be left out at no cost."""
    seed: int = 0
    time_limit: float | None = None
    stop_at_ratio: float = 1.0
    effort: float = 1.0
    """How much work a search gets, in multiples of what a table of its size usually gets."""

    def __post_init__(self) -> None:
        if self.deletion and self.max_withheld:
            raise ValueError("rows leave at a price or for nothing, and not both")
        if self.n_rows >= self.k:  # one group stays
            object.__setattr__(self, "max_withheld", min(self.max_withheld, self.n_rows - self.k))

    @cached_property
    def n_rows(self) -> int:
        return int(self.weight.sum())

    @property
    def n_units(self) -> int:
        return len(self.tuple_of_unit)

    @property
    def n_tuples(self) -> int:
        return len(self.codes)

    @property
    def n_columns(self) -> int:
        return len(self.columns)

    @property
    def is_laminar(self) -> bool:
        """Whether every column is generalized along a tree."""
        return all(c.free is None for c in self.columns)

    @property
    def has_offset(self) -> bool:
        """Whether rows of one group pay differently, as by root share: the papers' factors do not carry over."""
        return any(c.offset.any() for c in self.columns)

    @cached_property
    def packed(self) -> kernels.Packed:
        """All trees end to end, as the kernels take them."""
        return kernels.pack([c.tree.parent for c in self.columns], [c.price for c in self.columns])

    @cached_property
    def offset_of_tuple(self) -> Floats:
        """What is subtracted for each tuple, over all columns."""
        total = np.zeros(self.n_tuples)
        for j, column in enumerate(self.columns):
            total += column.offset[self.codes[:, j]]
        return total

    @cached_property
    def units_by_tuple(self) -> Longs:
        """The units, ordered by their tuple. Where each is a row, the first ``weight[0]`` of them carry tuple 0, and so on."""
        return np.argsort(self.tuple_of_unit, kind="stable")

    @cached_property
    def price_of_suppression(self) -> float:
        """The price of a row of which every cell is suppressed."""
        return float(sum(c.price[c.tree.root] for c in self.columns))

    @property
    def may_withhold(self) -> bool:
        """Whether rows may be left out, at a price or not."""
        return self.deletion or self.max_withheld > 0

    @property
    def most_withheld(self) -> int:
        """How many rows may be left out, at a price or not."""
        return max(self.n_rows - self.k, 0) if self.deletion else self.max_withheld

    def price_of_deletion(self, left_out: NDArray[np.integer[Any]]) -> float:
        """What is paid for so many rows of each tuple that are left out: nothing, or with row deletion the price of suppressing them whole."""
        if not self.deletion:
            return 0.0
        return float(((self.price_of_suppression - self.offset_of_tuple) * left_out).sum())

    def over(self, rows: NDArray[np.integer[Any]] | NDArray[np.bool_]) -> Problem:
        """The same problem over so many rows of each unit, with the prices of the whole table."""
        kept = np.flatnonzero(rows)
        left = np.asarray(rows, dtype=np.int64)[kept]
        tuples, tuple_of_unit = np.unique(self.tuple_of_unit[kept], return_inverse=True)
        return replace(
            self.with_units(kept, left),
            codes=np.ascontiguousarray(self.codes[tuples]),
            weight=np.bincount(tuple_of_unit, weights=left, minlength=len(tuples)).astype(np.int64),
            tuple_of_unit=tuple_of_unit.astype(np.int32),
            max_withheld=0,
            deletion=False,
        )

    def with_units(self, unit: NDArray[np.integer[Any]], rows: NDArray[np.integer[Any]]) -> Problem:
        """The same rows cut into other units: which of today's each is a part of, and how many rows it has."""
        return replace(
            self,
            tuple_of_unit=self.tuple_of_unit[unit],
            rows_of_unit=rows.astype(np.int32),
            kind_of_unit=self.kind_of_unit[unit],
            sensitive=tuple(s[unit] for s in self.sensitive),
        )

    def by_rows(self) -> Problem:
        """Every row a unit of its own: for algorithms that look at single rows."""
        if self.n_units == self.n_rows:
            return self
        unit = np.repeat(np.arange(self.n_units), self.rows_of_unit)
        return self.with_units(unit, np.ones(len(unit), dtype=np.int32))

    def loosened(self, most: int) -> Problem:
        """Every row a unit of its own, except of units that can spare k rows beyond ``most``: there all others stay together, as an *anchor*."""
        each = self.rows_of_unit.astype(np.int64)
        has_anchor = each >= most + self.k
        parts = np.where(has_anchor, most + 1, each)
        unit = np.repeat(np.arange(self.n_units), parts)
        rows = np.ones(len(unit), dtype=np.int32)
        rows[(np.cumsum(parts) - 1)[has_anchor]] = each[has_anchor] - most
        return self if len(unit) == self.n_units else self.with_units(unit, rows)


@dataclass(frozen=True, eq=False)
class RankCut:
    """A set of tuples, and what the prices of each group inside of it may exceed what that group pays by."""

    tuples: Ints
    price: float


@dataclass(frozen=True, eq=False)
class Bound:
    """A proved lower bound on the loss of every release, whichever rows it leaves out of those it may, and what proves it."""

    name: str
    value: float
    prices: Floats | None = None
    """A price for each tuple that proves the value, where the bound has such a witness."""
    note: str = ""
    cuts: tuple[RankCut, ...] = ()
    """What the prices need besides, to prove the value: for each cut as much is taken off as groups fit into it."""


@dataclass(frozen=True)
class Moment:
    """Where a run stood: for the curve of loss and bound."""

    stage: str
    work: float
    loss: float | None
    bound: float | None


@dataclass(frozen=True, eq=False)
class Solution:
    """A group for each unit, and what each group shows."""

    problem: Problem = field(repr=False)
    """What was solved: the problem that was given, perhaps cut into other units."""
    group: Ints
    """Group of each unit, numbered from 0 without gaps; −1 for one that is withheld."""
    nodes: Ints
    """What each group shows, shape (n_groups, n_columns): a node, or for a free column a number into ``sets``."""
    sets: tuple[Sets | None, ...]
    """For each free column the sets that its groups show; None for a tree."""
    loss: float
    """Loss in the problem's measure: of the released rows and, with row deletion, of the others, as if they were suppressed whole."""
    guarantee: float | None = None
    """Proved factor on the optimum; None for no guarantee."""
    note: str = ""
    """In words: what is guaranteed, or why nothing is."""
    bound: Bound | None = None
    history: tuple[Moment, ...] = field(default=())
    is_repeatable: bool = True
    """Whether the same problem gives the same solution again: not if the clock or the user stopped the run."""

    @property
    def n_groups(self) -> int:
        return len(self.nodes)

    @property
    def n_withheld(self) -> int:
        return int(self.problem.rows_of_unit[self.group < 0].sum())

    @property
    def most_loss(self) -> float:
        """What suppressing every cell would lose, of the rows that the loss counts: those released, and with row deletion all."""
        problem = self.problem
        rows = problem.rows_of_unit * (self.group >= 0) if not problem.deletion else problem.rows_of_unit
        return float(((problem.price_of_suppression - problem.offset_of_tuple[problem.tuple_of_unit]) * rows).sum())

    @cached_property
    def sizes(self) -> Longs:
        """How many rows each group has."""
        found = sizes_of(self.problem, self.group, self.n_groups)
        found.setflags(write=False)
        return found

    @cached_property
    def plan(self) -> Plan:
        """How many rows of each kind go to which group."""
        return plan_of_units(self.problem.kind_of_unit, self.group, self.problem.rows_of_unit)


def sizes_of(problem: Problem, group: Ints, n_groups: int) -> Longs:
    """How many rows each group has; units of group −1 have none."""
    kept = group >= 0
    return np.bincount(group[kept], weights=problem.rows_of_unit[kept], minlength=n_groups).astype(np.int64)


class Watch:
    """Is told how a run goes, and may ask it to stop. This default ignores what it is told and never asks."""

    def tell(
        self,
        stage: str,
        done: float | None = None,
        loss: float | None = None,
        bound: float | None = None,
    ) -> None:
        """A stage began or moved on; ``done`` is the share of it that is over, where that is known."""

    def count(self, rows: int, n_bytes: int) -> None:
        """So many rows were read in this stage, and so many bytes of the input: told where a table is read in stretches."""

    def wants_stop(self) -> bool:
        """Whether the best answer so far is to be returned now."""
        return False


def close(problem: Problem, group: Sequence[int] | Ints, **about: object) -> Solution:
    """Make a Solution of groups: number them without gaps, and let each show the least that covers its rows."""
    labels = np.asarray(group, dtype=np.int32)
    kept = np.flatnonzero(labels >= 0)
    first, _, numbered = kernels.rank_keys(labels[kept].astype(np.int64))
    final = np.full(problem.n_units, -1, dtype=np.int32)
    final[kept] = numbered
    n_groups = len(first)
    tuples = problem.tuple_of_unit[kept]
    closure = kernels.closures(problem.packed, problem.codes, tuples, final[kept], n_groups)
    size = sizes_of(problem, final, n_groups)
    nodes = np.empty((n_groups, problem.n_columns), dtype=np.int32)
    sets: list[Sets | None] = []
    away = labels < 0
    left_out = np.bincount(problem.tuple_of_unit[away], weights=problem.rows_of_unit[away], minlength=problem.n_tuples)
    loss = problem.price_of_deletion(left_out) - float((problem.offset_of_tuple[tuples] * problem.rows_of_unit[kept]).sum())
    for j, column in enumerate(problem.columns):
        if column.free is None:
            nodes[:, j] = column.shown[closure[:, j]]
            paid = column.price[closure[:, j]]
            sets.append(None)
        else:
            shown = _free_sets(column, problem.codes[tuples, j], final[kept], n_groups)
            paid = column.weight * problem.measure.set_price(column.tree, column.count, shown)
            nodes[:, j] = np.arange(n_groups)
            sets.append(shown)
        loss += float((paid * size).sum())
    return Solution(problem, final, nodes, tuple(sets), max(loss, 0.0), **about)  # type: ignore[arg-type]


def _free_sets(column: QuasiIdentifier, leaves: Ints, group: Ints, n_groups: int) -> Sets:
    """What each group of a free column shows: its own values, or all values between the least and the greatest.

    A missing cell lies between no two values: a group that has one beside others shows the whole domain.
    """
    n_leaves = column.tree.n_leaves
    keys = group.astype(np.int64) * n_leaves + leaves
    pairs = keys[kernels.rank_keys(keys)[0]]
    of_group, leaf = np.divmod(pairs, n_leaves)
    start = np.searchsorted(of_group, np.arange(n_groups + 1))
    whole = np.zeros(n_groups, dtype=bool)
    if column.has_missing:
        whole[of_group[leaf == n_leaves - 1]] = True
        whole &= np.diff(start) > 1
    if column.free == "subset" and not whole.any():
        return Sets(start.astype(np.int64), leaf.astype(np.int32))
    if column.free == "subset":
        return _with_whole(start, leaf, whole, n_leaves)
    low = np.where(whole, 0, leaf[start[:-1]])
    length = np.where(whole, n_leaves, leaf[start[1:] - 1] - low + 1)
    begin = np.concatenate([[0], np.cumsum(length)])
    short = np.int32 if begin[-1] < 2**31 else np.int64  # wide intervals of very many groups have very many leaves
    between = np.arange(begin[-1], dtype=short)
    between -= np.repeat((begin[:-1] - low).astype(short), length)
    return Sets(begin, between.astype(np.int32, copy=False))


def _with_whole(start: Longs, leaf: Longs, whole: NDArray[np.bool_], n_leaves: int) -> Sets:
    """The same sets, except that some become the whole domain."""
    parts = [np.arange(n_leaves) if all_of_it else leaf[a:b] for a, b, all_of_it in zip(start[:-1], start[1:], whole, strict=True)]
    begin = np.concatenate([[0], np.cumsum([len(part) for part in parts])])
    return Sets(begin.astype(np.int64), np.concatenate(parts).astype(np.int32))
