"""Neighbour: a row pays at least the distance to its (k − 1)-th companion.

Bound.       Sum over rows of the distance to the (k − 1)-th nearest other row, d(u, v) the price of what covers both.
Proof.       A row shares its group with k − 1 others, the farthest of which is no nearer than its (k − 1)-th companion.
             What the group shows covers the row and that one, and prices do not fall as sets grow.
Diverse.     Where groups must hold l different sensitive values: also at least the distance to the nearest row that
             brings the l-th.
Free.        For columns of free intervals or subsets, d is what the least allowed set with both values costs at least.
Complexity.  As the neighbours: a tree of boxes, or all pairs. Memory O(n).
Reference.   Aggarwal et al. 2005, section 4.1, lemma 3.
"""

from __future__ import annotations

import numpy as np

from shoal import kernels
from shoal.bounds import diversity
from shoal.bounds.base import STOPPED, BoundMethod, check, proved
from shoal.bounds.relaxation import MOST_LEAVES, floors, joins, laminar
from shoal.budget import stoppable
from shoal.kernels import Flag
from shoal.problem import Bound, Floats, Ints, Problem, Watch

MOST_SCANNED = 60_000
"""With free columns, all pairs of up to so many tuples are compared; of more, the stand-in hierarchies are taken."""


def compute(problem: Problem, watch: Watch) -> Bound:
    note = check(problem)
    if problem.n_rows == 0:
        return proved(problem, "neighbour", None, note)
    watch.tell("neighbours")
    try:
        with stoppable(watch) as stop:
            return proved(problem, "neighbour", prices(problem, stop), note)
    except InterruptedError:
        return proved(problem, "neighbour", np.zeros(problem.n_tuples), f"{note} {STOPPED}".strip())


def prices(problem: Problem, stop: Flag | None = None) -> Floats:
    """The distance of each tuple to its (k − 1)-th companion, or to the one that brings the last of the different
    values asked for.

    InterruptedError once ``stop`` is set.
    """
    diverse = diversity.diversity_of(problem)
    near = companions(problem, stop)
    return near if diverse is None else np.maximum(near, diversity.reach(problem, diverse, stop))


def companions(problem: Problem, stop: Flag | None = None) -> Floats:
    """The distance of each tuple to its (k − 1)-th companion. InterruptedError once ``stop`` is set."""
    if not problem.is_laminar and problem.n_tuples <= MOST_SCANNED:
        return kernels.companions_by_tables(
            pair_tables(problem), scanned_codes(problem), problem.weight, problem.k - 1, stop
        )
    easier = laminar(problem)
    return kernels.companion_distances(easier.packed, easier.codes, easier.weight, easier.k - 1, stop=stop)


def pair_tables(problem: Problem) -> list[Floats]:
    """For each column what covering two leaves costs at least; a column with very many leaves counts for nothing."""
    tables = []
    for column in problem.columns:
        n = column.tree.n_leaves if column.tree.n_leaves <= MOST_LEAVES else 1
        table = np.zeros((n, n))
        if n > 1 or column.tree.n_leaves == 1:
            left, right = (a.astype(np.int32) for a in np.triu_indices(n))
            if column.free is None:
                table[left, right] = column.price[joins(column.tree, left, right)]
            else:
                table[left, right] = floors(column, problem.measure, left, right)
            table[right, left] = table[left, right]
        tables.append(table)
    return tables


def scanned_codes(problem: Problem) -> Ints:
    """The codes, with 0 in columns that count for nothing."""
    small = np.array([c.tree.n_leaves <= MOST_LEAVES for c in problem.columns])
    return np.ascontiguousarray(np.where(small, problem.codes, 0).astype(np.int32))


NEIGHBOUR = BoundMethod(
    name="neighbour",
    title="Distance to the (k − 1)-th companion",
    reference="Aggarwal et al. 2005, section 4.1",
    compute=compute,
)
