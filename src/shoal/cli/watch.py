"""Progress on standard error: on a terminal for people, and as lines of JSON for machines."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO

from shoal.problem import Watch

OFTEN = 0.5
"""Seconds between two lines of JSON."""


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


class Lines(Watch):
    """A line of JSON when a stage begins, and then about twice a second."""

    def __init__(self, file: TextIO) -> None:
        self.file = file
        self.begun = self.stage_begun = time.monotonic()
        self.said = 0.0
        self.now: dict[str, Any] = {"stage": "starting"}

    def tell(self, stage: str, done: float | None = None, loss: float | None = None, bound: float | None = None) -> None:
        is_new = stage != self.now["stage"]
        if is_new:
            self.stage_begun = time.monotonic()
            self.now = {"stage": stage, **{key: self.now[key] for key in ("loss", "bound") if key in self.now}}
        found = {"done": done, "loss": loss, "bound": bound}
        self.now.update({key: value for key, value in found.items() if value is not None})
        self._say(is_new)

    def count(self, rows: int, n_bytes: int) -> None:
        self.now.update(rows=rows, bytes=n_bytes)

    def _say(self, is_new: bool) -> None:
        now = time.monotonic()
        if not is_new and now - self.said < OFTEN:
            return
        done, spent = self.now.get("done"), now - self.stage_begun
        left = {} if not done or is_new else {"seconds_left": round(spent * (1 - done) / done, 1)}
        self.said = now
        print(json.dumps({**self.now, "seconds": round(now - self.begun, 1), **left}), file=self.file, flush=True)


@contextmanager
def watching(quiet: bool, as_json: bool = False) -> Iterator[Watch]:
    """A watch that shows progress where somebody can see it, or tells it to a program that asks for it."""
    if as_json:
        yield Lines(sys.stderr)
        return
    if quiet or not sys.stderr.isatty():
        yield Watch()
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(bar_width=24), TimeElapsedColumn(),
               TimeRemainingColumn(compact=True), TextColumn("{task.fields[near]}"))  # fmt: skip
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        yield Terminal(progress)
