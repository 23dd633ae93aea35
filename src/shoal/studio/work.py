"""Work that takes longer than a page may: done in a thread; pages ask how far it is."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Generic, Literal, TypeVar

from shoal.errors import ShoalError

T = TypeVar("T")
State = Literal["working", "done", "failed"]
TURNS = threading.Semaphore(1)
"""Held by a run: two at once would only take longer."""


class Job(Generic[T]):
    """One piece of work: its state, and in the end its result or what to tell the user."""

    def __init__(self, title: str, work: Callable[[], T]) -> None:
        self.title = title
        self.state: State = "working"
        self.error = ""
        self.result: T | None = None
        self._thread = threading.Thread(target=self._run, args=(work,), daemon=True)
        self._thread.start()

    def _run(self, work: Callable[[], T]) -> None:
        try:
            self.result = work()
        except BaseException as error:
            self.error = told(error)
            self.state = "failed"
        else:
            self.state = "done"

    def wait(self, seconds: float | None = None) -> None:
        """Until it is over, or for so long."""
        self._thread.join(seconds)


def told(error: BaseException) -> str:
    """What a page says of an error. Only our own messages are known to carry no cell."""
    if isinstance(error, ShoalError):
        return str(error)
    if isinstance(error, MemoryError):
        return "There is not enough memory for this table. Try fewer columns, or a machine with more."
    return f"shoal met something it did not expect ({type(error).__name__}). Nothing was released."


AnyJob = Job[Any]
