"""A verified release whose rows are not in memory, as a report looks at it: its different rows, and how many there are of each.

It answers what a :class:`~shoal.release.release.Release` answers, for the same pages. What is said of a line is said of ``times`` rows. Only the
quasi-identifiers and the sensitive columns were counted; what needs other cells of single rows is left out of a report, and the report says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import polars as pl

from shoal.judge.counts import N, by_names, label
from shoal.judge.verdict import Verdict
from shoal.policy.policy import Policy
from shoal.problem import Ints, Longs, Moment, Problem, Solution
from shoal.release.decode import shown_by_groups
from shoal.release.frozen import FrozenDict
from shoal.release.risk import Risk, risk_of
from shoal.release.written import WrittenFile
from shoal.table import Coded
from shoal.table.coded import code

KEPT = "kept"


@dataclass(frozen=True, eq=False)
class ReportCounts:
    """What an engine counts for a report: texts of the quasi-identifiers and the sensitive columns, by our own names (``c0``, ``c1``, …), and ``n``."""

    names: tuple[str, ...]
    """The columns, in their order."""
    after: pl.DataFrame
    """The different rows of what was written."""
    before: pl.DataFrame
    """The different rows of the original, with ``kept``: whether they are released."""


@dataclass(frozen=True, eq=False)
class CountedRelease:
    """What a report is made of."""

    counts: ReportCounts
    columns: tuple[str, ...]
    """All released columns, those that were not counted too."""
    source: str
    notes: tuple[str, ...]
    policy: Policy
    problem: Problem
    solution: Solution
    verdict: Verdict
    facts: FrozenDict
    record: FrozenDict
    manifest: FrozenDict
    file: WrittenFile

    @cached_property
    def frame(self) -> pl.DataFrame:
        """The different released rows."""
        return _named(self.counts.after, self.counts.names)

    @property
    def table(self) -> pl.DataFrame:
        return self.frame

    @cached_property
    def times(self) -> Longs:
        """How many rows each line of the frame stands for."""
        return self.counts.after[N].to_numpy().astype(np.int64)

    @cached_property
    def groups(self) -> Ints:
        """A group of the solution that shows what each line shows. Groups that show the same are one to a reader."""
        shown = shown_by_groups(self.solution)
        names = [label(j) for j in range(shown.width)]
        first = by_names(shown, shown.columns).with_row_index(N).unique(names, keep="first", maintain_order=True)
        found = self.counts.after.select(names).join(first, on=names, how="left", nulls_equal=True, maintain_order="left")[N]
        return found.to_numpy().astype(np.int32)

    @property
    def history(self) -> tuple[Moment, ...]:
        return self.solution.history

    @property
    def lower_bound(self) -> float | None:
        bound = self.facts["lower_bound"]
        return None if bound is None else float(bound)

    @cached_property
    def _released(self) -> pl.DataFrame:
        return self.counts.before.filter(pl.col(KEPT))

    def before(self, names: Sequence[str]) -> tuple[pl.DataFrame, Longs]:
        """Cells of the original, of the different rows that are released, and how many there are of each."""
        return _named(self._released, self.counts.names)[list(names)], self._released[N].to_numpy().astype(np.int64)

    def sensitive(self, name: str) -> tuple[Coded, Ints, Longs]:
        """A sensitive column, which lines look alike and how many rows each stands for; −1 for lines that are withheld."""
        away = self.counts.before.filter(~pl.col(KEPT))
        cells = pl.concat([self.frame[name], _named(away, self.counts.names)[name]])
        times = np.concatenate([self.times, away[N].to_numpy().astype(np.int64)])
        alike = np.unique(self.groups, return_inverse=True)[1].reshape(-1)
        group = np.concatenate([alike, np.full(away.height, -1)]).astype(np.int32)
        return replace(code(cells), rows=times), group, times

    def risks(self) -> tuple[Risk, Risk]:
        """Before, over the original rows, and after, over the released ones."""
        return risk_of(self.problem.weight, self.problem.k), risk_of(self.verdict.size_array(), self.problem.k)


def _named(lines: pl.DataFrame, names: Sequence[str]) -> pl.DataFrame:
    """The counted columns under the table's own names."""
    return pl.DataFrame([lines[label(j)].alias(name) for j, name in enumerate(names)])
