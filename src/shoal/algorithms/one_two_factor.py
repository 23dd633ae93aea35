"""One-two-factor: rows are grouped in twos and threes along the lightest [1,2]-factor of the complete graph.

Problem.     Given rows, a laminar hierarchy for each quasi-identifier and k = 2, find groups of at least two rows that
             minimise the sum over rows of the price of what their group shows.
Guarantee.   Loss at most 1.5 times the optimum if every column has two values, 2 times otherwise, for every measure
             whose price does not fall towards the root and any weights; with row deletion too. None for non-uniform
             entropy, for columns that are generalized freely, or where groups had to be merged for another criterion.
Method.      An edge weighs the price of its ends' join. A lightest subgraph in which every row has degree one or two is
             found: by the triangle inequality it weighs as much as the lightest edge cover. That is a matching of
             greatest gain, with each row left over joined to its nearest neighbour. The matching is found in a sparse
             graph, and its dual prices are then compared with every edge of the complete graph; violating edges are
             added until there are none, so the factor is optimal among all pairs of rows. Edges whose two ends have
             another edge are dropped, stars of more than two leaves are cut into pairs, and each component is a group.
Deviations.  A lightest factor need not consist of edges and paths of two edges, as the paper says: with weights of zero
             it may hold longer paths (rows 10, 00, 00, 01), hence the dropping. The reduction is to a best matching of
             the rows themselves instead of a perfect matching of twice as many vertices. Equal rows are folded. If time
             is over before the proof, the factor is what was guaranteed times (weight found / weight proved), and at
             most twice. A row is withheld if that saves more than a fee, the same for all rows.
Complexity.  O(n) memory; time that of the neighbours plus a matching in a graph of O(n) edges, near O(n log n) on real
             tables.
Notation.    α, β, γ = the weights of a triangle; c_OFAC = weight of the factor; c_ALG = loss.
Reference.   Aggarwal, Feder, Kenthapadi, Motwani, Panigrahy, Thomas, Zhu. Approximation algorithms for k-anonymity.
             Journal of Privacy Technology, 2005. Section 5, theorem 6.
"""

from __future__ import annotations

import numpy as np

from shoal import kernels
from shoal.algorithms.base import Algorithm, promise, why_none
from shoal.budget import Budget
from shoal.demands import satisfy
from shoal.errors import Infeasible
from shoal.matching.distances import Distances
from shoal.matching.edge_cover import EdgeCover, edge_cover
from shoal.matching.fees import is_binary, lightest
from shoal.problem import Ints, Problem, Solution, Watch, close


def guarantee(problem: Problem) -> float | None:
    if why_none(problem, "the theorem") is not None:
        return None
    return 1.5 if is_binary(problem) else 2.0


def solve(problem: Problem, watch: Watch) -> Solution:
    """Find the factor, form its groups; leave rows out at a fee where that is allowed."""
    if problem.n_rows < 2:
        raise Infeasible("The table has a single row: no group of 2 can be made. Add rows.")

    def at_fee(space: Distances, fee: float | None, budget: Budget) -> Solution:
        cover = edge_cover(space, problem.weight, fee, budget)
        group = form_groups(problem, cover)
        if problem.demands:
            group = satisfy(problem, group, watch)
        return close(problem, group, **promise(problem, guarantee(problem), cover, "factor"))

    return lightest(problem, watch, 2, at_fee)


def form_groups(problem: Problem, cover: EdgeCover) -> Ints:
    """Stars become groups of two and three."""
    by_tuple = kernels.group_stars(problem.weight, cover.u, cover.v, cover.reach)
    group = np.empty(problem.n_rows, dtype=np.int32)
    group[problem.units_by_tuple] = by_tuple
    return group


def refuses(problem: Problem) -> str | None:
    if problem.k != 2:
        other = "two-factor" if problem.k == 3 else "forest"
        return (
            f"one-two-factor makes groups of two and three rows: k must be 2, not {problem.k}. Take --algorithm "
            f"{other} or auto."
        )
    return None


ONE_TWO_FACTOR = Algorithm(
    name="one-two-factor",
    title="Lightest [1,2]-factor, for k = 2",
    reference="Aggarwal et al. 2005, section 5, theorem 6",
    recoding="local",
    guarantee_text="1.5 times the optimum for columns of two values, 2 otherwise; "
    "monotone measures on hierarchies, k = 2",
    guarantee=guarantee,
    refuses=refuses,
    solve=solve,
)
