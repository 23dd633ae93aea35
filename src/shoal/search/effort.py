"""Effort, counted in cells that the search looks at, so that a result does not depend on the clock.

``time_limit`` is translated once, by a fixed rate, into such units; it can only shorten a run. On a slower or busier
machine the same limit takes longer, until the clock ends the run; on a faster one it ends sooner.
"""

from __future__ import annotations

import math

from shoal.problem import Problem

CELLS_PER_SECOND = 250_000_000
"""Measured on one core of a common server; a fixed rate, not a measurement of this machine."""
PRICED_PER_SECOND = 450_000_000
"""Rows that the walk over tight boxes looks at in a second."""
CELLS_OF_NEAR, CELLS_OF_COVER, CELLS_OF_ROUND = 250, 700, 80
"""What finding near tuples, a cover along the prices, and beginning and ending a round take for each unit, in cells."""
DEFAULT_SECONDS = 25.0
"""For a table like Adult (30,000 rows of 8 columns) when no limit is given."""
ROWS_OF_DEFAULT = 30_000
ENOUGH_FOR_A_SMALL_ONE, ROWS_A_SECOND = 20.0, 75
"""A smaller table gets more for each row: there an extra second disturbs least and gains most."""
NO_TIME = 1e-6
"""What a limit of no time at all counts as: shares are taken of it."""


def seconds_of(problem: Problem) -> float:
    """How many seconds of one core the search may take: what a table of this size usually gets, times what was asked
    for, or the limit if that is less.
    """
    share = problem.n_units / ROWS_OF_DEFAULT
    worth = DEFAULT_SECONDS * min(share, 1.0 + 0.07 * (share - 1.0) if share > 1 else share)
    worth = problem.effort * max(worth, min(ENOUGH_FOR_A_SMALL_ONE, problem.n_units / ROWS_A_SECOND))
    return max(worth if problem.time_limit is None else min(problem.time_limit, worth), NO_TIME)


def spare_seconds(problem: Problem, used: float) -> float:
    """What a limit leaves of itself when so many seconds are used; no end of them without a limit."""
    return math.inf if problem.time_limit is None else max(problem.time_limit - used, 0.0)
