"""What an algorithm declares about itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from shoal.demands import are_met, satisfy
from shoal.errors import Infeasible
from shoal.problem import Ints, Problem, Solution, Watch, close


@dataclass(frozen=True)
class Algorithm:
    """One paper's algorithm: its name, what it promises, and the function that runs it."""

    name: str
    title: str
    reference: str
    recoding: str
    """'local' (each group by itself), 'global' (a value is generalized alike everywhere) or 'full-domain'."""
    guarantee_text: str
    """The guarantee in words, for people."""
    guarantee: Callable[[Problem], float | None]
    """The proved factor for this problem, or None."""
    refuses: Callable[[Problem], str | None]
    """Why this problem cannot be done by it, with the algorithm to take instead; None if it can."""
    solve: Callable[[Problem, Watch], Solution]
    counts_work: bool = True
    """Whether a limit of time is a count of its work; if not, the clock stops it, and such a run cannot be repeated."""
    scales_to: int = 1_000_000_000
    """Beyond how many rows the contract tests and the benchmark should not ask it."""


def too_few(problem: Problem) -> Solution | None:
    """What to release of a table with fewer than k rows: nothing, where every row may be withheld; else it is infeasible."""
    if problem.n_rows >= problem.k:
        return None
    if problem.deletion or problem.n_rows <= problem.max_withheld:
        return close(problem, np.full(problem.n_rows, -1, dtype=np.int32), note="Every row is withheld: there are fewer than k.")
    raise Infeasible(
        f"There are {problem.n_rows} rows, and a group needs {problem.k}. Lower k, add rows, or let {problem.n_rows} rows be withheld."
    )


def meet_demands(problem: Problem, group: Ints, watch: Watch) -> Ints:
    """Groups merged until each meets every demand; rows that were left out are taken back where there is no other way."""
    if not problem.demands:
        return group
    merged = satisfy(problem, group, watch)
    if are_met(problem, merged).all():
        return merged
    return satisfy(problem, np.where(group < 0, group.max(initial=0) + 1, group).astype(np.int32), watch)


def harmonic(n: int) -> float:
    """1 + 1/2 + … + 1/n."""
    return float(sum(1 / i for i in range(1, n + 1)))
