"""Two-factor: rows are grouped in threes to fives along the cycles of the lightest 2-factor of the complete graph.

Problem.     Given rows, a laminar hierarchy for each quasi-identifier and k = 3, find groups of at least three rows
             that minimise the sum over rows of the price of what their group shows.
Guarantee.   Loss at most 2 times the optimum if every column has two values, 3 times otherwise, for every measure whose
             price does not fall towards the root and any weights; with row deletion too. None for non-uniform entropy,
             for columns that are generalized freely, or where groups had to be merged for another criterion.
Method.      An edge weighs the price of its ends' join. A lightest subgraph in which every row has degree two is found
             as a perfect matching, in a sparse graph first; its dual prices are compared with every edge of the
             complete graph and violating edges are added until there are none, so the 2-factor is optimal among all
             pairs of rows. Cycles of three, four and five rows are groups. Longer ones are cut into runs of three to
             five neighbours; of all such cuts the one of least real loss is taken.
Deviations.  Lemma 11 lacks cycles of length 3x: cut into threes, the best of the three rotations costs at most twice
             the cycle. The paper cuts cycles into threes and at most two fours and weighs the edges inside; all cuts
             into runs of three to five are weighed here by what they really cost, which is never more. The factor 3
             beyond two values is ours (docs/guarantees.md). Equal rows are folded. If time is over before the proof,
             the factor is what was guaranteed times (weight found / weight proved). A row is withheld if that saves
             more than a fee, the same for all rows.
Complexity.  O(n) memory; time that of the neighbours plus a matching in a graph of O(n) vertices and edges.
Notation.    c_OFAC = weight of the 2-factor; len(C) = weight of a cycle; c_ALG = loss.
Reference.   Aggarwal, Feder, Kenthapadi, Motwani, Panigrahy, Thomas, Zhu. Approximation algorithms for k-anonymity.
             Journal of Privacy Technology, 2005. Section 6, lemmas 10 and 11.
"""

from __future__ import annotations

import numpy as np

from shoal import kernels
from shoal.algorithms.base import Algorithm, promise, why_none
from shoal.budget import Budget
from shoal.demands import satisfy
from shoal.errors import Infeasible
from shoal.matching.distances import Distances
from shoal.matching.fees import is_binary, lightest
from shoal.matching.two_factor import TwoFactor, two_factor
from shoal.problem import Ints, Problem, Solution, Watch, close


def guarantee(problem: Problem) -> float | None:
    if why_none(problem, "the theorem") is not None:
        return None
    return 2.0 if is_binary(problem) else 3.0


def solve(problem: Problem, watch: Watch) -> Solution:
    """Find the 2-factor and cut its cycles; leave rows out at a fee where that is allowed."""
    if problem.n_rows < 3:
        raise Infeasible(f"The table has {problem.n_rows} rows: no group of 3 can be made. Add rows.")

    def at_fee(space: Distances, fee: float | None, budget: Budget) -> Solution:
        factor = two_factor(space, problem.weight, fee, budget)
        group = cut_cycles(problem, factor)
        if problem.demands:
            group = satisfy(problem, group, watch)
        return close(problem, group, **promise(problem, guarantee(problem), factor, "2-factor"))

    return lightest(problem, watch, 3, at_fee)


def cut_cycles(problem: Problem, factor: TwoFactor) -> Ints:
    """Cycles become runs of three to five rows. Rows beyond a tuple's three vertices are put beside one of them."""
    order, begin = kernels.walk_cycles(factor.near)
    tuples = factor.tuples[order]
    left_out = np.bincount(factor.tuples[factor.left_out], minlength=problem.n_tuples)
    _, first = np.unique(tuples, return_index=True)
    times = np.ones(len(tuples), dtype=np.int64)
    n_vertices = np.bincount(factor.tuples, minlength=problem.n_tuples)
    # no vertex of the tuple is left to put its other rows beside
    left_out = np.where(left_out == n_vertices, problem.weight, left_out)
    times[first] += (problem.weight - n_vertices)[tuples[first]]
    start = np.concatenate([[0], np.cumsum(times)])
    spread = np.repeat(tuples, times).astype(np.int32)
    of_position = kernels.cut_cycles(problem.packed, problem.codes, spread, start[begin].astype(np.int64))
    kept = problem.weight - left_out
    by_tuple = np.argsort(spread, kind="stable")
    rank = np.arange(problem.n_rows) - np.repeat(np.cumsum(problem.weight) - problem.weight, problem.weight)
    group = np.full(problem.n_rows, -1, dtype=np.int32)
    group[problem.units_by_tuple[rank < np.repeat(kept, problem.weight)]] = of_position[by_tuple]
    return group


def refuses(problem: Problem) -> str | None:
    if problem.k != 3:
        other = "one-two-factor" if problem.k == 2 else "forest"
        return (
            f"two-factor makes groups of three to five rows: k must be 3, not {problem.k}. Take --algorithm {other} or "
            "auto."
        )
    return None


TWO_FACTOR = Algorithm(
    name="two-factor",
    title="Lightest 2-factor, for k = 3",
    reference="Aggarwal et al. 2005, section 6, lemmas 10 and 11",
    recoding="local",
    guarantee_text="2 times the optimum for columns of two values, 3 otherwise; "
    "monotone measures on hierarchies, k = 3",
    guarantee=guarantee,
    refuses=refuses,
    solve=solve,
)
