"""Progress on standard error, and only on a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from shoal.problem import Watch


class Terminal(Watch):
    """Shows the stage, the share that is done, and how close loss and bound are."""

    def __init__(self, progress: Any) -> None:
        self.progress = progress
        self.task = progress.add_task("starting", total=1.0, near="")
        self.loss: float | None = None
        self.bound: float | None = None
        self.begun = time.monotonic()

    def tell(self, stage: str, done: float | None = None, loss: float | None = None, bound: float | None = None) -> None:
        self.loss = loss if loss is not None else self.loss
        self.bound = bound if bound is not None else self.bound
        near = ""
        if self.loss is not None and self.bound and self.loss >= self.bound:
            near = f"proved within {100 * (self.loss / self.bound - 1):.1f} %"
        elif self.loss is not None:
            near = f"loss {self.loss:,.1f}"
        self.progress.update(
            self.task, description=stage, completed=done if done is not None else 0.0, total=1.0 if done is not None else None, near=near
        )


@contextmanager
def watching(quiet: bool) -> Iterator[Watch]:
    """A watch that shows progress where somebody can see it."""
    if quiet or not sys.stderr.isatty():
        yield Watch()
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(bar_width=24), TimeElapsedColumn(),
               TimeRemainingColumn(compact=True), TextColumn("{task.fields[near]}"))  # fmt: skip
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        yield Terminal(progress)
