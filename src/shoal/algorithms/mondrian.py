"""Mondrian: cut the table in two or more, and each part again, as long as every part keeps k rows.

Problem.     Given a table, one hierarchy per quasi-identifier and a measure, find groups of at least k rows of little
             loss.
Guarantee.   None.
Method.      Begin with one group of all rows. For each quasi-identifier, a group may be cut into the children of the
             node that covers it; children that have fewer than k rows stay together, with the node itself, and if they
             are still fewer than k the smallest other child joins them. A column of free intervals is cut at its
             median. Of the cuts, the one that lowers the loss most is made. A group that cannot be cut is done. Equal
             rows are never parted (strict).
Deviations.  The paper cuts along the widest normalized range; here the measure itself decides. For free intervals the
             price of an interval counts by its share of the values, as in the paper. Rows that may be withheld are
             those of the groups that cost most per row.
Complexity.  O(n · q) a layer of cuts; memory O(n).
Notation.    partition = group, dimension = quasi-identifier, multidimensional strict partitioning.
Reference.   LeFevre, DeWitt, Ramakrishnan. Mondrian multidimensional k-anonymity. ICDE 2006.
"""

from __future__ import annotations

import numpy as np

from shoal.algorithms.base import Algorithm, meet_demands, too_few
from shoal.kernels.mondrian import cut_top_down
from shoal.problem import Problem, Solution, Watch, close
from shoal.search.withholding import withhold_dearest

NOTE = "No guarantee: cuts are chosen one at a time."


def solve(problem: Problem, watch: Watch) -> Solution:
    nothing = too_few(problem)
    if nothing is not None:
        return nothing
    watch.tell("cut")
    n_leaves = np.array([c.tree.n_leaves for c in problem.columns], dtype=np.int32)
    ordered = np.array([c.free == "interval" for c in problem.columns], dtype=np.int32)
    of_tuple = cut_top_down(problem.packed, n_leaves, ordered, problem.codes, problem.weight, problem.k)
    group = meet_demands(problem, of_tuple[problem.tuple_of_unit], watch)
    if problem.max_withheld:
        group = withhold_dearest(problem, group)
    return close(problem, group, note=NOTE)


def guarantee(problem: Problem) -> float | None:
    return None


def refuses(problem: Problem) -> str | None:
    return None


MONDRIAN = Algorithm(
    name="mondrian",
    title="Top-down cuts",
    reference="LeFevre, DeWitt and Ramakrishnan 2006",
    recoding="local",
    guarantee_text="none",
    guarantee=guarantee,
    refuses=refuses,
    solve=solve,
    by_rows=False,
)
