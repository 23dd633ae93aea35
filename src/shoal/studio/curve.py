"""What each k costs, before one is chosen: quick runs in the background, one k after the other.

They are made with little effort, and of a large table only a sample is run; the page says so. Nothing of them is
released.
"""

from __future__ import annotations

import threading
import warnings
from dataclasses import dataclass, field, replace

import numpy as np

from shoal import api
from shoal.errors import ShoalError, ShoalWarning
from shoal.policy.policy import Policy
from shoal.problem import Watch
from shoal.studio.work import TURNS, Job
from shoal.table import Table

KS = (2, 3, 5, 10, 20, 50)
SAMPLE = 20_000
EFFORT = 0.1
"""In multiples of what a run gets."""


@dataclass(frozen=True)
class Point:
    """What one k costs: shares of all that the protected columns tell."""

    k: int
    lost: float
    bound: float | None
    highest: float
    """The highest chance of picking somebody's row."""
    average: float
    withheld: float
    """The share of the rows."""


class Quiet(Watch):
    """Listens to nothing, but stops when it is told to, and when a run waits."""

    def __init__(self) -> None:
        self.end = threading.Event()
        self.made_room = False
        """Whether it stopped for a run: what it found is then not what it would have found."""

    def tell(
        self, stage: str, done: float | None = None, loss: float | None = None, bound: float | None = None
    ) -> None:
        return None

    def wants_stop(self) -> bool:
        self.made_room = self.made_room or TURNS.n_waiting > 0
        return self.end.is_set() or self.made_room


@dataclass
class Curves:
    """The curve of the table on the desk, as far as it is known."""

    key: str = ""
    """Of the policy, without k."""
    points: list[Point] = field(default_factory=list)
    n_sampled: int = 0
    """Rows that were run, where that is not all."""
    job: Job[None] | None = None
    _ear: Quiet = field(default_factory=Quiet)

    def stop(self) -> None:
        self._ear.end.set()

    def follow(self, table: Table, policy: Policy) -> None:
        """Compute the curve of this policy, unless that is done or going on."""
        key = policy.changed(k=2).sha256()
        if key == self.key:
            return
        self.stop()
        self.key, self.points, self._ear = key, [], Quiet()
        ear, points = self._ear, self.points
        some = sample(table)
        self.n_sampled = some.n_rows if some.n_rows < table.n_rows else 0
        self.job = Job("The curve", lambda: walk(some, policy, points, ear), gives_way=True)

    @property
    def is_working(self) -> bool:
        return self.job is not None and self.job.state == "working"

    @property
    def has_withheld(self) -> bool:
        """Whether some k withholds rows."""
        return any(p.withheld for p in self.points)

    def at(self, k: int) -> Point | None:
        """What is known of a k."""
        return next((p for p in self.points if p.k == k), None)


def sample(table: Table) -> Table:
    """The table, or rows of it at random: the same ones each time."""
    if table.n_rows <= SAMPLE:
        return table
    rows = np.sort(np.random.default_rng(0).choice(table.n_rows, SAMPLE, replace=False))
    return replace(table, frame=table.frame[rows], lines=None, given=None)


def walk(table: Table, policy: Policy, points: list[Point], ear: Quiet) -> None:
    """One k after the other.

    A run that comes goes first; the point that was being computed is computed again after it.
    """
    for k in (k for k in KS if 2 * k <= table.n_rows):
        found, ear.made_room = None, True
        while ear.made_room and not ear.end.is_set():
            with TURNS.in_background():
                ear.made_room = False
                found = None if ear.end.is_set() else measure(table, policy, k, ear)
        if found is not None and not ear.end.is_set():
            points.append(found)


def measure(table: Table, policy: Policy, k: int, watch: Watch) -> Point | None:
    """The figures of one quick run; None where this k cannot be had."""
    quick = policy.changed(k=k, effort=EFFORT * policy.effort, time_limit=None)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ShoalWarning)
            release = api.anonymize(table, policy=quick, watch=watch)
    except ShoalError:
        return None
    sizes = np.array(release.verdict.sizes)
    most, bound = release.solution.most_loss, release.lower_bound
    return Point(
        k, release.loss / most if most else 0.0, None if bound is None or not most else bound / most,
        1 / max(int(sizes.min()), 1),
        len(sizes) / max(int(sizes.sum()), 1), 1 - len(release.rows) / max(table.n_rows, 1),
    )  # fmt: skip
