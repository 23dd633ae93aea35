"""Rows that pass through this process in stretches, from any source to any target. In memory are only the different rows, and one stretch.

A place that counts texts just as we do is asked to count; else they are counted here. Each row is set beside its original as it is sent, and what the place gives back must be the very rows that
were sent. Everything that must be put aside lies in private folders that the next run sweeps if this one is killed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path

import numpy as np
import polars as pl

from shoal.disk.spill import Spill
from shoal.disk.system import give_back_memory
from shoal.engines.base import Counting, Job, RowEngine
from shoal.engines.beside import FoundPairs
from shoal.engines.choice import refused_when_counting
from shoal.engines.counter import Counter
from shoal.engines.kept_fold import KeptFold
from shoal.engines.limits import BASE, LEAST, SOLVER, check_memory, limit
from shoal.engines.order_sample import OrderSample
from shoal.engines.recipe import Recipe
from shoal.engines.sorting import RowSum, sorted_rows
from shoal.engines.tables import folded_of, summed, texts_by_label
from shoal.engines.tally import Tally
from shoal.errors import NotAnonymous, some
from shoal.io import check_output, open_source, open_target
from shoal.io.addresses import parse
from shoal.io.source import Stretch
from shoal.io.target import OTHER_ROWS, RowHash
from shoal.io.targets.parquet import ParquetTarget
from shoal.judge.counts import OTHER_COLUMNS, Counted, N, Pairs, by_names, label
from shoal.judge.verdict import Verdict
from shoal.table import Coded, Table
from shoal.table.coded import code
from shoal.table.folded import Folded
from shoal.text.cells import as_text, has_text
from shoal.text.exact import exact_text

LOOKED_AT = 1_000_000
"""Rows that are looked at to judge columns without a role: the first ones."""
SHOWN = 1000
"""Rows to look at where a message speaks of the columns."""
IN_MEMORY = 6
"""Bytes that the memory engine takes for each byte of a table, about."""
COUNTER, CONNECTION = 0.4, 0.1
"""How much of a run's memory may be used for counting, and by a database in this process on each side; the rest is for stretches and the solver."""
OFTEN = 8
"""After so many stretches, memory that was freed is given back: they leave hundreds of megabytes behind, and giving back takes time."""
LOST = "Rows were lost or changed while they were sorted. Nothing was written; please report this."


class Passing(Counting):
    """One run."""

    def __init__(self, job: Job) -> None:
        give_back_memory()
        self.job, self.policy = job, job.policy
        check_output(str(job.output), [job.data], force=job.force)
        self._sent, self._told = RowHash(), ""
        self._found: FoundPairs | None = None
        self._tally: Tally | None = None
        self._sample: OrderSample | None = None
        self._fold: KeptFold | None = None
        self._n_rows = 0
        self._open = ExitStack()
        try:
            self._spill = Spill()
            self._open.callback(self._spill.remove)
            self._begin()
        except BaseException:
            self._open.close()
            raise

    def _begin(self) -> None:
        """Open both sides."""
        job, share = self.job, int(CONNECTION * limit(self.job))
        self._from = self._open.enter_context(open_source(job.data, delimiter=job.delimiter, encoding=job.encoding, memory=share))
        self.source, self.columns = self._from.name, self._from.columns
        mark = self._from.delimiter if job.output_delimiter is None else job.output_delimiter
        into = open_target(str(job.output), delimiter=mark, spreadsheet_safe=job.spreadsheet_safe, force=job.force, memory=share)
        self._into = self._open.enter_context(into)
        self._first = into if self.policy.keep_order else ParquetTarget(self._spill.folder / "in_order.parquet")
        self._open.callback(self._first.close)
        self.head = pl.concat(stretch.frame for stretch in self._stretches(most=SHOWN))

    @cached_property
    def counter(self) -> Counter:
        return Counter(self._spill.folder, int(COUNTER * limit(self.job)))

    def _stretches(self, names: Sequence[str] | None = None, most: int | None = None, stage: str = "") -> Iterator[Stretch]:
        """The rows as the policy reads them."""
        for number, stretch in enumerate(self._from.stretches(names, most)):
            yield replace(stretch, frame=self.policy.with_missing(Table(stretch.frame)).frame)
            if stage:
                n_rows = stretch.first + stretch.frame.height
                self.job.watch.count(n_rows, 0)
                self.job.watch.tell(stage, stretch.done or (n_rows / max(self._n_rows, n_rows) if self._n_rows else None))
                if number % OFTEN == 0:
                    give_back_memory()

    def values(self, names: Sequence[str], most: int | None = None) -> list[Coded]:
        looked = [stretch.frame for stretch in self._stretches(names, most or LOOKED_AT)] if names else []
        frame = pl.concat(looked) if looked else pl.DataFrame()
        return [code(frame[name]) for name in frame.columns if has_text(frame.schema[name])]

    def fold(self, names: Sequence[str]) -> Folded:
        kept = None if self.job.work is None else KeptFold(Path(self.job.work), self._from, self.policy, names)
        counted = None if kept is None else kept.load()
        if counted is None:
            counted = self._counted(names)
            if kept is not None:
                kept.save(counted)
        self._fold, self.notes, self._n_rows = kept, self._from.notes, int(counted[N].sum())
        check_memory(counted.height, self.job)
        return folded_of(counted, names, self.columns, self.source, self._where)

    def _counted(self, names: Sequence[str]) -> pl.DataFrame:
        """The different rows over some columns, counted here or where they are."""
        there = self._from.counted(names)
        if there is None:
            texts = (texts_by_label(stretch.frame, names) for stretch in self._stretches(names, stage="reading"))
            return self.counter.fold(texts, len(names))
        return summed(collected((self._marked(frame, names) for frame in there), self.job))

    def _marked(self, counted: pl.DataFrame, names: Sequence[str]) -> pl.DataFrame:
        """What was counted elsewhere, as the policy reads it."""
        rows = pl.DataFrame([counted[label(j)].alias(name) for j, name in enumerate(names)])
        return texts_by_label(self.policy.with_missing(Table(rows)).frame, names).with_columns(counted[N])

    def _where(self, column: str, texts: Sequence[str | None]) -> str:
        """Name the rows that hold one of some texts."""
        found: list[int] = []
        wanted, total, has_lines = pl.Series(texts, dtype=pl.String), 0, False
        for stretch in self._stretches([column]):
            rows = np.flatnonzero(as_text(stretch.frame[column]).is_in(wanted.implode(), nulls_equal=True).to_numpy())
            total, has_lines = total + len(rows), stretch.lines is not None
            numbers = rows + stretch.first + 1 if stretch.lines is None else stretch.lines[rows]
            found += numbers[: 5 - len(found)].tolist() if len(found) < 5 else []
        word = "line" if has_lines else "row"
        return f"{word}{'' if total == 1 else 's'} {some([*found, *range(total - len(found))])}"

    def apply(self, recipe: Recipe) -> None:
        self._shown = recipe.shown.columns
        self._first.write(self._released(recipe), self._shown, self._from.given)

    def _released(self, recipe: Recipe) -> Iterator[pl.DataFrame]:
        """The released rows in the input's order, each set beside its original. Some are put aside to look at their order."""
        deal, quasi_identifiers = recipe.dealer(), self.policy.named("quasi-identifier")
        self._found = FoundPairs(recipe.columns, quasi_identifiers)
        self._sample = OrderSample([name for name in self.columns if name in {*self._shown, *recipe.dropped}])
        self._tally = Tally(recipe.reported, quasi_identifiers, self._spill.folder, self.counter) if recipe.reported else None
        for stretch in self._stretches(stage="writing"):
            released, kept = deal(stretch.frame)
            original = stretch.frame if kept.all() else stretch.frame.filter(pl.Series(kept))
            self._found.add(original, released, stretch.frame.height)
            self._sample.add(stretch.frame, kept, stretch.first)
            if self._tally is not None:
                self._tally.add(stretch.frame, kept)
            yield self._sent.add(released)

    def recount(self, names: Sequence[str]) -> Counted:
        self.job.watch.tell("verifying")
        sent = self._sent if self.policy.keep_order else self._sorted()
        rows, back = self._counted_back(names)
        if back.hexdigest() != sent.hexdigest():
            raise NotAnonymous(OTHER_ROWS)
        self._told = self._into.sha256() or back.hexdigest()
        return Counted(rows, back.columns, self._told)

    def _sorted(self) -> RowHash:
        """Write the rows that were put aside in the order of what they show; gives what was sent."""
        aside, sent, before, after = RowHash(), RowHash(), RowSum(), RowSum()
        rows = (before.add(aside.add(frame)) for frame in self._first.rows())
        in_order = (after.add(sent.add(frame)) for frame in sorted_rows(self.counter, rows))
        self._into.write(in_order, self._shown, self._from.given)
        if before != after or aside.hexdigest() != self._sent.hexdigest():
            raise NotAnonymous(LOST)
        return sent

    def _counted_back(self, names: Sequence[str]) -> tuple[pl.DataFrame, RowHash]:
        """What the place has, counted over some columns, and what tells it from other rows."""
        told = RowHash()

        def frames() -> Iterator[pl.DataFrame]:
            for frame in self._into.rows():
                if not {*names} <= {*frame.columns}:
                    raise NotAnonymous(OTHER_COLUMNS)
                yield told.add(frame)

        there = self._into.counted(names)
        if there is None:
            texts = (by_names(pl.DataFrame([exact_text(frame[name]) for name in names]), names) for frame in frames())
            return self.counter.fold(texts, len(names)), told
        for _ in frames():
            pass
        empty = pl.DataFrame(schema={**{label(j): pl.String for j in range(len(names))}, N: pl.Int64})
        return pl.concat([empty, *there]), told

    def pairs(self, names: Sequence[str], kept: Sequence[str]) -> Pairs:
        assert self._found is not None
        return self._found.pairs()

    def count_before(self, names: Sequence[str]) -> pl.DataFrame:
        assert self._tally is not None
        return self._tally.counted()

    def telling_order(self, names: Sequence[str]) -> list[str]:
        assert self._sample is not None
        return self._sample.telling(names)

    @cached_property
    def _input_sha256(self) -> str | None:
        return self._from.sha256()

    def input_sha256(self) -> str | None:
        return self._input_sha256

    def publish(self, verdict: Verdict) -> str:
        if not self._told or verdict.fingerprint != self._told:
            raise NotAnonymous("This is not the table that was verified. Nothing was written.")
        self._into.publish(self._told)
        if self._fold is not None:
            self._fold.remove()
        return self._told

    def clean(self) -> None:
        self._open.close()


def collected(frames: Iterator[pl.DataFrame], job: Job) -> pl.DataFrame:
    """Different rows, as long as the solver has memory for so many; else they are only counted, and then refused with their number."""
    kept: list[pl.DataFrame] = []
    n_rows, most = 0, (limit(job) - BASE) // SOLVER
    for frame in frames:
        n_rows += frame.height
        if n_rows <= most:
            kept.append(frame)
        else:
            kept.clear()
    check_memory(n_rows, job)
    return pl.concat(kept)


def _scheme(given: object) -> str | None:
    """Of which kind of database this is an address."""
    uri = parse(given)
    return None if uri is None else uri.scheme


def takes(scheme: str | None, job: Job) -> bool:
    """Whether the input is a file, or a table of this database, that is too large for memory, as far as that is known before it is read."""
    if not isinstance(job.data, str | os.PathLike) or job.output is None or _scheme(job.data) != scheme or os.fspath(job.data) == "-":
        return False
    with open_source(job.data) as source:
        size = source.n_bytes()
    return size is not None and size * IN_MEMORY > limit(job)


def refuses(name: str, title: str, scheme: str | None, job: Job) -> str | None:
    if job.output is None:
        return f"The engine '{name}' writes to a file or a table of a database. Name one, or take --engine memory."
    if scheme is not None and scheme not in (_scheme(job.data), _scheme(job.output)):
        return f"The engine '{name}' reads or writes a table of {title}. Leave --engine out, or take --engine files."
    if job.spreadsheet_safe and _scheme(job.output) is not None:
        return "--spreadsheet-safe is for files that a spreadsheet opens. Leave it out for a database."
    if job.work is not None and (
        _scheme(job.data) is not None or not isinstance(job.data, str | os.PathLike) or os.fspath(job.data) == "-"
    ):
        return "An interrupted run is taken up again (--work) where the input is a file. Leave --work out."
    if scheme is None and job.memory is not None and job.memory < LEAST:
        return f"A run takes about {LEAST >> 20} MiB of memory whatever the table, and may use {job.memory >> 20}. Give more (--memory)."
    return refused_when_counting(job)


def _engine(name: str, title: str, scheme: str | None, place: str) -> RowEngine:
    return RowEngine(name, title, partial(takes, scheme), partial(refuses, name, place, scheme), Passing, keeps_work=scheme is None)


FILES = _engine("files", "Tables that are larger than memory, from any place to any other", None, "")
POSTGRES = _engine("postgres", "Tables of PostgreSQL", "postgresql", "PostgreSQL")
SQLITE = _engine("sqlite", "Tables of SQLite", "sqlite", "SQLite")
DUCKDB = _engine("duckdb", "Tables of DuckDB", "duckdb", "DuckDB")
