"""Set cover: take the box that covers rows most cheaply, again and again, and make a partition of the cover.

Problem.     Given a table, one hierarchy per quasi-identifier and a measure, find groups of at least k rows that
             minimise the sum over all rows of the price d(S) of their group's closure.
Guarantee.   Loss at most (2 − 1/k) · H(2k − 1) times the optimum, H(m) = 1 + 1/2 + … + 1/m: below the 2(1 + ln 2k) of
             the paper. Where the rows of a group pay differently (root share, information share, non-uniform entropy):
             (2k − 1) · H(2k − 1). On laminar hierarchies; row deletion included. Where rows are withheld for free,
             against the optimum of the rows released. With other demands, or free intervals and subsets: none.
Method.      Phase 1 is the greedy algorithm for weighted set cover: sets of k to 2k − 1 rows, cost d(S), the set with
             the least cost per newly covered row first. A set's cost is that of its closure, so the candidates are the
             closed boxes that hold at least k rows, at the price d(B) / min(2k − 1, rows of B not yet covered): exactly
             the same greedy. Prices only grow, so boxes are looked at lazily, in rounds of growing prices. Phase 2
             makes the cover a partition: a row in two sets leaves the one that has more than k, or else the two sets
             are united. The whole is done once more with sets of k rows only, and the cheaper release is kept. Where
             rows pay differently, a set costs what all its rows pay together: the cheapest of a box takes its open rows
             that pay least, and held ones that pay least to fill it up.
Deviations.  Boxes instead of all subsets: polynomial for a fixed number of quasi-identifiers instead of O(n^2k). The
             two phases run together, and where the paper's second phase may either move rows or unite sets, the cheaper
             is done; both keep the sum of prices and the sizes k … 2k − 1. The factor is stated as it is proved (H(2k −
             1), and (2k − 1) / k instead of 2). Row deletion is a set of one row at 1/k of the price of suppressing it
             whole. The paper leaves measures open in which rows pay differently: sets with prices of their own are this
             project's, a deleted row a set at what it pays.
Complexity.  A round takes O(q) per row in a closed box that can still be taken; memory O(n · q) and a fixed room for
             boxes.
Notation.    γ = the cover, γ⁰ = the groups, E = the covered rows, r(S) = price per newly covered row.
Reference.   Gionis, Tassa. k-Anonymization with Minimal Loss of Information. IEEE TKDE 21(2), 2009. Section 6.3,
             theorem 6.6. Kenig, Tassa. A practical approximation algorithm for optimal k-anonymity. DMKD 25, 2012.
"""

from __future__ import annotations

import math

import numpy as np

from shoal import kernels
from shoal.algorithms.base import Algorithm, harmonic, meet_demands, too_few, why_none
from shoal.budget import Budget
from shoal.problem import Ints, Problem, Solution, Watch, close

MOST_WORK = 40_000_000_000
"""Cuts of all columns times tuples, beyond which walking the boxes is refused."""
BOXES_PER_SECOND = 250_000
"""Boxes that a round lists and takes from."""
MOST_LEVELS = 8_000
"""Levels of all columns together: the walk is as deep."""


def solve(problem: Problem, watch: Watch) -> Solution:
    nothing = too_few(problem)
    if nothing is not None:
        return nothing
    budget = Budget(problem.time_limit, watch)
    group, whole = cover(problem, 2 * problem.k - 1, budget, unequal(problem) if problem.has_offset else None)
    if whole and problem.k > 1:
        group = cheaper(problem, group, cover_again(problem, group, budget))
    factor, note = (
        explain(problem) if whole else (None, "Stopped before all rows were covered by the greedy: no guarantee.")
    )
    return close(problem, meet_demands(problem, group, watch), guarantee=factor, note=note)


def unequal(problem: Problem) -> kernels.Unequal:
    """What the rows of a group pay less, each by its own values."""
    offset = [np.concatenate([c.offset, np.zeros(c.tree.n_nodes - c.tree.n_leaves)]) for c in problem.columns]
    deletion = problem.price_of_suppression if problem.deletion else math.inf
    return kernels.Unequal(np.concatenate(offset), problem.offset_of_tuple, deletion)


def cover(problem: Problem, most: int, budget: Budget, unequal: kernels.Unequal | None = None) -> tuple[Ints, bool]:
    """The greedy in rounds of growing prices, with sets of k to ``most`` rows or, with ``unequal``, priced sets;
    whether it ran to its end.
    """
    cover = kernels.SetCover(problem.packed, problem.codes, problem.weight, problem.k, most, unequal=unequal)
    by_boxes = problem.deletion and unequal is None
    dearest = problem.price_of_suppression / problem.k if by_boxes else math.inf  # beyond this, deletion is cheaper
    leave, growth, limit = problem.max_withheld, 1.5, 5e-324
    while True:
        reached = cover.round(min(limit, dearest), leave)
        budget.watch.tell("cover", done=1 - cover.n_open / problem.n_rows)
        budget.spend(reached.n_boxes + problem.n_tuples / 20, BOXES_PER_SECOND)
        if cover.n_open <= leave or reached.done >= dearest:
            break
        if budget.is_over():
            cover.finish(leave)
            return _by_row(problem, cover.groups()), False
        growth = (
            max(1.05, math.sqrt(growth))
            if reached.done < limit
            else min(growth * 1.2, 3.0)
            if reached.n_boxes < 100_000
            else growth
        )
        limit = growth * (reached.least if reached.done <= reached.least < math.inf else max(reached.done, 5e-324))
    return _by_row(problem, cover.groups()), True


def cover_again(problem: Problem, group: Ints, budget: Budget) -> Ints:
    """The same rows once more, with sets of k rows only: no better in theory, often so on real tables."""
    released = group >= 0
    if problem.deletion or released.all():
        return cover(problem, problem.k, budget)[0]
    again = np.full(problem.n_rows, -1, dtype=np.int32)
    again[released] = cover(problem.over(released), problem.k, budget)[0]
    return again


def cheaper(problem: Problem, one: Ints, other: Ints) -> Ints:
    """The groups that cost less."""
    paid = [close(problem, g).loss for g in (one, other)]
    return one if paid[0] <= paid[1] else other


def _by_row(problem: Problem, group: Ints) -> Ints:
    out = np.empty(problem.n_rows, dtype=np.int32)
    out[problem.units_by_tuple] = group
    return out


def guarantee(problem: Problem) -> float | None:
    return explain(problem)[0]


def explain(problem: Problem) -> tuple[float | None, str]:
    """The proved factor, and in words what it says or why there is none."""
    k = problem.k
    if (missing := why_none(problem, "the theorem", takes_offsets=True)) is not None:
        return None, missing
    if problem.has_offset:
        factor = (2 * k - 1) * harmonic(2 * k - 1)
        return factor, f"At most {factor:.2f} times the optimum: (2k − 1) · H(2k − 1)."
    factor = (2 - 1 / k) * harmonic(2 * k - 1)
    return factor, f"At most {factor:.2f} times the optimum: (2 − 1/k) · H(2k − 1)."


def refuses(problem: Problem) -> str | None:
    cuts = math.prod(len(c.tree.levels) for c in problem.columns)
    if cuts * problem.n_tuples > MOST_WORK or sum(len(c.tree.levels) for c in problem.columns) > MOST_LEVELS:
        return (
            f"set-cover walks {cuts} combinations of levels, too many for {problem.n_tuples} distinct rows. Take "
            "'auto' or 'forest'."
        )
    return None


SET_COVER = Algorithm(
    name="set-cover",
    title="Greedy set cover by boxes",
    reference="Gionis and Tassa 2009, section 6.3; Kenig and Tassa 2012",
    recoding="local",
    guarantee_text=(
        "(2 − 1/k) · H(2k − 1) times the optimum on laminar hierarchies; (2k − 1) · H(2k − 1) where rows of a group "
        "pay differently"
    ),
    guarantee=guarantee,
    refuses=refuses,
    solve=solve,
)
