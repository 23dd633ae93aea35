"""FOREST: every row is tied to one of its nearest neighbours, and the trees that grow are cut into groups.

Problem.     Given rows, a laminar hierarchy for each quasi-identifier and k, find groups of at least k rows that
             minimise the sum over rows of the price of what their group shows.
Guarantee.   Loss at most max(2k − 1, 3k − 5) times the optimum, for every measure whose price does not fall towards the
             root (stars, tree, LM, monotone entropy; entropy because a node may be shown as a cheaper ancestor) and any
             attribute weights. None for non-uniform entropy, nor for columns that are generalized freely.
Method.      FOREST: while a component has fewer than k rows, its one row without an edge is tied to the nearest of its
             k − 1 nearest neighbours that lies outside; the edges together weigh at most the optimum, as a row's edge
             is never longer than what it pays in any release. DECOMPOSE-COMPONENT: cut every edge that leaves k
             vertices on both of its sides; a component that is still too large has a centre all of whose branches are
             smaller than k, and these are put together into groups. No edge is used by two groups, and what a group
             shows costs at most its edges, so a group costs at most its size times its edges.
Deviations.  The paper's DECOMPOSE-COMPONENT fails when it is repeated: a Steiner copy counts for nothing the second
             time (K_{1,5} with k = 2). Here a component with a Steiner copy is never split again, and so theorem 5
             holds. The shortest edges are taken first and the longest cut first; the paper leaves both open. Equal rows
             are folded: of a tuple that stands for 2k rows or more, groups of k equal rows are made first, which pay no
             more than they must. Rows to withhold are those of single rows or whole groups that save most; the released
             rows keep the guarantee, as FOREST runs again over them and the better is taken. Other criteria
             (l-diversity, t-closeness) are met by merging groups afterwards, without withholding and without a
             guarantee.
Complexity.  O(n·k) memory; the neighbours by a tree of boxes, everything else O(n·k + n log n).
Notation.    u, v = row (vertex); d(u, v) = price of the join; charge = what a row pays; T = component.
Reference.   Aggarwal, Feder, Kenthapadi, Motwani, Panigrahy, Thomas, Zhu. Approximation algorithms for k-anonymity.
             Journal of Privacy Technology, 2005. Section 4, lemma 3 and theorem 5. For general measures: Gionis and
             Tassa 2009, section 6.4.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal import kernels
from shoal.algorithms.base import Algorithm, too_few, why_none
from shoal.budget import stoppable
from shoal.demands import satisfy
from shoal.problem import Ints, Longs, Problem, Solution, Watch, close
from shoal.search.constructions import runs
from shoal.search.withholding import prune

STOPPED = "Stopped before the neighbours of all rows were known: runs of sorted rows, without a guarantee."


def factor(k: int) -> int:
    """The size of the largest group, and the factor on the optimum."""
    return max(2 * k - 1, 3 * k - 5)


def guarantee(problem: Problem) -> float | None:
    return float(factor(problem.k)) if why_none(problem, "FOREST's") is None else None


def solve(problem: Problem, watch: Watch) -> Solution:
    """Grow the forest, decompose it, and withhold what may be withheld."""
    nothing = too_few(problem)
    if nothing is not None:
        return nothing
    watch.tell("forest")
    factor, said = guarantee(problem), note(problem)
    try:
        with stoppable(watch) as stop:
            group = grow(problem, stop)
    except InterruptedError:  # nothing is known of who is near
        group, factor, said = runs(problem), None, STOPPED
    if problem.demands:
        group = satisfy(problem, group, watch)
    elif problem.may_withhold:
        group = leave_out(problem, group)
    solution = close(problem, group, guarantee=factor, note=said)
    watch.tell("forest", 1.0, loss=solution.loss)
    return solution


def grow(problem: Problem, stop: kernels.Flag | None = None) -> Ints:
    """FOREST, then DECOMPOSE-COMPONENT: the group of each row.

    InterruptedError once ``stop`` is set before the neighbours are known.
    """
    k = problem.k
    index, distance = kernels.neighbours(problem.packed, problem.codes, problem.weight, k - 1, stop=stop)
    to, length = kernels.grow_forest(problem.weight, k, index, distance)
    vertices = np.where(problem.weight < 2 * k, problem.weight, k + problem.weight % k)
    edge, far = tie_rows(problem, vertices, to, length)
    group = kernels.decompose(edge, far, k)
    return deal(problem, vertices, group)


def tie_rows(
    problem: Problem, vertices: Longs, to: Ints, length: NDArray[np.float64]
) -> tuple[Ints, NDArray[np.float64]]:
    """Edges between tuples as edges between rows: equal rows make a path, its last row carries the tuple's edge.

    Edges into a tuple end at its rows in turn, which leaves more ways to cut.
    """
    start = np.concatenate([[0], np.cumsum(vertices)])
    last = start[1:] - 1
    edge = np.arange(1, start[-1] + 1, dtype=np.int32)
    own = np.zeros(problem.n_tuples)
    for j, column in enumerate(problem.columns):
        own += column.price[problem.codes[:, j]]
    far = np.repeat(own, vertices)
    tied = np.flatnonzero(to >= 0)
    tied = tied[np.argsort(to[tied], kind="stable")]
    target = to[tied]
    turn = np.arange(len(tied)) - np.searchsorted(target, target)
    edge[last] = -1
    edge[last[tied]] = start[target] + turn % vertices[target]
    far[last] = length
    return edge, far


def deal(problem: Problem, vertices: Longs, group: Ints) -> Ints:
    """Groups of vertices as groups of rows; the rows of a tuple beyond its vertices make groups of k by themselves."""
    order = np.argsort(problem.tuple_of_unit, kind="stable")
    start = np.concatenate([[0], np.cumsum(problem.weight)])
    first_vertex = np.concatenate([[0], np.cumsum(vertices)])
    tuples = problem.tuple_of_unit[order]
    rank = np.arange(problem.n_rows) - start[tuples]
    spare = rank - vertices[tuples]
    extra_groups = (problem.weight - vertices) // problem.k
    first_extra = int(group.max()) + 1 + np.concatenate([[0], np.cumsum(extra_groups)])
    dealt = np.where(
        spare < 0,
        group[np.minimum(first_vertex[tuples] + rank, len(group) - 1)],
        first_extra[tuples] + np.maximum(spare, 0) // problem.k,
    )
    out = np.empty(problem.n_rows, dtype=np.int32)
    out[order] = dealt
    return out


def leave_out(problem: Problem, group: Ints) -> Ints:
    """Leave rows out while that saves something: up to the number that may be withheld, or each at its price of
    deletion.
    """
    nothing = np.zeros(problem.n_rows)
    if problem.max_withheld:
        pruned = prune(problem, group, problem.max_withheld, 0.0, nothing)
        released = pruned >= 0
        if released.all():
            return group
        again = np.full(problem.n_rows, -1, dtype=np.int32)
        again[released] = grow(problem.over(released))
        return pruned if close(problem, pruned).loss <= close(problem, again).loss else again
    return prune(problem, group, problem.n_rows, problem.price_of_suppression, nothing)


def note(problem: Problem) -> str:
    return why_none(problem, "FOREST's") or f"At most {factor(problem.k)} times the least possible loss."


def refuses(problem: Problem) -> str | None:
    return None


FOREST = Algorithm(
    name="forest",
    title="Forest of nearest neighbours",
    reference="Aggarwal et al. 2005, section 4; Gionis and Tassa 2009, section 6.4",
    recoding="local",
    guarantee_text="max(2k − 1, 3k − 5) times the optimum, for monotone measures on hierarchies",
    guarantee=guarantee,
    refuses=refuses,
    solve=solve,
)
