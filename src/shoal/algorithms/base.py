"""What an algorithm declares about itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from shoal.demands import are_met, satisfy
from shoal.errors import Infeasible, Refused
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
    """Why it cannot solve this problem, and which algorithm to take instead; None if it can."""
    solve: Callable[[Problem, Watch], Solution]
    by_rows: bool = True
    """Whether it looks at single rows. If not, it works on units: its time and memory grow with the distinct rows and
    not with their number.
    """
    deletes: bool = False
    """Whether it looks by itself for a release without deletions where rows may be deleted, so that it never loses more
    than without.
    """
    counts_work: bool = True
    """Whether a time limit is counted as work; if not, the clock stops the run, and such a run cannot be repeated
    exactly.
    """


class Proved(Protocol):
    """The lightest factor that was found, and what is proved of it."""

    @property
    def weight(self) -> float: ...

    @property
    def bound(self) -> float: ...

    @property
    def is_proved(self) -> bool: ...


def promise(problem: Problem, factor: float | None, found: Proved, what: str) -> dict[str, object]:
    """What is guaranteed of groups that are made from a lightest factor, and in words."""
    if factor is None:
        return {"guarantee": None, "note": why_none(problem, f"the {what}'s")}
    if found.is_proved:
        note = (
            f"At most {factor:g} times the least possible loss: the {what} is proved optimal among all pairs of rows."
        )
    elif found.bound <= 0:
        return {"guarantee": None, "note": f"No guarantee: time was over before anything was proved about the {what}."}
    else:
        factor *= found.weight / found.bound
        note = (
            f"At most {factor:.4g} times the least possible loss: time was over before the {what} was proved optimal."
        )
    return {"guarantee": factor, "note": note}


def why_none(problem: Problem, whose: str, takes_offsets: bool = False) -> str | None:
    """Why a guarantee for monotone measures on hierarchies does not hold here; None if it does.

    Few hold where rows of a group pay differently.
    """
    if problem.demands:
        return "No guarantee: groups were merged until they met the criteria asked for."
    if not problem.is_laminar:
        return f"No guarantee: some columns are generalized freely, and {whose} needs hierarchies."
    if problem.max_withheld:
        return (
            f"No guarantee: which rows are withheld is a heuristic. Beside the best release of the same rows, {whose} "
            "factor holds."
        )
    if problem.has_offset and not takes_offsets:
        return f"No guarantee: by {problem.measure.name} the rows of a group pay differently."
    return None


MOST_ROWS = 3_000_000
"""Up to so many rows an algorithm looks at each of them."""


def too_many(algorithm: Algorithm, problem: Problem) -> str | None:
    """Why an algorithm that looks at single rows does not take so many, and what to take instead; None if it does."""
    if not algorithm.by_rows or problem.n_rows <= MOST_ROWS:
        return None
    return (
        f"{algorithm.name} looks at every row by itself, up to {MOST_ROWS:,} of them, and there are "
        f"{problem.n_rows:,}. "
        "Take 'auto', 'mondrian' or 'full-domain', which work on the distinct rows."
    )


def solve(problem: Problem, algorithm: Algorithm, watch: Watch) -> Solution:
    """Run an algorithm, unless it refuses the problem.

    Where rows may be deleted, a release in which none is deleted is tried too.
    """
    reason = too_many(algorithm, problem) or algorithm.refuses(problem)
    if reason is not None:
        raise Refused(reason)
    asked = problem.by_rows() if algorithm.by_rows else problem
    if not problem.deletion or algorithm.deletes or problem.n_rows < problem.k:
        return algorithm.solve(asked, watch)
    # first: the clock may cut the second run short, and never this one
    kept = algorithm.solve(replace(asked, deletion=False), watch)
    found = algorithm.solve(asked, watch)
    if found.n_groups and found.loss < kept.loss:
        return found
    return replace(
        kept,
        problem=replace(kept.problem, deletion=True),
        guarantee=found.guarantee,
        note=found.note,
        bound=found.bound,
    )


def too_few(problem: Problem) -> Solution | None:
    """What to release of a table with fewer than k rows: nothing, where every row may be withheld; else it is
    infeasible.
    """
    if problem.n_rows >= problem.k:
        return None
    if problem.deletion or problem.n_rows <= problem.max_withheld:
        return close(
            problem, np.full(problem.n_units, -1, dtype=np.int32), note="Every row is withheld: there are fewer than k."
        )
    raise Infeasible(
        f"There are {problem.n_rows} rows, and a group needs {problem.k}. Lower k, add rows, or let {problem.n_rows} "
        "rows be withheld."
    )


def meet_demands(problem: Problem, group: Ints, watch: Watch) -> Ints:
    """Groups merged until each meets every demand; rows that were left out are taken back where there is no other
    way.
    """
    if not problem.demands:
        return group
    merged = satisfy(problem, group, watch)
    if are_met(problem, merged).all():
        return merged
    return satisfy(problem, np.where(group < 0, group.max(initial=0) + 1, group).astype(np.int32), watch)


def harmonic(n: int) -> float:
    """1 + 1/2 + … + 1/n."""
    return float(sum(1 / i for i in range(1, n + 1)))
