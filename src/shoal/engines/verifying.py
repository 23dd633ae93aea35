"""A release by any tool that does not fit into memory: it and its original are read in stretches, in step, and counted.

Rows are compared by position. Where that is not enough (other rows, another order, columns that the original lacks), this says that cells were not compared:
what a table in memory is asked further needs all rows at once. What is counted spills as in :mod:`shoal.engines.counter`; texts of one column, and pairs of them, are held.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import polars as pl

from shoal.disk.spill import Spill
from shoal.disk.system import free_memory, give_back_memory
from shoal.engines.counter import Counter
from shoal.engines.limits import SHARE
from shoal.engines.passing import COUNTER, IN_MEMORY
from shoal.engines.tables import summed
from shoal.errors import NotAnonymous, Refused
from shoal.io import open_source
from shoal.io.addresses import parse
from shoal.io.source import Source
from shoal.judge.advice import HINT
from shoal.judge.alignment import Alignment, starred
from shoal.judge.compare import Compared, compare_pairs
from shoal.judge.counts import N, Original, by_names, label
from shoal.judge.criteria.base import Requirement
from shoal.judge.hints.hints import hints
from shoal.judge.judge import AlsoTold, Groups, ReleaseJudge
from shoal.judge.lexicon import Lexicon
from shoal.judge.presence import check_columns
from shoal.judge.promise import ReleasePromise
from shoal.judge.verdict import Verdict
from shoal.policy.policy import Policy
from shoal.release.resolve import Hierarchies
from shoal.table import Coded, Table
from shoal.table.coded import code
from shoal.text.cells import as_text
from shoal.text.exact import exact_text, forms_that_differ
from shoal.text.headers import need_columns

SAMPLE = 100_000
"""About so many rows, from everywhere, in which columns are looked for that tell what is hidden."""
OFTEN = 64
"""After so many stretches what was counted is added up."""


def are_large(*places: Any, memory: int | None = None) -> bool:
    """Whether some of these are files, and together more than a run may hold."""
    sizes = [_bytes_of(place) for place in places]
    most = memory if memory is not None else int(SHARE * free_memory())
    return None not in sizes and sum(size or 0.0 for size in sizes) > most


def _bytes_of(place: Any) -> float | None:
    """Bytes of memory that a file or several take as a table, about; None for what is no file that can be read in stretches."""
    if not isinstance(place, str | os.PathLike) or os.fspath(place) == "-" or parse(place):
        return None
    with open_source(place) as source:
        size = source.n_bytes()
    return None if size is None else size * IN_MEMORY


@dataclass(frozen=True, eq=False)
class AskedOfFiles:
    """What is asked of two files."""

    policy: Policy
    withheld: Callable[[int], int | None]
    """How many of so many rows may be lacking; None for any number."""
    suppressed: Sequence[str] = ()
    memory: int | None = None
    named: tuple[str, ...] = field(default=())

    @property
    def names(self) -> list[str]:
        return self.policy.named("quasi-identifier")


def verify_files(original: str | os.PathLike[str], released: str | os.PathLike[str], asked: AskedOfFiles) -> Verdict:
    """Recount a release that is read in stretches; raise :class:`NotAnonymous` where it breaks its promise."""
    if asked.policy.person is not None:
        raise Refused("Counting people (--person) needs both tables in memory, and these are larger.")
    spill = Spill()
    try:
        memory = asked.memory if asked.memory is not None else int(SHARE * free_memory())
        with open_source(original) as before, open_source(released) as after:
            return _InStep(before, after, Counter(spill.folder, int(COUNTER * memory)), asked).verdict()
    finally:
        spill.remove()


class _InStep:
    """One verification."""

    def __init__(self, before: Source, after: Source, counter: Counter, asked: AskedOfFiles) -> None:
        self.before, self.after, self.counter, self.asked = before, after, counter, asked
        self.names = asked.names
        self.demands = tuple(Requirement(*demand) for demand in asked.policy.demands)
        self.dropped = asked.policy.named("identifier")
        self.untouched = [name for name in after.columns if name in before.columns and name not in self.names]
        self.others = tuple(name for name in after.columns if name not in self.names)

    def verdict(self) -> Verdict:
        before, after = (pl.DataFrame(schema=dict.fromkeys(side.columns, pl.String)) for side in (self.before, self.after))
        need_columns(before, self.names, "The original")
        check_columns(before, after, self.dropped, self.asked.named)
        need_columns(after, [*self.names, *(demand.column for demand in self.demands)], "The release")
        need_columns(before, [demand.column for demand in self.demands], "The original")
        original = self._texts()
        policy = self.asked.policy
        known = Hierarchies(Table(before), policy, coded=lambda name: _coded(name, original.columns[name]))
        texts = {name: known.texts(name) for name in self.names}
        promise = ReleasePromise(
            policy.k,
            tuple(self.names),
            self.demands,
            texts,
            tuple(self.after.columns),
            self.asked.withheld(original.n_rows),
            policy.deletion,
            None,
            {},
        )
        judge = ReleaseJudge(promise, original, self._first_rows)
        groups = judge.groups(*self._counted())
        judge.check_withheld(groups.n_rows)
        found = self._by_position(promise, original, groups)
        also = AlsoTold(
            self.others,
            named=tuple(name for name in self.others if name in self.asked.named),
            lacking=tuple(name for name in self.before.columns if name not in {*self.after.columns, *self.dropped}),
            hints=tuple(self._hints) if found.how is not None else (),
        )
        return judge.verdict(groups, found, "", also)

    def _original(self, columns: Sequence[str] | None = None) -> Iterator[pl.DataFrame]:
        for stretch in self.before.stretches(columns):
            yield self.asked.policy.with_missing(Table(stretch.frame)).frame
            give_back_memory()

    def _texts(self) -> Original:
        """The texts of the original that the judge must know, and how many rows there are."""
        names = list(dict.fromkeys([*self.names, *(demand.column for demand in self.demands)]))
        parts: dict[str, list[pl.DataFrame]] = {name: [] for name in names}
        n_rows = 0
        for frame in self._original(names):
            n_rows += frame.height
            for name, found in parts.items():
                _gather(found, as_text(frame[name]).alias("value").to_frame())
        return Original(n_rows, {name: summed(pl.concat(found)) for name, found in parts.items()})

    def _shown(self, frame: pl.DataFrame) -> pl.DataFrame:
        """What tells groups apart, by our own names."""
        return by_names(pl.DataFrame([exact_text(frame[name]).alias(name) for name in self.names]), self.names)

    def _counted(self) -> tuple[pl.DataFrame, list[str], dict[str, str]]:
        """The different released rows over what tells groups apart and the columns of which something is asked, and where these stand."""
        asked = list(dict.fromkeys(demand.column for demand in self.demands))
        names = [label(j) for j in range(len(self.names))]
        values = {name: label(len(names) + i) for i, name in enumerate(asked)}
        rows = (
            self._shown(stretch.frame).with_columns(as_text(stretch.frame[name]).alias(place) for name, place in values.items())
            for stretch in self.after.stretches([*self.names, *(name for name in asked if name not in self.names)])
        )
        return self.counter.fold(rows, len(names) + len(values)), names, values

    def _first_rows(self, groups: pl.DataFrame) -> list[int]:
        """The first row, counted from 1, of each of some groups: a second look at the release."""
        names = [label(j) for j in range(len(self.names))]
        found = []
        for stretch in self.after.stretches(self.names):
            numbered = self._shown(stretch.frame).with_row_index("r", offset=stretch.first + 1)
            there = numbered.join(groups, on=names, how="semi", nulls_equal=True)
            found.append(there.group_by(names).agg(pl.col("r").min()))
        return pl.concat(found).group_by(names).agg(pl.col("r").min())["r"].sort().to_list()

    def _by_position(self, promise: ReleasePromise, original: Original, groups: Groups) -> Alignment:
        added = [name for name in self.others if name not in self.untouched]
        more = [Compared(name, groups.n_rows, kind="added") for name in added]
        if groups.n_rows != original.n_rows:
            return _unknown("the release has fewer rows than the original", more)
        pairs, differing = self._in_step(max(original.n_rows // SAMPLE, 1))
        columns = []
        for name in self.names:
            texts = original.columns[name]
            lexicon = Lexicon(texts["value"], texts[N].to_numpy().astype(np.int64), promise.texts.get(name))
            columns.append(compare_pairs(name, pairs[name], lexicon, groups.n_rows))
        columns += [Compared(name, groups.n_rows, n_wrong=n, kind="kept") for name, n in differing.items()]
        wrong = [column for column in columns if not column.is_true]
        if wrong:
            return _unknown(f"by position, {wrong[0].fault()} (column '{wrong[0].name}'). {HINT} Or the rows stand in another order", more)
        if added:
            return _unknown(f"column '{added[0]}' is not in the original, and may be one of its columns under another name", more)
        return Alignment("by position", tuple(columns))

    def _in_step(self, every: int) -> tuple[dict[str, pl.DataFrame], dict[str, int]]:
        """Both tables beside each other: the pairs of texts of each quasi-identifier, and the cells of other columns that differ. Of so many rows one is looked at closer."""
        parts: dict[str, list[pl.DataFrame]] = {name: [] for name in self.names}
        differing: dict[str, np.ndarray] = {name: np.zeros(1, dtype=np.int64) for name in self.untouched}
        sample: list[tuple[pl.DataFrame, pl.DataFrame]] = []
        for before, after in _steps(self._original(), (stretch.frame for stretch in self.after.stretches())):
            for name, found in parts.items():
                shown = starred(exact_text(after[name]), self.asked.suppressed)
                _gather(found, pl.DataFrame({"o": as_text(before[name]), "s": shown}))
            for name in self.untouched:
                differing[name] = differing[name] + np.array([int(wrong.sum()) for wrong in forms_that_differ(before[name], after[name])])
            sample.append((before.gather_every(every), after.gather_every(every)))
        own, others = (pl.concat(side, how="vertical_relaxed") for side in zip(*sample, strict=True))
        rows, gone = np.arange(own.height), [name for name in self.dropped if name in self.before.columns]
        self._hints = hints(own, others, rows, self.names, self.others, gone)
        return {name: summed(pl.concat(found)) for name, found in parts.items()}, {name: int(n.min()) for name, n in differing.items()}


def _unknown(why: str, columns: Sequence[Compared]) -> Alignment:
    """Cells that could not be compared, because that needs all rows at once."""
    said = f"Cells were not compared: {why}. Tables that do not fit into memory are only compared by position."
    return Alignment(None, tuple(columns), said, is_certain=False)


def _gather(found: list[pl.DataFrame], rows: pl.DataFrame) -> None:
    """Count different rows, and add up what was counted now and then."""
    found.append(rows.group_by(pl.all()).len(N).cast({N: pl.Int64}))
    if len(found) > OFTEN:
        found[:] = [summed(pl.concat(found))]


def _steps(before: Iterator[pl.DataFrame], after: Iterator[pl.DataFrame]) -> Iterator[tuple[pl.DataFrame, pl.DataFrame]]:
    """Two tables of equally many rows, some rows of both at a time."""
    own, other = pl.DataFrame(), pl.DataFrame()
    while True:
        own = own if own.height else next(before, own)
        other = other if other.height else next(after, other)
        n = min(own.height, other.height)
        if not n:
            break
        yield own[:n], other[:n]
        own, other = own[n:], other[n:]
    if own.height or other.height:
        raise NotAnonymous("The tables changed while they were read. Verify them again.")


def _coded(name: str, counted: pl.DataFrame) -> Coded:
    """A column of which the texts were counted."""
    rows = counted[N].to_numpy().astype(np.int64)
    made = code(counted["value"].rename(name))
    return replace(made, rows=rows, n_missing=int(rows[made.codes < 0].sum()))
