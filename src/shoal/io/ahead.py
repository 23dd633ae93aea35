"""Reading ahead: the next stretch is fetched while the one before is worked on."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator
from typing import TypeVar

Thing = TypeVar("Thing")
DEPTH = 2
_END = object()


def ahead(things: Iterator[Thing], depth: int = DEPTH) -> Iterator[Thing]:
    """The same things, fetched by a thread of their own, at most so many in advance. An error comes through as it is. Whoever stops early has the thread stopped."""
    waiting: queue.Queue[tuple[object, BaseException | None]] = queue.Queue(depth)
    stopped = threading.Event()

    def put(thing: object, error: BaseException | None = None) -> bool:
        while not stopped.is_set():
            try:
                waiting.put((thing, error), timeout=0.1)
                return True
            except queue.Full:
                continue
        return False

    def fetch() -> None:
        error: BaseException | None = None
        try:
            for thing in things:
                if not put(thing):
                    break
        except BaseException as raised:
            error = raised
        finally:
            close = getattr(things, "close", None)
            if stopped.is_set() and close is not None:
                close()
        put(_END, error)

    thread = threading.Thread(target=fetch, daemon=True, name="shoal reads ahead")
    thread.start()
    try:
        while True:
            thing, error = waiting.get()
            if error is not None:
                raise error
            if thing is _END:
                return
            yield thing  # type: ignore[misc]
    finally:
        stopped.set()
        thread.join()
