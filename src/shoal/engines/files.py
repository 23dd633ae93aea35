"""Files that are larger than memory: read in stretches by the strict reader, counted, written in stretches beside their place.

In memory are only the different rows, and one stretch. Everything that must be put aside lies in a private folder that the next run sweeps if this one is killed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.disk.atomic import advice, place_part
from shoal.disk.spill import Part, Spill
from shoal.disk.system import free_memory, give_back_memory
from shoal.engines.base import Counting, Job, RowEngine
from shoal.engines.beside import SetBeside, read_back, scan_part
from shoal.engines.choice import refused_when_counting
from shoal.engines.counter import Counter
from shoal.engines.kept_fold import KeptFold
from shoal.engines.order_sample import OrderSample, texts_once
from shoal.engines.recipe import Recipe
from shoal.engines.sorting import RowSum, sorted_rows
from shoal.engines.tables import folded_of
from shoal.engines.tally import Tally
from shoal.errors import DataError, NotAnonymous, Refused, WriteError, some
from shoal.io.csv import render
from shoal.io.endings import form_of
from shoal.io.folders import is_many
from shoal.io.foreign import is_foreign
from shoal.io.scan import ParquetScan, Scan, Stretch, scan
from shoal.io.stream import StreamWriter, file_sha256
from shoal.io.uris import parse
from shoal.io.writer import check_output, undefuse
from shoal.judge.counts import CHANGED, Counted, Pairs, by_names
from shoal.judge.verdict import Verdict
from shoal.table import Coded, Table
from shoal.table.coded import code
from shoal.table.folded import Folded
from shoal.text.cells import as_text, has_text
from shoal.text.exact import exact_text

LOOKED_AT = 1_000_000
"""Rows that are looked at to judge columns without a role: the first ones."""
PIECES = 50
"""Pieces from everywhere of which the order of the rows is looked at, about so many."""
IN_MEMORY = {"csv": 6, "gz": 40, "parquet": 30}
"""Bytes of memory that a table takes in the memory engine for each byte of its file, about."""
SHARE = 0.6
"""How much of the free memory a run takes if nobody says how much it may."""
BASE, SOLVER = 256 << 20, 1000
"""Bytes that every run takes, and bytes that solving takes for each different row, about."""
LEAST = 700 << 20
"""Bytes that reading, counting and writing take in any run, as measured: less is refused."""
OFTEN = 8
"""After so many stretches, memory that was freed is given back: they leave hundreds of megabytes behind, and giving back takes time."""
COUNTER = 0.4
"""How much of a run's memory the database may use; the rest is for stretches and the solver."""


class InFiles(Counting):
    """One run."""

    def __init__(self, job: Job) -> None:
        give_back_memory()
        check_output(str(job.output), [job.data] if not is_many(str(job.data)) else [], force=job.force)
        self.job, self.policy = job, job.policy
        self.spill = Spill()
        self.part: Part | None = None
        self._sha256 = ""
        self._kept: list[NDArray[np.uint8]] = []
        self._tally: Tally | None = None
        self._sample: OrderSample | None = None
        self._pairs: Pairs | None = None
        self._fold: KeptFold | None = None
        try:
            self.scan: Scan = scan(job.data, self.spill.folder, delimiter=job.delimiter, encoding=job.encoding)
            self._check_apart()
            self.source, self.columns = self.scan.name, self.scan.columns
            first = next(self._stretches(), None)
            self.head = pl.DataFrame(schema=list(self.columns)) if first is None else texts_once(first.frame)
            self.counter = Counter(self.spill.folder, int(COUNTER * limit(job)))
        except BaseException:
            self.spill.remove()
            raise

    def _check_apart(self) -> None:
        """A release among the files of a folder or a pattern would be read as a part of the table the next time."""
        place = Path(os.path.realpath(str(self.job.output)))
        if is_many(str(self.job.data)) and place.parent in {path.resolve().parent for path in self.scan.files()}:
            raise WriteError(f"'{self.job.output}' would lie among the files that are read. Choose another folder.")

    def _stretches(self, columns: Sequence[str] | None = None, stage: str = "") -> Iterator[Stretch]:
        """The rows as the policy reads them."""
        for number, stretch in enumerate(self.scan.stretches(columns)):
            yield replace(stretch, frame=self.policy.with_missing(Table(stretch.frame)).frame)
            if stage:
                self.job.watch.count(stretch.first + stretch.frame.height, round(stretch.done * self.scan.n_bytes))
                self.job.watch.tell(stage, stretch.done)
                if number % OFTEN == 0:
                    give_back_memory()

    def values(self, names: Sequence[str], most: int | None = None) -> list[Coded]:
        looked: list[pl.DataFrame] = []
        for stretch in self._stretches(names) if names else ():
            looked.append(stretch.frame)
            if stretch.first + stretch.frame.height >= (most or LOOKED_AT):
                break
        frame = (pl.concat(looked) if most is None else pl.concat(looked).head(most)) if looked else pl.DataFrame()
        return [code(frame[name]) for name in frame.columns if has_text(frame.schema[name])]

    def fold(self, names: Sequence[str]) -> Folded:
        texts = (
            by_names(pl.DataFrame([as_text(column) for column in stretch.frame.iter_columns()]), names)
            for stretch in self._stretches(names, "reading")
        )
        kept = None if self.job.work is None else KeptFold(Path(self.job.work), self.scan, self.policy, names)
        counted = None if kept is None else kept.load()
        if counted is None:
            counted = self.counter.fold(texts, len(names))
            if kept is not None:
                kept.save(counted)
        self._fold, self.notes = kept, self.scan.notes
        check_memory(counted.height, self.job)
        return folded_of(counted, names, self.columns, self.source, self._where)

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

    @property
    def is_in_place(self) -> bool:
        """Whether rows are written where they will be published; rows that are to be sorted are put aside first."""
        return self.policy.keep_order

    @property
    def _mark(self) -> str:
        return self.scan.delimiter if self.job.output_delimiter is None else self.job.output_delimiter

    def apply(self, recipe: Recipe) -> None:
        if self.is_in_place:
            self._write(self._released(recipe))
            return
        with self._telling("temporary files"), open(os.open(self._aside, os.O_CREAT | os.O_WRONLY, 0o600), "wb") as file:
            writer = StreamWriter(file, str(self._aside))
            for frame in self._released(recipe):
                writer.write(frame)
            writer.finish()

    @property
    def _aside(self) -> Path:
        return self.spill.folder / "in_order.parquet"

    def _released(self, recipe: Recipe) -> Iterator[pl.DataFrame]:
        """The released rows in the input's order. On the way it is noted which were kept, and some are put aside to look at their order."""
        deal = recipe.dealer()
        self._tally = (
            Tally(recipe.reported, self.policy.named("quasi-identifier"), self.spill.folder, self.counter) if recipe.reported else None
        )
        hidden = [name for name in self.columns if name in {*recipe.shown.columns, *recipe.dropped}]
        self._sample = OrderSample(hidden, max(self.scan.n_stretches // PIECES, 1))
        for number, stretch in enumerate(self._stretches(stage="writing")):
            released, kept = deal(stretch.frame)
            self._kept.append(np.packbits(kept))
            if self._tally is not None:
                self._tally.add(stretch.frame, kept)
            self._sample.add(stretch.frame, kept, stretch.first, number)
            yield released

    def _write(self, frames: Iterator[pl.DataFrame]) -> None:
        """Write the file that will be published."""
        output = str(self.job.output)
        with self._telling(f"'{output}'"):
            self.part = Part(output)
            writer = StreamWriter(self.part.file, output, delimiter=self._mark, spreadsheet_safe=self.job.spreadsheet_safe)
            for frame in frames:
                writer.write(frame)
            self._sha256 = writer.finish()
            self.part.finish()

    @contextmanager
    def _telling(self, what: str) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise WriteError(f"{what} could not be written: {advice(error)}.") from None

    def recount(self, names: Sequence[str]) -> Counted:
        back = self._part() if self.is_in_place else ParquetScan("the release", [self._aside])
        beside = SetBeside(self, back, names)
        rows = self.counter.fold(beside.frames(), len(names))
        self._pairs, columns = beside.pairs(), beside.columns
        if not self.is_in_place:
            rows, columns = self._sort(names)
        assert self.part is not None
        return Counted(rows, columns, file_sha256(self.part.path))

    def _part(self) -> Scan:
        assert self.part is not None
        return scan_part(self.part.path, str(self.job.output), self.spill.folder / "back", self._mark)

    def _sort(self, names: Sequence[str]) -> tuple[pl.DataFrame, tuple[str, ...]]:
        """Write the rows sorted, and count what was written. It must be the very rows that were set beside the original."""
        before, after = RowSum(), RowSum()
        is_text = form_of(str(self.job.output)).kind == "csv"
        aside = (stretch.frame for stretch in ParquetScan("the release", [self._aside]).stretches())
        shown = (_summed_in(before, frame, is_text) for frame in aside)
        self._write(sorted_rows(self.counter, shown))
        back = self._part()
        frames = (after.add(frame) for frame in read_back(back, self.job.spreadsheet_safe))
        rows = self.counter.fold((by_names(pl.DataFrame([exact_text(f[name]) for name in names]), names) for f in frames), len(names))
        if before != after:
            raise NotAnonymous("Rows were lost or changed while they were sorted. Nothing was written; please report this.")
        return rows, self._written_columns(back)

    def _written_columns(self, back: Scan) -> tuple[str, ...]:
        empty = pl.DataFrame(schema=dict.fromkeys(back.columns, pl.String))
        return tuple((undefuse(empty) if self.job.spreadsheet_safe else empty).columns)

    def pairs(self, names: Sequence[str], kept: Sequence[str]) -> Pairs:
        assert self._pairs is not None
        return self._pairs

    def kept(self, number: int, height: int) -> NDArray[np.bool_]:
        """Which rows of a stretch are released."""
        if number >= len(self._kept) or len(self._kept[number]) != (height + 7) // 8:
            raise DataError(CHANGED)
        return np.unpackbits(self._kept[number], count=height).astype(bool)

    def count_before(self, names: Sequence[str]) -> pl.DataFrame:
        assert self._tally is not None
        return self._tally.counted()

    def telling_order(self, names: Sequence[str]) -> list[str]:
        assert self._sample is not None
        return self._sample.telling(names)

    @cached_property
    def _input_sha256(self) -> str | None:
        files = self.scan.files()
        return file_sha256(files[0]) if len(files) == 1 else None

    def input_sha256(self) -> str | None:
        return self._input_sha256

    def publish(self, verdict: Verdict) -> str:
        assert self.part is not None
        if not verdict.fingerprint == self._sha256 == file_sha256(self.part.path):
            raise NotAnonymous("This is not the file that was verified: it was changed since. Nothing was written.")
        place_part(self.part.path, str(self.job.output), force=self.job.force)
        if self._fold is not None:
            self._fold.remove()
        return self._sha256

    def clean(self) -> None:
        if self.part is not None:
            self.part.remove()
        self.spill.remove()


def _summed_in(total: RowSum, frame: pl.DataFrame, is_text: bool) -> pl.DataFrame:
    total.add(render(frame) if is_text else frame)
    return frame


def limit(job: Job) -> int:
    """Bytes of memory that a run may use."""
    return job.memory if job.memory is not None else int(SHARE * free_memory())


def check_memory(n_kinds: int, job: Job) -> None:
    """Refuse, before the search, so many different rows that solving would take more memory than the run may use."""
    needed = BASE + n_kinds * SOLVER
    if needed > limit(job):
        raise Refused(
            f"There are {n_kinds:,} different rows over the quasi-identifiers. Solving needs about {needed / 2**30:.1f} GiB of memory for them, and the run may use "
            f"{limit(job) / 2**30:.1f}. Give more (--memory), name fewer quasi-identifiers, or round their values beforehand."
        )


def takes(job: Job) -> bool:
    """Whether the input is a file that is too large for memory, or several."""
    if not isinstance(job.data, str | os.PathLike) or job.output in (None, "-") or parse(job.data) or parse(job.output):
        return False
    name = os.fspath(job.data)
    if name == "-" or is_foreign(name):
        return False
    if is_many(name):
        return True
    path = Path(name)
    if not path.is_file():
        return False
    form = form_of(name)
    return path.stat().st_size * IN_MEMORY["gz" if form.compressed else form.kind] > limit(job)


def refuses(job: Job) -> str | None:
    if not isinstance(job.data, str | os.PathLike) or parse(job.data) or parse(job.output):
        return "The engine 'files' reads and writes files. Leave --engine out for databases and dataframes."
    if is_foreign(job.data):
        return "The engine 'files' reads .csv, .tsv, .txt (each also with .gz) and .parquet. Convert the file, or take --engine memory."
    if job.output in (None, "-"):
        return "The engine 'files' writes to a file. Name one, or take --engine memory."
    if job.memory is not None and job.memory < LEAST:
        return f"A run takes about {LEAST >> 20} MiB of memory whatever the table, and may use {job.memory >> 20}. Give more (--memory)."
    return refused_when_counting(job)


FILES = RowEngine("files", "Files that are larger than memory", takes=takes, refuses=refuses, open=InFiles, keeps_work=True)
