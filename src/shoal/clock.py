"""Real (elapsed) time: how long each step took, and whether a run has taken too long."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from shoal.problem import Watch

STEPS = ("read", "encode", "solve", "bound", "verify", "tell", "write")
"""Every second of a run belongs to one of them. ``tell`` is what is found out about a verified release: what its order and its other columns tell, what of it may be published."""


class Clock:
    """Elapsed seconds per step."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = dict.fromkeys(STEPS, 0.0)

    @contextmanager
    def __call__(self, step: str) -> Iterator[None]:
        start = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[step] += time.perf_counter() - start


PATIENCE = 1.2
"""How far a run that counts its work may go beyond its limit. Usually the count ends it first, unless the machine is slow or busy."""


class Deadline(Watch):
    """Passes reports on to another watch, and asks the run to stop when that watch does or when the clock has passed the limit."""

    def __init__(self, watch: Watch, seconds: float | None) -> None:
        self.watch = watch
        self.end = None if seconds is None else time.monotonic() + seconds
        self.has_stopped = False
        """Whether the run was ever asked to stop: another run may then give another result."""

    def tell(self, stage: str, done: float | None = None, loss: float | None = None, bound: float | None = None) -> None:
        self.watch.tell(stage, done, loss=loss, bound=bound)

    def wants_stop(self) -> bool:
        late = self.end is not None and time.monotonic() > self.end
        self.has_stopped |= late or self.watch.wants_stop()
        return self.has_stopped
