"""Progress on standard error: on a terminal for people, and as lines of JSON for machines."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO

from shoal.problem import Watch
from shoal.stages import Pace, in_words
from shoal.text.rounding import factor_up

OFTEN = 0.5
"""Seconds between two lines of JSON."""


class Terminal(Watch):
    """Shows the stage, the share of it that is done, and how close loss and bound are."""

    def __init__(self, progress: Any, pace: Pace) -> None:
        self.progress, self.pace = progress, pace
        self.task = progress.add_task(in_words("starting"), total=1.0, near="")
        self.loss: float | None = None
        self.bound: float | None = None

    def tell(self, stage: str, done: float | None = None, loss: float | None = None, bound: float | None = None) -> None:
        self.pace.tell(stage, done)
        self.loss = loss if loss is not None else self.loss
        self.bound = bound if bound is not None else self.bound
        near = ""
        if self.loss is not None and self.bound and self.loss >= self.bound:
            near = f"at most {factor_up(self.loss / self.bound)} × the least"
        elif self.loss is not None:
            near = f"loss {self.loss:,.1f}"
        self.progress.update(
            self.task, description=in_words(stage), completed=done or 0.0, total=1.0 if done is not None else None, near=near
        )


class Lines(Watch):
    """A line of JSON when a stage begins, and then about twice a second."""

    def __init__(self, file: TextIO) -> None:
        self.file, self.pace = file, Pace()
        self.said = 0.0
        self.now: dict[str, Any] = {"stage": self.pace.stage}

    def tell(self, stage: str, done: float | None = None, loss: float | None = None, bound: float | None = None) -> None:
        is_new = self.pace.tell(stage, done)
        if is_new:
            self.now = {"stage": stage, **{key: self.now[key] for key in ("loss", "bound") if key in self.now}}
        found = {"done": done, "loss": loss, "bound": bound}
        self.now.update({key: value for key, value in found.items() if value is not None})
        self._say(is_new)

    def count(self, rows: int, n_bytes: int) -> None:
        self.now.update(rows=rows, bytes=n_bytes)

    def _say(self, is_new: bool) -> None:
        spent, left = self.pace.seconds, self.pace.seconds_left
        if not is_new and spent - self.said < OFTEN:
            return
        self.said = spent
        rest = {} if is_new or left is None else {"seconds_left": round(left, 1)}
        print(json.dumps({**self.now, "seconds": round(spent, 1), **rest}), file=self.file, flush=True)


def clock(pace: Pace) -> str:
    """The time that has passed, and what is left of the stage where that can be said."""
    left = pace.seconds_left
    return minutes(pace.seconds) + (f", {minutes(left)} left" if left is not None else "")


def minutes(seconds: float) -> str:
    whole = int(seconds)
    hours = f"{whole // 3600}:{whole % 3600 // 60:02d}" if whole >= 3600 else f"{whole // 60}"
    return f"{hours}:{whole % 60:02d}"


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
    from rich.progress import BarColumn, Progress, ProgressColumn, SpinnerColumn, Task, TextColumn
    from rich.table import Column
    from rich.text import Text

    pace = Pace()

    class TimeSpent(ProgressColumn):
        """Our own: the library's stands still once a task has been complete, and a run has several stages."""

        def render(self, task: Task) -> Text:
            return Text(clock(pace))

    columns = (SpinnerColumn(), TextColumn("{task.description}", table_column=Column(no_wrap=True, overflow="ellipsis")), BarColumn(bar_width=8),
               TimeSpent(Column(no_wrap=True)), TextColumn("{task.fields[near]}", table_column=Column(no_wrap=True)))  # fmt: skip
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        yield Terminal(progress, pace)
