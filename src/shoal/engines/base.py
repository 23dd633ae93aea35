"""What an engine is: a place where rows are counted and written, behind a few questions. It decides nothing about a release.

A :class:`RowEngine` opens the rows of one run as a :class:`RowSet`, which is asked, in this order:

    values      the different texts of some columns, and how often each occurs
    fold        the different rows over some columns, and how many there are of each
    apply       write every row with what its group shows, where nobody else can see it
    recount     fold what was written (engines that count; one that has the rows in memory is verified row by row)
    pairs       of what was written beside the original: the different pairs of an original and a released text, cells of other columns that differ
    publish     give what was verified its name, in one step
    clean       remove everything that was not published; also after an error

What the answers mean is decided once, by :mod:`shoal.engines.driver` and :mod:`shoal.judge.judge`, for all engines alike.
Cells are compared and counted as texts (:mod:`shoal.text.cells`), whatever their type. Rows keep the input's order unless the policy has them sorted by what they show.
No message may hold a cell: an engine catches the errors of its library and says them again in words of its own.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from shoal.algorithms.base import Algorithm
from shoal.engines.recipe import Recipe
from shoal.engines.tables import original_of
from shoal.judge.counts import Counted, N, Pairs
from shoal.judge.judge import verdict_of
from shoal.judge.promise import ReleasePromise
from shoal.judge.verdict import Verdict
from shoal.policy.policy import Policy
from shoal.problem import Problem, Solution, Watch
from shoal.release.counted import ReportCounts
from shoal.table import Coded
from shoal.table.folded import Folded


@dataclass(frozen=True)
class Job:
    """What an engine is opened with."""

    data: Any
    """What is read: a path, an address, a dataframe."""
    policy: Policy
    output: str | None = None
    """Where the release goes; None where the caller takes it from memory."""
    force: bool = False
    """Whether an output that exists is replaced."""
    delimiter: str | None = None
    """Of the input, where it cannot be found out."""
    encoding: str | None = None
    output_delimiter: str | None = None
    form: str = "labels"
    spreadsheet_safe: bool = False
    memory: int | None = None
    """Bytes that the run may use; None for what the machine has."""
    work: str | None = None
    """A folder that keeps the folded rows, so that an interrupted run need not count them again."""
    proof: bool = False
    """Whether a proof, or a report, will be asked for."""
    report: bool = False
    watch: Watch = Watch()  # noqa: RUF009 (it has no state)


class RowSet(ABC):
    """The rows of one run: the input, and the release that is made of it."""

    source: str
    """The input's name in messages."""
    columns: tuple[str, ...]
    """All columns of the input, in their order."""
    head: pl.DataFrame
    """Rows to look at where a message speaks of the columns: all, or the first ones."""
    notes: tuple[str, ...] = ()
    """What reading had to assume, in words for the user."""

    @abstractmethod
    def values(self, names: Sequence[str], most: int | None = None) -> list[Coded]:
        """The different texts of these columns, of each by itself, in the first rows if ``most`` says how many. Columns that have no texts (lists, bytes) are left out."""

    @abstractmethod
    def fold(self, names: Sequence[str]) -> Folded:
        """The different rows over these columns."""

    def solve(self, problem: Problem, algorithm: Algorithm, watch: Watch) -> Solution | None:
        """The solution, where the engine has it found elsewhere; None where this process is to solve."""
        return None

    @abstractmethod
    def apply(self, recipe: Recipe) -> None:
        """Write the release, unseen."""

    @abstractmethod
    def verdict(self, promise: ReleasePromise, folded: Folded) -> Verdict:
        """Recount what was written and hold it to the promise."""

    @abstractmethod
    def telling_order(self, names: Sequence[str]) -> list[str]:
        """Of these columns, those whose cells can be guessed from the order in which the released rows stand."""

    @abstractmethod
    def input_sha256(self) -> str | None:
        """Of the file that was read; None where it is no file."""

    def clean(self) -> None:  # noqa: B027 (nothing to remove is the usual case)
        """Remove whatever is not published."""


class Counting(RowSet):
    """Rows that are not in memory: the engine counts texts, and the verdict is made of the counts."""

    counts: ReportCounts | None = None
    """What a report is made of, where one was asked for."""

    @abstractmethod
    def recount(self, names: Sequence[str]) -> Counted:
        """Fold what was written over these columns of it."""

    @abstractmethod
    def pairs(self, names: Sequence[str], kept: Sequence[str]) -> Pairs:
        """Set what was written beside the original, row by row: ``names`` are quasi-identifiers, ``kept`` columns that must be as they were."""

    @abstractmethod
    def publish(self, verdict: Verdict) -> str:
        """Let the release appear under its name if it is what the verdict is about. Gives a SHA-256 of what was written."""

    def verdict(self, promise: ReleasePromise, folded: Folded) -> Verdict:
        counted = self.recount(promise.counted)
        verdict = verdict_of(promise, original_of(folded, promise.folded), counted, self.pairs(promise.quasi_identifiers, promise.kept))
        if promise.is_reported:
            self.counts = ReportCounts(promise.counted, in_order(counted.rows), in_order(self.count_before(promise.counted)))
        return verdict

    @abstractmethod
    def count_before(self, names: Sequence[str]) -> pl.DataFrame:
        """The different rows of the original over the columns that a report counts, as texts, with ``kept`` (whether they are released) and ``n``."""


def in_order(lines: pl.DataFrame) -> pl.DataFrame:
    """Sorted by what they show: in which order an engine found them must not be seen in a report."""
    return lines.sort([name for name in lines.columns if name != N])


@dataclass(frozen=True)
class RowEngine:
    """One place where rows can be."""

    name: str
    title: str
    takes: Callable[[Job], bool]
    """Whether it is the one for such an input and output, where no engine was named."""
    refuses: Callable[[Job], str | None]
    """Why it cannot do what is asked, and what to do instead; None if it can."""
    open: Callable[[Job], RowSet]
    keeps_work: bool = False
    """Whether it can take up an interrupted run again."""
