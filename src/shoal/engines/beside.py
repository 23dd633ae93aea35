"""What was written, read back and set beside the original: row by row, in one pass over both. No code of the solver is used."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from shoal.engines.tables import summed
from shoal.errors import DataError, NotAnonymous
from shoal.io.csv import render
from shoal.io.endings import form_of
from shoal.io.scan import ParquetScan, Scan, TextScan
from shoal.io.writer import undefuse
from shoal.judge.counts import CHANGED, OTHER_COLUMNS, N, Pairs, by_names
from shoal.text.cells import as_text
from shoal.text.exact import differing, exact_text

if TYPE_CHECKING:
    from shoal.engines.files import InFiles

OFTEN = 64
"""After so many stretches pairs are added up."""


class Rest:
    """Stretches from which as many rows are taken as are wanted."""

    def __init__(self, stretches: Iterator[pl.DataFrame]) -> None:
        self._more = stretches
        first = next(stretches, None)
        self._held = pl.DataFrame() if first is None else first
        self.columns = tuple(self._held.columns)

    def take(self, n: int) -> pl.DataFrame:
        parts = [self._held]
        while sum(part.height for part in parts) < n:
            more = next(self._more, None)
            if more is None:
                raise DataError(CHANGED)
            parts.append(more)
        whole = pl.concat(parts) if len(parts) > 1 else parts[0]
        self._held = whole[n:]
        return whole[:n]

    def finish(self) -> None:
        if self._held.height or next(self._more, None) is not None:
            raise DataError(CHANGED)


class FoundPairs:
    """The different pairs of an original and a released text, and how many cells differ that should not, collected as rows pass."""

    def __init__(self, columns: Sequence[str], quasi_identifiers: Collection[str]) -> None:
        self.quasi_identifiers = [name for name in columns if name in quasi_identifiers]
        self.kept = [name for name in columns if name not in self.quasi_identifiers]
        self._found: dict[str, list[pl.DataFrame]] = {name: [] for name in self.quasi_identifiers}
        self._differing = dict.fromkeys(self.kept, 0)
        self._n_before = 0

    def add(self, original: pl.DataFrame, written: pl.DataFrame, n_before: int, *, as_file: bool = False) -> None:
        """Rows and what was made of them, one beside the other; of ``n_before`` rows these were kept. ``as_file``: what was written was read from a text file."""
        self._n_before += n_before
        for name in self.quasi_identifiers:
            both = pl.DataFrame({"o": as_text(original[name]), "s": exact_text(written[name])})
            parts = self._found[name]
            parts.append(both.group_by("o", "s").len(N).cast({N: pl.Int64}))
            if len(parts) > OFTEN:
                parts[:] = [_summed(parts)]
        shown = render(original.select(self.kept)) if as_file else original
        for name in self.kept:
            wrong = ~shown[name].eq_missing(written[name]) if as_file else differing(original[name], written[name])
            self._differing[name] += int(wrong.sum())

    def pairs(self) -> Pairs:
        return Pairs({name: _summed(parts) for name, parts in self._found.items()}, self._differing, self._n_before)


class SetBeside:
    """The pass over a file and what was made of it."""

    def __init__(self, run: InFiles, back: Scan, names: Sequence[str]) -> None:
        self.run, self.names = run, names
        self.is_text = isinstance(back, TextScan)
        self._rest = Rest(read_back(back, run.job.spreadsheet_safe and run.is_in_place))
        self.columns = self._rest.columns
        if not {*self.columns} <= {*run.columns} or not {*names} <= {*self.columns}:
            raise NotAnonymous(OTHER_COLUMNS)
        self._found = FoundPairs(self.columns, run.policy.named("quasi-identifier"))

    def frames(self) -> Iterator[pl.DataFrame]:
        """The written cells of the columns to be counted, as texts. On the way the pairs are collected."""
        for number, stretch in enumerate(self.run._stretches(stage="verifying")):
            kept = self.run.kept(number, stretch.frame.height)
            original = stretch.frame if kept.all() else stretch.frame.filter(pl.Series(kept))
            written = self._rest.take(original.height)
            self._found.add(original, written, stretch.frame.height, as_file=self.is_text)
            yield by_names(pl.DataFrame([exact_text(written[name]) for name in self.names]), self.names)
        self._rest.finish()

    def pairs(self) -> Pairs:
        return self._found.pairs()


def _summed(parts: list[pl.DataFrame]) -> pl.DataFrame:
    empty = pl.DataFrame(schema={"o": pl.String, "s": pl.String, N: pl.Int64})
    return summed(pl.concat([empty, *parts]))


def read_back(written: Scan, spreadsheet_safe: bool) -> Iterator[pl.DataFrame]:
    """What was written, as it was before cells were made safe for spreadsheets."""
    for stretch in written.stretches():
        yield undefuse(stretch.frame) if spreadsheet_safe else stretch.frame


def scan_part(part: Path, output: str, folder: Path, delimiter: str) -> Scan:
    """A file that is not yet published, by the ending that it will have."""
    form = form_of(output)
    if form.kind == "parquet":
        return ParquetScan(output, [part])
    folder.mkdir(mode=0o700)
    return TextScan(part, folder, form.delimiter or delimiter, name=output)
