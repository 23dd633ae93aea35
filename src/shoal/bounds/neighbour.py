"""Neighbour: a row pays at least the distance to its (k − 1)-th companion.

Bound.       Sum over rows of the distance to the (k − 1)-th nearest other row, d(u, v) the price of what covers both.
Proof.       A row shares its group with k − 1 others, the farthest of which is no nearer than its (k − 1)-th companion. What
             the group shows covers the row and that one, and prices do not fall as sets grow.
Free.        For columns of free intervals or subsets, d is what the least allowed set with both values costs at least.
Complexity.  As the neighbours: a tree of boxes, or all pairs. Memory O(n).
Reference.   Aggarwal et al. 2005, section 4.1, lemma 3.
"""

from __future__ import annotations

from shoal import kernels
from shoal.bounds.base import BoundMethod, check, proved
from shoal.bounds.relaxation import laminar
from shoal.problem import Bound, Floats, Problem, Watch


def compute(problem: Problem, watch: Watch) -> Bound:
    note = check(problem)
    if problem.n_rows == 0:
        return proved(problem, "neighbour", None, note)
    watch.tell("neighbours")
    return proved(problem, "neighbour", prices(problem), note)


def prices(problem: Problem) -> Floats:
    """The distance of each tuple to its (k − 1)-th companion."""
    easier = laminar(problem)
    return kernels.companion_distances(easier.packed, easier.codes, easier.weight, easier.k - 1)


NEIGHBOUR = BoundMethod(
    name="neighbour",
    title="Distance to the (k − 1)-th companion",
    reference="Aggarwal et al. 2005, section 4.1",
    compute=compute,
)
