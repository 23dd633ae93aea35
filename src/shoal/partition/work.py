"""Counted work of the way by groups: it gets a part of what a limit allows, and leaves the rest to the integer program
over boxes.
"""

from __future__ import annotations

from typing import Any

from shoal import highs
from shoal.budget import Budget
from shoal.problem import Watch

STEPPED_PER_SECOND = 6_000_000
"""Steps of the simplex method, each times the rows of the program and a tenth of its columns, in a second of a common
machine.
"""
SEARCHED_PER_SECOND = 4_000_000
"""Groups begun in a search, in a second of a common machine."""
COUNTED_PER_SECOND = 100_000_000
"""Numbers looked at in the search for cuts, in a second of a common machine."""
ALL_STEPS = 2**31 - 1


class Work(Watch):
    """Asks to stop when so many seconds of a common machine are counted, or when the watch asks for it; passes reports
    on.
    """

    def __init__(self, seconds: float | None, watch: Watch) -> None:
        self.watch, self.budget = watch, Budget(seconds, watch)

    def tell(
        self, stage: str, done: float | None = None, loss: float | None = None, bound: float | None = None
    ) -> None:
        self.watch.tell(stage, done, loss=loss, bound=bound)

    def wants_stop(self) -> bool:
        return self.budget.is_over()

    def searched(self, groups: int) -> None:
        self.budget.spend(groups, SEARCHED_PER_SECOND)

    def counted(self, numbers: int) -> None:
        self.budget.spend(numbers, COUNTED_PER_SECOND)

    def run(self, program: Any, most_steps: int = ALL_STEPS) -> None:
        """Run a linear program: to its end, to so many steps, or until the work is over, which leaves it without a
        result.
        """
        step = program.getNumRow() + program.getNumCol() / 10
        left = min(self.budget.left() * STEPPED_PER_SECOND / step, ALL_STEPS)
        program.setOptionValue("simplex_iteration_limit", int(min(most_steps, left)))
        highs.run(program, self.watch)
        self.budget.spend(max(highs.steps(program), 1) * step, STEPPED_PER_SECOND)
