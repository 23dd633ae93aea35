"""Box: a row pays at least what the cheapest box with it and k rows costs.

Bound.       Sum over rows of the least price of a box that holds the row and at least k rows.
Proof.       What a row's group shows is a box that holds the row and the k or more rows of its group.
Method.      Boxes are walked from dear to cheap, column after column. Left out are boxes that hold fewer than k rows,
             boxes that are larger than their rows need, and boxes that cost no less than what is known for all of their
             rows. A row and its nearest companions give a first box for each row. Where this is too much work, only
             boxes below some price are walked, and a row that none of them holds counts with that price.
Diverse.     Where groups must hold l different sensitive values, a row pays also at least the distance to the nearest
             row that brings the l-th.
Free.        Over trees whose nodes cost no more than any allowed set with that closure.
Complexity.  In the worst case all boxes with k rows; the work is counted and limited.
Reference.   The lattice of levels: Samarati 2001, LeFevre et al. 2005; closed sets: Uno et al. 2004.
"""

from __future__ import annotations

from contextlib import suppress

import numpy as np

from shoal import kernels
from shoal.bounds import diversity
from shoal.bounds.base import STOPPED, BoundMethod, check, proved
from shoal.bounds.relaxation import laminar
from shoal.budget import stoppable
from shoal.kernels import Flag
from shoal.kernels.boxes import TooMuchWork
from shoal.problem import Bound, Floats, Problem, Watch

MOST_WORK = 1_500_000_000
"""Rows looked at over all boxes: some seconds."""
NOBODY = Watch()
LIMITS = (1.0, 0.5, 0.2, 0.05)
"""Where the work does not suffice, boxes are walked below these quantiles of the first prices."""


def compute(problem: Problem, watch: Watch) -> Bound:
    note = check(problem)
    if problem.n_rows == 0:
        return proved(problem, "box", None, note)
    watch.tell("boxes")
    found, remark = prices(problem, MOST_WORK, watch)
    return proved(problem, "box", found, " ".join(s for s in (note, remark) if s))


def prices(problem: Problem, most_work: int = MOST_WORK, watch: Watch = NOBODY) -> tuple[Floats, str]:
    """For each tuple the least price of a box with k rows, or less than that where the work did not suffice; and a
    remark.
    """
    found, remark = np.zeros(problem.n_tuples), STOPPED
    diverse = diversity.diversity_of(problem)
    with suppress(InterruptedError), stoppable(watch) as stop:  # what is proved when the watch asks to stop stays
        found, remark = cheapest(problem, most_work, stop)
        if diverse is not None:
            found = np.maximum(found, diversity.reach(problem, diverse, stop))
    return found, remark


def cheapest(problem: Problem, most_work: int, stop: Flag | None) -> tuple[Floats, str]:
    """The same, without a look at sensitive values; InterruptedError once ``stop`` is set."""
    easier = laminar(problem)
    rows = (easier.packed, easier.codes, easier.weight)
    upper = kernels.covering_prices(*rows, easier.k - 1, stop=stop)
    for share in LIMITS:
        limit = np.inf if share == 1.0 else float(np.quantile(upper, share))
        try:
            found, _ = kernels.cheapest_boxes(
                *rows, easier.k, upper, limit, most_work if share == 1.0 else most_work // 3, stop=stop
            )
        except TooMuchWork:
            continue
        if share == 1.0:
            return found, ""
        near = kernels.companion_distances(*rows, easier.k - 1, stop=stop)
        return np.maximum(near, np.minimum(found, limit)), "The boxes are too many: only the cheaper ones were walked."
    near = kernels.companion_distances(*rows, easier.k - 1, stop=stop)
    return near, "The boxes are too many to walk: distances to neighbours were taken."


BOX = BoundMethod(
    name="box",
    title="Cheapest box with the row and k rows",
    reference="This project, docs/guarantees.md",
    compute=compute,
)
