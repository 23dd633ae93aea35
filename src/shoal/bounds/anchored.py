"""Anchored: prices on the rows such that no set of k rows is overcharged, whatever groups may show.

Bound.       Sum over rows of prices y ≥ 0 such that every k rows S have a sum of prices of at most k·d(S), d(S) being
             the least that a row of a group with S in it pays.
Proof.       A group G of at least k rows pays |G|·d(G). Its mean price is at most the mean of its k highest prices.
             That is at most d(S) for the set S of these k rows, and d(S) is at most d(G). Sum over the groups.
Method.      As `dual`: divide, and raise on the tight sets. But closed sets are walked from their dearest row (their
             anchor) outwards, so no hierarchy is needed: columns may show any interval or subset, and their number does
             not matter much. Where a measure is not monotone, d is the least price of an allowed superset. From an
             anchor that takes too much work only tighter sets are walked, and all rows within its reach are divided by
             the tightness up to which sets were left out; or its price is lowered. How far prices rise in a turn is
             chosen by what the last walk took.
Complexity.  The near pairs of tuples, all pairs at worst, and the sets that may be tight; the work from each anchor is
             limited.
Reference.   This project, docs/guarantees.md; growing closed sets once each: Uno et al. 2004.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from shoal import kernels
from shoal.bounds import dual, neighbour
from shoal.bounds.base import DEMANDS, STOPPED, BoundMethod, check, proved
from shoal.bounds.relaxation import floors, relaxed
from shoal.budget import stoppable
from shoal.errors import Refused
from shoal.kernels import Boxes, Columns, Formula, FreeColumn, TreeColumn
from shoal.kernels.columns import interval_prices, subset_prices
from shoal.problem import Bound, Floats, Problem, QuasiIdentifier, Watch
from shoal.spaces import column_of

WIDEST_GRID = 2_000
"""Intervals of more leaves than this are priced along the stand-in hierarchy, where their measure is not monotone."""
WIDEST_MASK = 16
"""Up to so many leaves, a table of the least price of a superset of each subset is made."""
MOST_LEAVES = 64
"""Subsets of more leaves are priced along the stand-in hierarchy."""
MOST_TUPLES = 30_000
"""Pairs of up to so many tuples are compared."""
SLOWER = 4
"""A cell that this walk looks at takes as long as so many rows in a walk over boxes."""
SHARE_OF_LATER, LEAST_LATER, MOST_LATER = 2, 30_000_000, 600_000_000
"""Rows that take more than their share of a walk's work get, together, one part in so many of all work that is allowed,
within limits.
"""
STEP = 0.05
"""Where a row still takes too much, only sets above the tightness 1 + STEP are walked from it, then in steps that
double.
"""
WIDELY = 0.1
"""A walk that takes more than this share of what it may is not made once more for the sake of a longer list."""
AGAIN = 0.3
"""What is tried again of a price that was lost: a share of it."""
STEPS = (dual.LEAST, 0.95, 0.975)
"""The tightness down to which sets are listed, which is also how far prices may rise in a turn: from the widest on,
narrower as walks take more.
"""
STEEP_PRICES, STEEP_LISTS = 20, 9
"""The work of a walk grows about as these powers of the prices, and of how much less tight the sets are that it
lists.
"""


def space_of(problem: Problem) -> Columns:
    """The columns with prices that do not fall as sets grow, and are never above what a group pays."""
    return kernels.make_columns([priced(problem, column) for column in problem.columns])


def priced(problem: Problem, column: QuasiIdentifier) -> TreeColumn | FreeColumn:
    found = column_of(column, problem.measure)
    if isinstance(found, TreeColumn):
        return found if column.free is None else along_the_tree(problem, column)
    is_monotone = problem.measure.monotone
    if found.is_interval and (is_monotone or found.n_leaves <= WIDEST_GRID):
        known = interval_prices(found) if found.grid is None else found.grid
        return found if is_monotone else replace(found, grid=least_of_intervals(known))
    if not found.is_interval and found.n_leaves <= WIDEST_MASK and not is_monotone:
        return replace(found, grid=least_of_subsets(subset_prices(found), found.n_leaves))
    if not found.is_interval and found.n_leaves <= MOST_LEAVES and (is_monotone or found.formula is Formula.BITS):
        return found  # the kernel knows the cheapest superset of a set that is priced by its bits
    return along_the_tree(problem, column)


def along_the_tree(problem: Problem, column: QuasiIdentifier) -> TreeColumn:
    """A free column as a tree whose nodes cost at most what a set with that closure costs."""
    stand_in = relaxed(column, problem.measure)
    return TreeColumn(stand_in.tree.parent, stand_in.price, column.tree.n_leaves)


def leaf_prices(problem: Problem, column: QuasiIdentifier) -> Floats:
    """What each leaf costs by itself, and in any set."""
    found = priced(problem, column)
    if isinstance(found, TreeColumn):
        return found.price
    leaves = np.arange(found.n_leaves, dtype=np.int32)
    return floors(column, problem.measure, leaves, leaves) if problem.measure.monotone else np.zeros(found.n_leaves)


def least_of_intervals(price: Floats) -> Floats:
    """The least price of an interval around each interval [low, high]."""
    grid = np.where(np.tri(len(price), k=-1, dtype=bool), np.inf, price)
    grid = np.minimum.accumulate(grid, axis=0)
    return np.ascontiguousarray(np.minimum.accumulate(grid[:, ::-1], axis=1)[:, ::-1])


def least_of_subsets(price: Floats, n_leaves: int) -> Floats:
    """The least price of a superset of each subset, by its mask."""
    least = price.copy()
    masks = np.arange(len(price))
    for v in range(n_leaves):
        least = np.minimum(least, least[masks | 1 << v])
    return least


class AnchoredPrices(dual.RisingPrices):
    """Prices that rise turn by turn, on sets that are walked from their dearest row."""

    name, first_name = "anchored", "neighbour"
    share = 0.5

    def own_parts(self) -> Floats | None:
        return dual.sum_of_leaves(self.problem, [leaf_prices(self.problem, column) for column in self.problem.columns])

    def begin(self) -> tuple[Floats, str]:
        self.note = DEMANDS if self.problem.demands else ""
        self.diverse = None
        self.space = space_of(self.problem)
        self.floor = np.zeros(self.problem.n_tuples)
        self.most_walk, self.last_work = self.most_work // SLOWER, 0
        self.later = min(max(self.most_walk // SHARE_OF_LATER, LEAST_LATER), MOST_LATER)
        self.lowered = np.ones(self.problem.n_tuples)
        try:
            with stoppable(self.watch) as stop:
                return neighbour.companions(self.problem, stop), ""
        except InterruptedError:
            return np.zeros(self.problem.n_tuples), STOPPED

    def walk(self, prices: Floats, least: float, keep: float, reach: float, most: int) -> tuple[Floats, Boxes, int]:
        with stoppable(self.watch) as stop:
            found = kernels.anchored_sets(
                self.space, self.problem.codes, self.problem.weight, self.problem.k, prices, least, keep, reach, most,
                self.each, self.later, STEP, own=self.own, stop=stop, most_walk=self.most_walk,
            )  # fmt: skip
        self.floor = found.floor
        self.narrow(found.work)
        self.lowered = found.lowered
        with np.errstate(divide="ignore", over="ignore"):
            return np.maximum(found.tightness, found.floor) / found.lowered, found.boxes, SLOWER * found.work

    def narrow(self, work: int) -> None:
        """Choose how far the next turn goes, by what the last walk took: the widest step after which a walk is within
        what it may take. If there is none, prices are final.
        """
        self.last_work = work
        steps = [s for s in STEPS if s >= self.least]
        fitting = [s for s in steps if work * (self.least / s) ** STEEP_LISTS / s**STEEP_PRICES <= self.most_walk]
        self.is_final = not fitting
        self.least = fitting[0] if fitting else self.least

    def repair(self, least: float) -> None:
        """As for boxes; and rows that lost their price in the walk get some of it back, to be tried again."""
        before = self.wished
        super().repair(least)
        if not self.is_stuck:
            self.wished = np.where(self.lowered > 0.0, self.wished, AGAIN * before)

    def widely(self) -> Boxes:
        """As for boxes; where that takes long, the sets that the last walk listed."""
        return self.boxes if self.last_work > WIDELY * self.most_walk else super().widely()

    def floors(self) -> Floats:
        return np.maximum(self.floor, self.least)

    each = 100_000
    """Cells looked at from one row before it is put off."""


def compute(problem: Problem, watch: Watch) -> Bound:
    note = check(problem)
    if problem.n_rows == 0:
        return proved(problem, "anchored", None, note)
    if problem.n_tuples > MOST_TUPLES:
        raise Refused(
            f"'anchored' compares all pairs of up to {MOST_TUPLES:,} distinct rows, and there are "
            f"{problem.n_tuples:,}: take 'dual'."
        )
    return dual.raise_prices(AnchoredPrices(problem, watch=watch), dual.TURNS, watch).bound


ANCHORED = BoundMethod(
    name="anchored",
    title="Prices that no set of k rows can be overcharged by",
    reference="This project, docs/guarantees.md; linear programming duality",
    compute=compute,
)
