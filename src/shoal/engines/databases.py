"""Tables that stay where they are: rows pass through this process in stretches, from the old table to the new one.

PostgreSQL counts its rows itself. SQLite and DuckDB compare cells by rules of their own (``1`` and ``1.0`` are equal, or ``a`` and ``A``), so texts are counted here, as those of files are.
What differs between databases is in :mod:`shoal.io.table_rows`. Rows are set beside the original as they are sent, and what the database gives back must be the very rows that were sent.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from functools import cached_property
from pathlib import Path

import numpy as np
import polars as pl

from shoal.disk.spill import Spill
from shoal.disk.system import give_back_memory
from shoal.engines import files
from shoal.engines.base import Counting, Job
from shoal.engines.beside import FoundPairs
from shoal.engines.choice import refused_when_counting
from shoal.engines.counter import Counter
from shoal.engines.files import check_memory, limit
from shoal.engines.order_sample import OrderSample
from shoal.engines.recipe import Recipe
from shoal.engines.sorting import RowSum, sorted_rows
from shoal.engines.tables import folded_of, summed, texts_by_label
from shoal.engines.tally import Tally
from shoal.errors import DataError, NotAnonymous, some
from shoal.io import databases
from shoal.io.ahead import ahead
from shoal.io.table_rows import OTHER_ROWS, Room, RowHash, check_plain
from shoal.io.uris import Uri, parse
from shoal.judge.counts import Counted, N, Pairs, by_names, label
from shoal.judge.verdict import Verdict
from shoal.table import Coded, Table
from shoal.table.coded import code
from shoal.table.folded import Folded
from shoal.text.cells import as_text, has_text
from shoal.text.exact import exact_text

LOOKED_AT = 1_000_000
"""Rows that are looked at to judge columns without a role: the first ones."""
EVERY = 16
"""Of so many stretches one gives a piece of which the order of the rows is looked at."""
COUNTER, CONNECTION = 0.4, 0.1
"""How much of a run's memory may be used for counting, and by the database for each of its two files."""
IN_MEMORY = 6
"""Bytes that the memory engine takes for each byte of a table, about."""
LOST = "Rows were lost or changed while they were sorted. Nothing was written; please report this."


class InTables(Counting):
    """One run."""

    def __init__(self, job: Job) -> None:
        give_back_memory()
        self.job = job
        self.uri, self.to = address(job.data), address(job.output)
        databases.check_target(self.to, self.uri, force=job.force)
        self._open = ExitStack()
        self._found: FoundPairs | None = None
        self._tally: Tally | None = None
        self._sample: OrderSample | None = None
        self._n_rows, self._sha256 = 0, ""
        try:
            spill, memory = self._private(), limit(job)
            room = Room(spill.folder / "read", int(CONNECTION * memory))
            self._from = databases.open_source(self.uri, room)
            self._open.callback(self._from.close)
            self.source, self.columns = self._from.name, self._from.columns
            self._counting = Room(spill.folder / "count", int(COUNTER * memory))
            beside = spill if self.to.scheme == "postgresql" else self._private(Path(os.path.realpath(self.to.path)).parent)
            self._into = databases.open_target(self.to, Room(beside.folder / "write", room.memory), job.force)
            self._open.callback(self._into.close)
            for folder in (spill.folder / "read", spill.folder / "count", beside.folder / "write"):
                folder.mkdir(mode=0o700)
            first = list(self._stretches(self.columns, 1000))
            if not first:
                raise DataError(f"{self.source} has no rows.")
            self.head = pl.concat(first)
            check_plain(self.head, self.source)
        except BaseException:
            self._open.close()
            raise

    @cached_property
    def counter(self) -> Counter:
        return Counter(self._counting.folder, self._counting.memory)

    def _private(self, folder: Path | None = None) -> Spill:
        made = Spill(folder)
        self._open.callback(made.remove)
        return made

    def _stretches(self, names: Sequence[str], most: int | None = None) -> Iterator[pl.DataFrame]:
        """The rows as the policy reads them."""
        for frame in ahead(self._from.rows(names, most)):
            yield self.job.policy.with_missing(Table(frame)).frame

    def values(self, names: Sequence[str], most: int | None = None) -> list[Coded]:
        looked = list(self._stretches(names, LOOKED_AT if most is None else most)) if names else []
        frame = pl.concat(looked) if looked else pl.DataFrame()
        return [code(frame[name]) for name in frame.columns if has_text(frame.schema[name])]

    def fold(self, names: Sequence[str]) -> Folded:
        of_server = self._from.counted(names)
        if of_server is None:
            texts = (texts_by_label(frame, names) for frame in self._stretches(names))
            rows = collected(self.counter.query(texts, counting(len(names))), self.job)
        else:
            rows = collected((self._marked(frame, names) for frame in of_server), self.job)
        if not rows.height:
            raise DataError(f"{self.source} has no rows.")
        self._n_rows = int(rows[N].sum())
        return folded_of(summed(rows), names, self.columns, self.source, self._where)

    def _marked(self, counted: pl.DataFrame, names: Sequence[str]) -> pl.DataFrame:
        """What the database has counted, as the policy reads it."""
        rows = pl.DataFrame([counted[label(j)].alias(name) for j, name in enumerate(names)])
        return texts_by_label(self.job.policy.with_missing(Table(rows)).frame, names).with_columns(counted[N])

    def _where(self, column: str, texts: Sequence[str | None]) -> str:
        """Name the rows that hold one of some texts. All columns are read: a database may give a single one from an index, in another order."""
        wanted, total, before = pl.Series(texts, dtype=pl.String), 0, 0
        found: list[int] = []
        for frame in self._stretches(self.columns):
            rows = np.flatnonzero(as_text(frame[column]).is_in(wanted.implode(), nulls_equal=True).to_numpy())
            found += (rows[: 5 - len(found)] + before + 1).tolist() if len(found) < 5 else []
            total, before = total + len(rows), before + frame.height
        return f"row{'' if total == 1 else 's'} {some([*found, *range(total - len(found))])}"

    def apply(self, recipe: Recipe) -> None:
        self._sent = RowHash()
        self._into.write(self._released(recipe), recipe.shown.columns, self._from.given)

    def _released(self, recipe: Recipe) -> Iterator[pl.DataFrame]:
        """The released rows, each set beside its original."""
        hidden = [name for name in self.columns if name in {*recipe.shown.columns, *recipe.dropped}]
        deal, before = recipe.dealer(), 0
        quasi_identifiers = self.job.policy.named("quasi-identifier")
        self._sample = OrderSample(hidden, EVERY)
        self._found = FoundPairs(recipe.columns, quasi_identifiers)
        self._tally = Tally(recipe.reported, quasi_identifiers, self._counting.folder, self.counter) if recipe.reported else None
        for number, frame in enumerate(self._stretches(self.columns)):
            released, kept = deal(frame)
            original = frame if kept.all() else frame.filter(pl.Series(kept))
            self._found.add(original, released, frame.height)
            if self._tally is not None:
                self._tally.add(frame, kept)
            self._sample.add(frame, kept, before, number)
            before += frame.height
            self.job.watch.count(before, 0)
            self.job.watch.tell("writing", before / max(self._n_rows, before))
            yield self._sent.add(released)

    def recount(self, names: Sequence[str]) -> Counted:
        if self.job.policy.keep_order:
            rows, columns, self._sha256 = self._count_back(names)
            if self._sha256 != self._sent.hexdigest():
                raise NotAnonymous(OTHER_ROWS)
            return Counted(rows, columns, self._sha256)
        before, after = RowSum(), RowSum()
        back, again = RowHash(), RowHash()
        for frame in self._into.rows():
            again.add(frame)
        if again.hexdigest() != self._sent.hexdigest():
            raise NotAnonymous(OTHER_ROWS)
        self._into.sort(lambda rows: sorted_rows(self.counter, (before.add(back.add(frame)) for frame in rows)))
        rows, columns, self._sha256 = self._count_back(names, after)
        if before.n_rows and (back.hexdigest() != self._sent.hexdigest() or before != after):
            raise NotAnonymous(LOST)
        return Counted(rows, columns, self._sha256)

    def _count_back(self, names: Sequence[str], total: RowSum | None = None) -> tuple[pl.DataFrame, tuple[str, ...], str]:
        """What the database has, counted over some columns; its columns; and its hash."""
        told = RowHash()
        columns: list[str] = []

        def texts() -> Iterator[pl.DataFrame]:
            for frame in ahead(self._into.rows()):
                columns[:] = frame.columns
                told.add(frame if total is None else total.add(frame))
                yield by_names(pl.DataFrame([exact_text(frame[name]) for name in names]), names)

        of_server = self._into.counted(names)
        if of_server is None:
            rows = self.counter.fold(texts(), len(names))
        else:
            for _ in texts():
                pass
            empty = pl.DataFrame(schema={**{label(j): pl.String for j in range(len(names))}, N: pl.Int64})
            rows = pl.concat([empty, *of_server])
        return rows, tuple(columns), told.hexdigest()

    def pairs(self, names: Sequence[str], kept: Sequence[str]) -> Pairs:
        assert self._found is not None
        return self._found.pairs()

    def count_before(self, names: Sequence[str]) -> pl.DataFrame:
        assert self._tally is not None
        return self._tally.counted()

    def telling_order(self, names: Sequence[str]) -> list[str]:
        assert self._sample is not None
        return self._sample.telling(names)

    def input_sha256(self) -> str | None:
        return None

    def publish(self, verdict: Verdict) -> str:
        if not self._sha256 or verdict.fingerprint != self._sha256:
            raise NotAnonymous("This is not the table that was verified. Nothing was written.")
        self._into.publish(self._sha256)
        return self._sha256

    def clean(self) -> None:
        self._open.close()


def counting(n_columns: int) -> str:
    """The statement by which texts are counted here."""
    names = ", ".join(label(j) for j in range(n_columns))
    return f"SELECT {names}, count(*) AS {N} FROM rows GROUP BY ALL"


def collected(frames: Iterator[pl.DataFrame], job: Job) -> pl.DataFrame:
    """Different rows, as long as the solver has memory for so many; else they are only counted, and then refused with their number."""
    kept: list[pl.DataFrame] = []
    n_rows, most = 0, (limit(job) - files.BASE) // files.SOLVER
    for frame in frames:
        n_rows += frame.height
        if n_rows <= most:
            kept.append(frame)
        else:
            kept.clear()
    check_memory(n_rows, job)
    return pl.concat(kept) if kept else pl.DataFrame()


def address(given: object) -> Uri:
    found = parse(given)
    assert found is not None
    return found


def is_of(scheme: str, given: object) -> bool:
    """Whether this is the address of a table of such a database."""
    found = parse(given)
    return found is not None and found.scheme == scheme


def takes(scheme: str, job: Job) -> bool:
    """Whether the input is a table of this database that is too large for memory, as far as that is known before it is read, and the output is a table too."""
    if not is_of(scheme, job.data) or parse(job.output) is None:
        return False
    return databases.n_bytes(address(job.data)) * IN_MEMORY > limit(job)


def refuses(name: str, title: str, scheme: str, job: Job) -> str | None:
    if not is_of(scheme, job.data) or parse(job.output) is None:
        return f"The engine '{name}' reads a table of {title} and writes a table of a database. Leave --engine out for files."
    if job.spreadsheet_safe:
        return "--spreadsheet-safe is for files that a spreadsheet opens. Leave it out for a database."
    return refused_when_counting(job)
