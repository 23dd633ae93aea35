"""Attribute suppression: the fewest columns are suppressed whole such that the rest of the table is k-anonymous as it
is.

Problem.     Given rows and k, choose as few columns as possible to suppress in every row, so that every row agrees with
             at least k − 1 others on the columns that stay.
Guarantee.   The fewest columns, proved, unless the search was cut off (the note says which). None on the loss: other
             releases may lose far less.
Method.      Kept columns are k-anonymous only if each part of them is. Branch and bound over sets of kept columns: a
             set is extended by one column at a time, the groups of its projection refined by the column's codes;
             columns that break a set break all its extensions and are not tried again; a branch that cannot keep more
             columns than the best known is left. A greedy set comes first. Of sets of equal size the one that loses
             least is taken.
Deviations.  The paper states the problem for binary tables with exactly k zeros in a column and proves it NP-hard; any
             table is taken here. Rows in groups below k may be withheld, as many as allowed, unless other criteria were
             asked for.
Complexity.  O(n q) memory; up to 2^q projections of O(n) time each, at most 20,000 of them; after that, or when time is
             over, the best set found.
Notation.    m columns, q sets of the exact cover: m − q columns must go.
Reference.   Sun, Wang, Li. On the complexity of restricted k-anonymity problem. APWeb 2008. Section 5, theorem 6.
             Meyerson and Williams, On the complexity of optimal k-anonymity, PODS 2004.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from shoal import kernels
from shoal.algorithms.base import Algorithm
from shoal.budget import Budget
from shoal.errors import Infeasible
from shoal.measures.base import Sets
from shoal.privacy.base import histogram
from shoal.problem import Ints, Longs, Problem, Solution, Watch, sizes_of

TUPLES_PER_SECOND = 40_000_000
"""Tuples grouped by one more column in a second."""
PROJECTIONS = 20_000
"""After so many projections the search for the fewest columns is cut off."""


def solve(problem: Problem, watch: Watch) -> Solution:
    """Search for the largest set of columns that may stay; suppress the others."""
    if problem.n_rows < problem.k:
        raise Infeasible(
            f"The table has {problem.n_rows} rows: no group of {problem.k} can be made. Lower k or add rows."
        )
    search = Search(problem, Budget(problem.time_limit, watch))
    nothing = np.zeros(problem.n_tuples, dtype=np.int32)
    if not search.may_stay(nothing):
        asked = ", ".join(demand.text() for demand in problem.demands)
        raise Infeasible(f"Even with every column suppressed the table does not reach {asked}. Ask for less.")
    watch.tell("columns")
    search.keep_greedily(nothing)
    search.extend((), nothing, search.columns_that_fit(nothing, search.order))
    return publish(problem, search)


@dataclass
class Search:
    """Branch and bound over sets of kept columns."""

    problem: Problem
    budget: Budget
    best: tuple[int, ...] = ()
    worth: tuple[int, float] = (0, 0.0)
    """How many columns the best set keeps, and the price that this saves on a row."""
    n_projections: int = 0
    is_cut_off: bool = False
    order: tuple[int, ...] = field(init=False)
    """Columns, those with the fewest values first: they break least."""
    saves: list[float] = field(init=False)

    def __post_init__(self) -> None:
        self.saves = [float(column.price[column.tree.root]) for column in self.problem.columns]
        n_values = [int((column.count > 0).sum()) for column in self.problem.columns]
        self.order = tuple(sorted(range(self.problem.n_columns), key=lambda j: (n_values[j], -self.saves[j])))

    def refine(self, group: Ints, j: int) -> Ints:
        """The groups of one more column."""
        n_leaves = self.problem.columns[j].tree.n_leaves
        return kernels.rank_keys(group.astype(np.int64) * n_leaves + self.problem.codes[:, j])[2]

    def may_stay(self, group: Ints) -> bool:
        """Whether these groups of tuples may be released."""
        problem = self.problem
        size = np.bincount(group, weights=problem.weight).astype(np.int64)
        few = int(size[size < problem.k].sum())
        if not problem.demands:
            return few <= min(problem.max_withheld, problem.n_rows - problem.k)
        of_unit = group[problem.tuple_of_unit]
        met = (
            demand.is_met(histogram(of_unit, value, len(size), rows=problem.rows_of_unit)).all()
            for demand, value in zip(problem.demands, problem.sensitive, strict=True)
        )
        return few == 0 and all(met)

    def columns_that_fit(self, group: Ints, columns: tuple[int, ...]) -> list[tuple[int, Ints]]:
        """The columns that may be kept beside these groups, each with the groups that it makes."""
        found = []
        for j in columns:
            if self.n_projections >= PROJECTIONS or self.budget.is_over():
                self.is_cut_off = True
                break
            self.n_projections += 1
            self.budget.spend(
                self.problem.n_tuples + self.problem.n_units * len(self.problem.demands), TUPLES_PER_SECOND
            )
            finer = self.refine(group, j)
            if self.may_stay(finer):
                found.append((j, finer))
        return found

    def note(self, kept: tuple[int, ...]) -> None:
        worth = (len(kept), sum(self.saves[j] for j in kept))
        if worth > self.worth:
            self.best, self.worth = kept, worth

    def keep_greedily(self, group: Ints) -> None:
        """Keep the column that leaves the most others, again and again; counted by the smallest number of new
        groups.
        """
        kept: tuple[int, ...] = ()
        left = self.order
        while fits := self.columns_that_fit(group, left):
            j, group = min(fits, key=lambda fit: int(fit[1].max()))
            kept = (*kept, j)
            left = tuple(other for other, _ in fits if other != j)
            self.note(kept)

    def extend(self, kept: tuple[int, ...], group: Ints, fits: list[tuple[int, Ints]]) -> None:
        """Try every set that extends ``kept`` by some of the columns that fit."""
        self.note(kept)
        for i, (j, finer) in enumerate(fits):
            possible = [*kept, *(other for other, _ in fits[i:])]
            if (len(possible), sum(self.saves[x] for x in possible)) <= self.worth or self.is_cut_off:
                return
            self.extend((*kept, j), finer, self.columns_that_fit(finer, tuple(other for other, _ in fits[i + 1 :])))


def publish(problem: Problem, search: Search) -> Solution:
    """Rows that agree on the kept columns are a group; suppressed columns show their root everywhere."""
    group = np.zeros(problem.n_tuples, dtype=np.int32)
    for j in search.best:
        group = search.refine(group, j)
    size = np.bincount(group, weights=problem.weight)
    shown = size[group] >= problem.k
    _, first, number = np.unique(group[shown], return_index=True, return_inverse=True)
    of_tuple = np.full(problem.n_tuples, -1, dtype=np.int32)
    of_tuple[shown] = number.reshape(-1)
    leaves = problem.codes[np.flatnonzero(shown)[first]]
    group = of_tuple[problem.tuple_of_unit]
    nodes, sets, loss = show(problem, search.best, leaves, sizes_of(problem, group, len(first)))
    loss -= float((problem.offset_of_tuple * problem.weight)[of_tuple >= 0].sum())
    n_gone = problem.n_columns - len(search.best)
    how = (
        f"the fewest found; the search was cut off after {search.n_projections} projections"
        if search.is_cut_off
        else "proved to be the fewest"
    )
    note = (
        f"{n_gone} of {problem.n_columns} columns are suppressed, {how}. No guarantee on the loss: groups that are "
        "generalized lose less."
    )
    return Solution(problem, group, nodes, sets, max(loss, 0.0), note=note)


def show(
    problem: Problem, kept: tuple[int, ...], leaves: Ints, count: Longs
) -> tuple[Ints, tuple[Sets | None, ...], float]:
    """What each group shows in each column, and what that costs."""
    nodes = np.empty(leaves.shape, dtype=np.int32)
    sets: list[Sets | None] = []
    loss = 0.0
    for j, column in enumerate(problem.columns):
        n_leaves = column.tree.n_leaves
        if column.free is None:
            nodes[:, j] = column.shown[leaves[:, j]] if j in kept else column.tree.root
            paid = column.price[leaves[:, j]] if j in kept else np.full(len(leaves), column.price[column.tree.root])
            sets.append(None)
        else:
            step = 1 if j in kept else n_leaves  # every leaf by itself, or one set of all
            possible = Sets(np.arange(0, n_leaves + 1, step), np.arange(n_leaves, dtype=np.int32))
            nodes[:, j] = leaves[:, j] if j in kept else 0
            paid = column.weight * problem.measure.set_price(column.tree, column.count, possible)[nodes[:, j]]
            sets.append(possible)
        loss += float((paid * count).sum())
    return nodes, tuple(sets), loss


def guarantee(problem: Problem) -> float | None:
    return None


def refuses(problem: Problem) -> str | None:
    return None


ATTRIBUTE_SUPPRESSION = Algorithm(
    name="attribute-suppression",
    title="Fewest columns suppressed whole",
    reference="Sun, Wang and Li 2008, section 5; Meyerson and Williams 2004",
    recoding="full-domain",
    guarantee_text="the fewest columns suppressed (unless cut off, which is said); none on the loss",
    guarantee=guarantee,
    refuses=refuses,
    solve=solve,
    by_rows=False,
)
