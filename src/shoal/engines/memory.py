"""Tables that fit into memory: read whole, kept as columns, verified row by row."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
import polars as pl

from shoal import io
from shoal.engines.base import Job, RowEngine, RowSet
from shoal.engines.recipe import Recipe
from shoal.judge.promise import ReleasePromise
from shoal.judge.verdict import Verdict
from shoal.judge.verify import verify
from shoal.release.decode import decode
from shoal.release.record import input_sha256
from shoal.release.telling import telling_columns
from shoal.table import Coded, Table
from shoal.table.coded import code
from shoal.table.folded import Folded, fold_table
from shoal.text.cells import has_text


class InMemory(RowSet):
    """A table, and the released frame that is made of it."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.source, self.columns, self.head, self.notes = table.source, tuple(table.columns), table.frame, table.notes
        self.kind_of_row = self.groups = self.kinds = np.zeros(0, dtype=np.int32)
        self.frame = pl.DataFrame()

    def values(self, names: Sequence[str], most: int | None = None) -> list[Coded]:
        there = [name for name in names if has_text(self.table.column(name).dtype)]
        if most is None or self.table.n_rows <= most:
            return [self.table.coded(name) for name in there]
        return [code(self.table.column(name).head(most)) for name in there]

    def fold(self, names: Sequence[str]) -> Folded:
        folded, self.kind_of_row = fold_table(self.table, names)
        return folded

    def apply(self, recipe: Recipe) -> None:
        self.kinds = recipe.encoding.kinds[self.kind_of_row]
        self.groups = recipe.solution.plan.groups_of(self.kinds)
        self.frame = decode(self.table, recipe.solution, self.groups, sorted(recipe.dropped))

    @cached_property
    def kept(self) -> np.ndarray:
        """The rows of the table that are released."""
        return np.flatnonzero(self.groups >= 0)

    def verdict(self, promise: ReleasePromise, folded: Folded) -> Verdict:
        return verify(
            self.table.frame,
            self.frame,
            k=promise.k,
            quasi_identifiers=promise.quasi_identifiers,
            hierarchies=promise.texts,
            demands=promise.demands,
            rows=self.kept,
            untouched=promise.kept,
            dropped=[name for name in self.table.columns if name not in promise.columns],
            measure=promise.measure,
            weights=promise.weights,
            person=promise.person,
            sensitive=promise.sensitive,
            deletion=promise.deletion,
        )

    def telling_order(self, names: Sequence[str]) -> list[str]:
        return telling_columns(self.table, self.kept, names)

    def input_sha256(self) -> str | None:
        return input_sha256(self.table)


def _open(job: Job) -> InMemory:
    if job.output is not None:
        io.check_output(job.output, [job.data])
    return InMemory(job.policy.with_missing(io.read(job.data, delimiter=job.delimiter, encoding=job.encoding)))


MEMORY = RowEngine("memory", "Tables that fit into memory", takes=lambda job: True, refuses=lambda job: None, open=_open)
