"""What a search has found so far, and how it says where it stands."""

from __future__ import annotations

from dataclasses import dataclass, field

from shoal.problem import Bound, Floats, Ints, Longs, Moment, Problem, Solution, Watch, close

ENOUGH = 1.0005
"""A proved ratio at which there is nothing left to do."""


@dataclass
class Run:
    """What a run has found so far."""

    problem: Problem
    watch: Watch
    group: Ints
    loss: float
    bound: Bound | None = None
    work: float = 0.0
    is_priced: bool = False
    """Whether the prices rise no further."""
    is_cut: bool = False
    """Whether cuts were looked for."""
    rise: float = 0.0
    """By what share the bound rose in a second of the last turn of the prices."""
    history: list[Moment] = field(default_factory=list)
    start: Floats | None = None
    """Prices to begin with, of an easier problem."""
    closed: Solution | None = None
    """The best groups closed, where the run is about to end with them: with free columns of a million rows that takes a
    second.
    """

    def keep(self, group: Ints, loss: float | None = None) -> None:
        """Keep groups if they are better than the best so far; what they lose is counted unless it is known."""
        made = close(self.problem, group) if loss is None else None
        loss = loss if made is None else made.loss
        if loss is not None and loss < self.loss:
            self.group, self.loss = group, loss
            self.closed = made if self.watch.wants_stop() else None

    def prove(self, bound: Bound) -> None:
        """Keep a bound if it is higher than the best so far."""
        if self.bound is None or bound.value > self.bound.value:
            self.bound = bound

    def cut_anew(self, problem: Problem, was: Longs) -> None:
        """Take the problem with its rows cut into other units; each was a part of one of today's."""
        self.problem, self.group, self.closed = problem, self.group[was], None

    def tell(self, stage: str, done: float | None = None) -> None:
        """Say where the run stands, and note it down."""
        bound = None if self.bound is None else self.bound.value
        self.watch.tell(stage, done, loss=self.loss, bound=bound)
        self.history.append(Moment(stage, self.work, self.loss, bound))

    def is_over(self) -> bool:
        if self.watch.wants_stop():
            return True
        if self.loss <= 1e-9:
            return True
        enough = max(self.problem.stop_at_ratio, ENOUGH)
        return self.bound is not None and self.loss <= enough * self.bound.value
