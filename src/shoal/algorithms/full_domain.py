"""Full domain: one level per quasi-identifier for the whole table, the best choice of levels there is.

Problem.     Given a hierarchy per quasi-identifier, choose one level for each, so that rows that look alike are at
             least k, and the loss of the measure is least. Where rows may be withheld, rows in smaller groups are
             withheld, up to the number allowed. With row deletion, rows in smaller groups are deleted, each at the
             price of suppressing it whole.
Guarantee.   The optimum of the lattice of levels. Against releases that treat each group by itself (every other
             algorithm here): none.
Method.      The loss of a choice of levels is a sum over columns, known before any grouping, for all choices at once.
             The choice that costs most among those that could still beat the best is grouped: if it has too many rows
             in small groups, then so has every finer choice, and all of them are struck out; if not, it is the new
             best, and all that cannot cost less are struck out. Where rows may be left out, the sum is only a bound,
             and choices that beat it are grouped too.
Deviations.  None: this is the problem of the literature, solved by the monotonicity that all its algorithms use.
Complexity.  A grouping of n rows for each maximal choice that fails; memory O(choices + n · q).
Notation.    generalization lattice = choices of levels; precision = loss, in the chosen measure.
Reference.   Samarati. Protecting respondents' identities in microdata release. IEEE TKDE 13(6), 2001. LeFevre, DeWitt,
             Ramakrishnan. Incognito. SIGMOD 2005. El Emam et al. A globally optimal k-anonymity method. JAMIA 16(5),
             2009.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from shoal.algorithms.base import Algorithm, too_few
from shoal.budget import Budget
from shoal.errors import Infeasible
from shoal.kernels.level_groups import LevelGroups
from shoal.measures.base import Sets
from shoal.privacy.base import histogram
from shoal.problem import Floats, Ints, Longs, Problem, QuasiIdentifier, Solution, Watch, close

MOST_CHOICES = 20_000_000
TUPLES_PER_SECOND = 20_000_000
"""Tuples grouped in a second; striking out a choice of levels takes a fifth of that."""


def solve(problem: Problem, watch: Watch) -> Solution:
    nothing = too_few(problem)
    if nothing is not None:
        return nothing
    lattice = Lattice(problem)
    best = lattice.look(lattice.top)
    if best is None:
        asked = ", ".join(d.text() for d in problem.demands)
        raise Infeasible(
            f"Even one group of all {problem.n_rows} rows does not meet {asked}. Ask for less of the sensitive column."
        )
    budget = Budget(problem.time_limit, watch)
    note = "The optimum over all choices of one level per column; no guarantee against groups treated each by itself."
    while (choice := lattice.dearest_below(best.loss)) is not None:
        if budget.is_over():
            note = "Stopped before all choices of levels were decided: no guarantee."
            break
        found = lattice.look(choice)
        budget.spend(problem.n_tuples + lattice.open.size / 5, TUPLES_PER_SECOND)
        if found is not None and found.loss < best.loss:
            best = found
            watch.tell("levels", loss=best.loss)
    return publish(problem, lattice, best, note)


@dataclass(frozen=True, eq=False)
class Cut:
    """A choice of levels that may be released."""

    choice: tuple[int, ...]
    loss: float
    group: Ints
    """Group of each unit, −1 where it is left out."""
    sample: Ints
    """One tuple of each group."""


class Lattice:
    """All choices of one level per column: what each costs at least, and which are still open."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.cuts = [[column.tree.cut(level) for level in column.tree.levels] for column in problem.columns]
        self.price = [node_prices(problem, column) for column in problem.columns]
        self.groups = LevelGroups(problem.codes, problem.weight, [c.tree.n_leaves for c in problem.columns])
        shape = tuple(len(c) for c in self.cuts)
        self.top = tuple(size - 1 for size in shape)
        self.cost, self.dearest = np.zeros(shape), np.zeros(shape)
        for j, cuts in enumerate(self.cuts):
            leaves = np.bincount(
                problem.codes[:, j], weights=problem.weight, minlength=problem.columns[j].tree.n_leaves
            )
            along = [1] * len(shape)
            along[j] = len(cuts)
            self.cost += np.array([float((leaves * self.price[j][cut]).sum()) for cut in cuts]).reshape(along)
            self.dearest += np.array([float(self.price[j][cut][leaves > 0].max()) for cut in cuts]).reshape(along)
        self.cost -= float((problem.offset_of_tuple * problem.weight).sum())
        self.least_small = np.zeros(shape)
        self.open = np.ones(shape, dtype=np.bool_)

    def dearest_below(self, cost: float) -> tuple[int, ...] | None:
        """The open choice that costs most among those that may cost less."""
        if self.problem.deletion:
            least = self.cost + self.least_small * np.maximum(self.problem.price_of_suppression - self.dearest, 0)
        else:
            least = self.cost - self.problem.max_withheld * self.dearest
        self.open &= least < cost - 1e-9 * max(abs(cost), 1e-9)
        if not self.open.any():
            return None
        place = int(np.argmax(np.where(self.open, self.cost, -np.inf)))
        return tuple(int(i) for i in np.unravel_index(place, self.open.shape))

    def look(self, choice: tuple[int, ...]) -> Cut | None:
        """Group by a choice of levels; where too many rows are in groups that may not be shown, strike out all finer
        choices.
        """
        problem = self.problem
        cuts = [self.cuts[j][level] for j, level in enumerate(choice)]
        of_tuple, sample, size = self.groups(cuts)
        shown = self.may_be_shown(of_tuple, size)
        n_small = int(size[~shown].sum())
        self.strike(choice, n_small, int(size[size < problem.k].sum()))
        if n_small > problem.most_withheld:
            return None
        number = np.where(shown, np.cumsum(shown) - 1, -1).astype(np.int32)
        kept = shown[of_tuple]
        row_price = -problem.offset_of_tuple
        for j, cut in enumerate(cuts):
            row_price = row_price + self.price[j][cut[problem.codes[:, j]]]
        loss = float((row_price * problem.weight)[kept].sum()) + problem.price_of_deletion(problem.weight * ~kept)
        return Cut(choice, loss, number[of_tuple][problem.tuple_of_unit], sample[shown])

    def strike(self, choice: tuple[int, ...], n_small: int, n_below_k: int) -> None:
        """Close a choice, and all finer ones that are as bad.

        A row in a group below k is in one under every finer choice. Of other demands that holds only where no row may
        be left out: two groups may fail together though one of them would not.
        """
        problem = self.problem
        certain = n_below_k if problem.demands and problem.may_withhold else n_small
        finer = tuple(slice(0, level + 1) for level in choice)
        self.open[choice] = False
        if problem.deletion:
            self.least_small[finer] = np.maximum(self.least_small[finer], certain)
        elif certain > problem.most_withheld:
            self.open[finer] = False

    def may_be_shown(self, of_tuple: Ints, size: Longs) -> NDArray[np.bool_]:
        """Which groups have k rows and meet the other demands."""
        problem = self.problem
        shown: NDArray[np.bool_] = size >= problem.k
        for demand, value in zip(problem.demands, problem.sensitive, strict=True):
            shown &= demand.is_met(
                histogram(of_tuple[problem.tuple_of_unit], value, len(size), rows=problem.rows_of_unit)
            )
        return shown


def node_prices(problem: Problem, column: QuasiIdentifier) -> Floats:
    """The price of showing each node of a column; for a free column, of the set or interval that its leaves make."""
    if column.free is None:
        return column.price
    return column.weight * problem.measure.set_price(column.tree, column.count, sets_of_nodes(column))


def sets_of_nodes(column: QuasiIdentifier) -> Sets:
    """What each node of a free column's stand-in shows."""
    below = [column.tree.leaves_below(v) for v in range(column.tree.n_nodes)]
    if column.free == "interval":
        below = [np.arange(b[0], b[-1] + 1, dtype=np.int32) for b in below]
    start = np.concatenate([[0], np.cumsum([len(b) for b in below])]).astype(np.int64)
    return Sets(start, np.concatenate(below).astype(np.int32))


def publish(problem: Problem, lattice: Lattice, best: Cut, note: str) -> Solution:
    """Show the cuts themselves: a value is generalized alike everywhere, even where its group could show less."""
    made = close(problem, best.group, note=note)
    nodes = np.empty_like(made.nodes)
    sets: list[Sets | None] = []
    for j, column in enumerate(problem.columns):
        node = lattice.cuts[j][best.choice[j]][problem.codes[best.sample, j]]
        nodes[:, j] = node if column.free else column.shown[node]
        sets.append(sets_of_nodes(column) if column.free else None)
    return replace(made, nodes=nodes, sets=tuple(sets), loss=max(best.loss, 0.0))


def guarantee(problem: Problem) -> float | None:
    return None


def refuses(problem: Problem) -> str | None:
    choices = math.prod(len(c.tree.levels) for c in problem.columns)
    if choices > MOST_CHOICES:
        return (
            f"full-domain has {choices} choices of levels to decide, above {MOST_CHOICES}. Take 'mondrian' or 'auto', "
            "or fewer levels."
        )
    return None


FULL_DOMAIN = Algorithm(
    name="full-domain",
    title="The best choice of one level per column",
    reference="Samarati 2001; LeFevre et al. 2005; El Emam et al. 2009",
    recoding="full-domain",
    guarantee_text="the optimum among releases with one level per column; none against others",
    guarantee=guarantee,
    refuses=refuses,
    solve=solve,
    by_rows=False,
)
