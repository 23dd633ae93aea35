"""How long each step took."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

STEPS = ("read", "encode", "solve", "bound", "verify", "write")


class Clock:
    """Seconds per step, on the wall."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = dict.fromkeys(STEPS, 0.0)

    @contextmanager
    def __call__(self, step: str) -> Iterator[None]:
        start = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[step] += time.perf_counter() - start
