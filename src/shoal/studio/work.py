"""Work that takes longer than a page may: done in a thread; pages ask how far it is."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Generic, Literal, TypeVar

from shoal.disk.system import give_way
from shoal.errors import ShoalError

T = TypeVar("T")
State = Literal["working", "done", "failed"]


class Turns:
    """Who may compute: one at a time, since two at once would only take longer.

    Runs go in the order in which they came, and before anything else.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._is_taken = False
        self._runs: deque[object] = deque()
        self._beside: set[object] = set()

    @property
    def n_waiting(self) -> int:
        """How many runs wait: what is computed in the background then makes room."""
        return len(self._runs)

    @contextmanager
    def of_run(self) -> Iterator[None]:
        """The turn of a run."""
        me = object()
        with self._changed:
            self._runs.append(me)
            self._changed.wait_for(lambda: not self._is_taken and self._runs[0] is me)
            self._runs.popleft()
            self._is_taken = True
        try:
            yield
        finally:
            self._give_back()

    def beside(self) -> Callable[[], None]:
        """Something begins that is computed beside the runs and may be waited for: nothing begins in the background
        until what this gives is called.
        """
        me = object()
        with self._changed:
            self._beside.add(me)

        def over() -> None:
            with self._changed:
                self._beside.discard(me)
                self._changed.notify_all()

        return over

    @contextmanager
    def in_background(self) -> Iterator[None]:
        """A turn that nobody waits for: it begins when no run goes on, none waits, and nothing is computed beside
        them.
        """
        with self._changed:
            self._changed.wait_for(lambda: not self._is_taken and not self._runs and not self._beside)
            self._is_taken = True
        try:
            yield
        finally:
            self._give_back()

    def _give_back(self) -> None:
        with self._changed:
            self._is_taken = False
            self._changed.notify_all()


TURNS = Turns()


class Job(Generic[T]):
    """One piece of work: its state, and in the end its result or what to tell the user."""

    def __init__(
        self, title: str, work: Callable[[], T], after: Callable[[], object] = lambda: None, gives_way: bool = False
    ) -> None:
        self.title = title
        self._gives_way = gives_way
        """Whether nobody waits for it yet: the pages and the browser before them are then served first."""
        self._after = after
        """Done when it is over, however it ended."""
        self.state: State = "working"
        self.error = ""
        self.result: T | None = None
        self._thread = threading.Thread(target=self._run, args=(work,), daemon=True)
        self._thread.start()

    def _run(self, work: Callable[[], T]) -> None:
        if self._gives_way:
            give_way()
        try:
            self.result = work()
        except BaseException as error:
            self.error = told(error)
            self.state = "failed"
        else:
            self.state = "done"
        self._after()

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
