"""Counted work: how an algorithm keeps to a time limit without reading a clock.

A limit in seconds is translated once, by fixed rates, into units that every machine counts alike: edges looked at, rows grouped, boxes
made. So the same limit gives the same release everywhere; on a slow machine it takes longer. The real clock is watched by the watch that
the run was given (:class:`shoal.clock.Deadline`).
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from shoal.kernels import Flag
from shoal.problem import Watch

LOOKED_AT_EVERY = 0.1
"""Seconds between two questions to the watch while a kernel runs."""


@contextmanager
def stoppable(watch: Watch) -> Iterator[Flag | None]:
    """A flag for a kernel that runs for long. A thread of its own asks the watch, and raises it; None where the watch never asks to stop."""
    if type(watch).wants_stop is Watch.wants_stop:
        yield None
        return
    flag, over = Flag(), threading.Event()

    def look() -> None:
        while not flag.is_set and not over.wait(LOOKED_AT_EVERY):
            if watch.wants_stop():
                flag.set()

    asking = threading.Thread(target=look, daemon=True)
    asking.start()
    try:
        yield flag
    finally:
        over.set()
        asking.join()


class Budget:
    """What a limit of time allows, counted in seconds of a common machine; None for no limit."""

    def __init__(self, limit: float | None, watch: Watch) -> None:
        self.limit, self.watch = limit, watch
        self.spent = 0.0

    def spend(self, units: float, per_second: float) -> None:
        """Count so many units of work, of which a common machine does so many in a second."""
        self.spent += units / per_second

    def left(self) -> float:
        """How many seconds of a common machine are left."""
        return math.inf if self.limit is None else max(self.limit - self.spent, 0.0)

    def is_over(self) -> bool:
        """Whether the run should end now: its work is done, or the watch asks for it."""
        return (self.limit is not None and self.spent >= self.limit) or self.watch.wants_stop()

    def portions(self, units: float, per_second: float) -> Callable[[], bool]:
        """For a kernel that asks after each portion of work whether to stop: counts the portion, then answers."""

        def wants_stop() -> bool:
            self.spend(units, per_second)
            return self.is_over()

        return wants_stop
