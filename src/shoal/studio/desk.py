"""The *desk*: everything that a person works on in the studio. One person, one table, some runs."""

from __future__ import annotations

import gc
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from shoal.errors import DataError, PolicyError
from shoal.policy.columns import ColumnPolicy
from shoal.policy.given import make_policy
from shoal.policy.policy import Policy
from shoal.report.risk import Assessment, assess_table
from shoal.studio import loading
from shoal.studio.curve import Curves
from shoal.studio.decided import Decided
from shoal.studio.runs import Run
from shoal.studio.settings import Settings, of_policy
from shoal.studio.sight import Sight
from shoal.studio.work import AnyJob, Job


class Stale(DataError):
    """A page is about a table that is no longer loaded."""


class Absent(DataError):
    """A page asks for something that never existed."""


class AtStake(DataError):
    """Something would be lost that nobody agreed to lose."""


MOST_FOR_TRIPLES = 12
"""Quasi-identifiers up to which all triples are looked at; pairs beyond."""


@dataclass(frozen=True)
class Past:
    """A run of an opened project: its release was not kept, but it can be repeated."""

    name: str
    policy: str
    fingerprint: str


@dataclass
class Desk(Decided):
    """What is on the desk."""

    folder: Path = Path()
    """Private: uploads and downloads, wiped at the end."""
    root: Path = Path()
    """Where files may be picked from."""
    key: str = ""
    """Of the table on the desk: new with each load, so that no address of an earlier table leads to this one."""
    path: str = ""
    """Of the file, where it was picked from the disk and not sent."""
    settings: Settings = field(default_factory=Settings)
    runs: list[Run] = field(default_factory=list)
    past: list[Past] = field(default_factory=list)
    shown: int = 0
    """The number of the run whose release the table pane shows; 0: the last one that is done."""
    saved: str = ""
    """What was saved last, as a digest."""
    waiting: dict[str, Any] | None = None
    """A project that was opened and waits for its table."""
    waiting_file: str = ""
    """The name of what a crashed studio kept, where that is what waits: removed once it is on the desk."""
    is_left: bool = False
    """Whether the studio is being closed on its page: nothing is kept any more."""
    changed: Callable[[], object] = lambda: None
    """Called when something changed that must survive a crash."""
    said: str = ""
    """Something that the next page has to tell."""
    curves: Curves = field(default_factory=Curves)
    _sight: tuple[str, Sight] | None = None
    _n_runs: int = 0
    _risk: tuple[tuple[Any, ...], Job[Assessment]] | None = None
    _left: list[AnyJob] = field(default_factory=list)
    """Work that nobody waits for any more, and that may still go on."""
    _lock: threading.RLock = field(default_factory=threading.RLock)
    """A lock, held while a table is replaced and while something is done to one."""

    def load(self, path: Path, name: str) -> None:
        """Begin to read a file. What was on the desk before is closed."""
        is_ours = path.is_relative_to(self.folder)
        self.begin(Job(f"Reading {name}", lambda: loading.load(path, name, is_ours)), "" if is_ours else str(path))

    def begin(self, job: Job[loading.Loaded], path: str = "") -> None:
        """Put a table that is being read on the desk."""
        with self._lock:
            self.clear()
            self.key, self.path, self.loading = secrets.token_hex(8), path, job

    def clear(self) -> None:
        """Take everything off the desk."""
        with self._lock:
            self.stop()
            self.curves.stop()
            self._left += [job for job in (self.loading, self._risk and self._risk[1], self.curves.job) if job]
            self.forget()
            self.key, self.path, self.loading, self.runs, self.past, self.saved, self.shown = (
                "",
                "",
                None,
                [],
                [],
                "",
                0,
            )
            self.settings, self.curves, self._risk, self._sight, self._n_runs = Settings(), Curves(), None, None, 0
        gc.collect()  # the studio seldom looks for cycles by itself

    def stop(self) -> None:
        """Ask every run to stop."""
        for run in self.runs:
            run.ear.stop.set()
        self._left += [job for run in self.runs for job in (run.job, run.drawing) if job]

    def is_busy(self, patience: float) -> bool:
        """Whether some work still goes on after so many seconds."""
        until = time.monotonic() + patience
        self.curves.stop()
        for job in self._jobs():
            job.wait(max(until - time.monotonic(), 0.0))
        return any(job.state == "working" for job in self._jobs())

    def _jobs(self) -> list[AnyJob]:
        """All work that may go on; a run that ends begins to draw its report."""
        reports = [run.drawing for run in self.runs]
        return [
            job for job in (self.loading, self._risk and self._risk[1], self.curves.job, *self._left, *reports) if job
        ]

    @property
    def has_failed(self) -> bool:
        return self.loading is not None and self.loading.state == "failed"

    @property
    def sight(self) -> Sight:
        """The table as the pane shows it."""
        if self._sight is None or self._sight[0] != self.key:
            if self.loaded is None:
                raise DataError("There is no table yet. Load one first.")
            self._sight = (
                self.key,
                Sight(
                    self.table,
                    self.loaded.coded,
                    {s.column: s.kind for s in self.loaded.columns},
                    self.loaded.haystacks,
                ),
            )
        return self._sight[1]

    def risk(self) -> Job[Assessment]:
        """What the quasi-identifiers give away; counted once for the same columns."""
        names, watched = tuple(self.named("quasi-identifier")), tuple(self.named("sensitive"))
        if not names:
            raise PolicyError("Choose what to protect first: the columns that outsiders may know of somebody.")
        person = self.person
        if self._risk is None or self._risk[0] != (names, watched, person, self.marks):
            size = 3 if len(names) <= MOST_FOR_TRIPLES else 2
            table = self.table.with_missing(self.marks, [*names, *watched, *([person] if person else [])])
            job = Job(
                "Counting who stands out",
                lambda: assess_table(table, names, watched, largest_subset=size, person=person),
            )
            self._risk = (names, watched, person, self.marks), job
        return self._risk[1]

    @property
    def is_working(self) -> bool:
        """Whether a page is being waited for."""
        jobs: list[AnyJob | None] = [self.loading, self._risk[1] if self._risk else None]
        return any(job is not None and job.state == "working" for job in jobs)

    def policy(self) -> Policy:
        """All of it as a policy, which repeats the run on the command line."""
        s = self.settings
        names = self.named("quasi-identifier")
        asked = make_policy(
            None, **s.said, quasi_identifiers=names, sensitive=self.named("sensitive"),
            identifiers=self.named("identifier"),
            hierarchies={n: self.specs[n] for n in names if n in self.specs},
            weights={n: self.weights[n] for n in names if n in self.weights},
            require=dict(s.require), person=self.person, missing_values=self.marks,
        )  # fmt: skip
        if not names:
            raise PolicyError("Protect at least one column: one that outsiders may know of somebody.")
        kept = {name: ColumnPolicy(role="insensitive") for name in self.named("insensitive")}
        return asked.changed(columns=self._ordered({**asked.columns, **kept}))

    def _ordered(self, columns: dict[str, ColumnPolicy]) -> dict[str, ColumnPolicy]:
        """As an opened policy has them, if there is one: the order of columns decides between equals."""
        return {
            name: columns[name]
            for name in (*(n for n in self.order if n in columns), *(n for n in columns if n not in self.order))
        }

    def take_policy(self, policy: Policy) -> None:
        """Make what a policy asks for the state of the desk: all of it, or nothing."""
        there = self.table.columns
        absent = [name for name in policy.columns if name not in there]
        if absent:
            shown = ", ".join(f"'{name}'" for name in absent[:5])
            raise PolicyError(f"This policy is of another table: there is no column {shown} in {self.table.source}.")
        settings = of_policy(policy)
        for name, column in policy.columns.items():
            if column.hierarchy is not None:
                self.encoded(name, column.hierarchy)
        self.forget()
        self.settings, self.order, self.marks = settings, tuple(policy.columns), policy.missing_values
        self.roles = {
            name: "person" if name == policy.person else column.role for name, column in policy.columns.items()
        }
        self.specs = {name: column.hierarchy for name, column in policy.columns.items() if column.hierarchy is not None}
        self.weights = {name: column.weight for name, column in policy.columns.items() if column.weight != 1}
        self.answers = {
            question.key: "as in the policy"
            for question in self.questions()
            if question.column in policy.columns or question.key.startswith("mark ")
        }

    def ready(self) -> None:
        """Raise if a run has to wait for an answer."""
        n = len(self.questions()) + len(self.undecided())
        if n:
            first = next((q.text for q in self.questions()), f"What is '{next(iter(self.undecided()), '')}'?")
            raise PolicyError(f"A run waits for {'your answer' if n == 1 else f'{n} answers'}. First: {first}")

    def start(self, key: str, settings: Settings | None = None) -> Run:
        """Begin a run of the table of this key with what is on the desk."""
        with self.holding(key):
            self.settings = settings or self.settings
            policy = self.policy()
            self.ready()
            return self.begin_run(policy, self.reasons())

    def begin_run(
        self, policy: Policy, reasons: dict[str, list[str]] | None = None, name: str = "", again: str = ""
    ) -> Run:
        """Begin a run with this policy."""
        self._n_runs += 1
        run = Run(self._n_runs, self.key, self.table, policy, self.folder, reasons or {}, name, lambda: self.changed())
        run.again = again
        self.runs.append(run)
        self.shown = 0
        return run

    def run(self, key: str, number: int) -> Run:
        """A run of the table that is on the desk; never one of another table that had the same number."""
        self.need(key)
        found = next((run for run in self.runs if run.number == number), None)
        if found is None:
            raise Absent("There is no such run of this table.")
        return found

    def delete(self, key: str, number: int) -> None:
        """Forget a run, and remove its files."""
        with self.holding(key):
            run = self.run(key, number)
            run.ear.stop.set()
            self._left += [job for job in (run.job, run.drawing) if job]
            self.runs.remove(run)
            run.wipe()
            gc.collect()

    def shown_run(self) -> Run | None:
        """The run whose release the table pane shows."""
        done = [run for run in self.runs if run.job.state == "done"]
        return next((run for run in done if run.number == self.shown), done[-1] if done else None)

    @contextmanager
    def holding(self, key: str) -> Iterator[None]:
        """While something is done to the table of this key, no other table can replace it."""
        with self._lock:
            self.need(key)
            yield

    def need(self, key: str) -> None:
        """Raise :class:`Stale` for a page of a table that is no longer on the desk."""
        if not self.key or key != self.key:
            raise Stale(
                "This page is of a table that is no longer on the desk: another one was loaded since, perhaps in "
                "another tab. "
                "Nothing was changed, and no file was sent."
            )
