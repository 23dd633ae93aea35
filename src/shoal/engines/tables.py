"""Tables that stay where they are: the database counts their rows, and rows pass through this process in stretches, from the old table to the new one.

What differs between databases is in their own files. A table is read several times, and must give the same rows in the same order each time: its connection sees one moment.
"""

from __future__ import annotations

import hashlib
import io
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.engines.base import Counting, Job
from shoal.engines.beside import Rest
from shoal.engines.recipe import Recipe
from shoal.errors import DataError, NotAnonymous, some
from shoal.io.csv import render
from shoal.release.cells import differing, exact_text
from shoal.release.counting import CHANGED, Counted, N, Pairs, by_names, label
from shoal.release.telling import telling_columns
from shoal.release.verify import Verdict
from shoal.table import Coded, Table
from shoal.table.coded import code
from shoal.table.folded import Folded
from shoal.table.text import as_text, has_text

STRETCH = 1 << 16
LOOKED_AT = 1_000_000
"""Rows that are looked at to judge columns without a role: the first ones."""
IN_ORDER, PIECE, EVERY = 200_000, 4_000, 16
"""Rows whose order is looked at: so many at the beginning, and a piece of every so many stretches."""
OFTEN = 64
"""After so many stretches pairs are added up."""


class InTables(Counting):
    """One run. The methods that begin with an underscore and raise nothing here are a database's own."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self._kept: list[NDArray[np.uint8]] = []
        self._sample: list[pl.DataFrame] = []
        self._pairs: Pairs | None = None
        self._sha256 = ""

    @abstractmethod
    def _read(self, names: Sequence[str], most: int | None = None) -> Iterator[pl.DataFrame]:
        """The rows in stretches, always in the same order; the first ones if not all are needed."""

    @abstractmethod
    def _count(self, names: Sequence[str]) -> pl.DataFrame:
        """The different rows over some columns, called ``label(0)``, …, and how many there are of each, ``n``."""

    @abstractmethod
    def _write(self, stretches: Iterator[pl.DataFrame], columns: Sequence[str], shown: Sequence[str]) -> None:
        """A new table that nobody sees, with these rows; ``shown`` are the columns whose cells are texts of groups."""

    @abstractmethod
    def _read_back(self) -> Iterator[pl.DataFrame]:
        """What was written, in the order in which it was."""

    @abstractmethod
    def _count_back(self, names: Sequence[str]) -> pl.DataFrame:
        """What was written, counted by the database over some columns."""

    @abstractmethod
    def _publish(self) -> None:
        """Give the new table its name."""

    def _sort(self) -> None:
        """Put what was written in the order of what it shows, where that was asked for."""

    def _stretches(self, names: Sequence[str], most: int | None = None) -> Iterator[pl.DataFrame]:
        """The rows as the policy reads them."""
        for frame in self._read(names, most):
            yield self.job.policy.with_missing(Table(frame)).frame

    def values(self, names: Sequence[str]) -> list[Coded]:
        looked = list(self._stretches(names, LOOKED_AT)) if names else []
        frame = pl.concat(looked) if looked else pl.DataFrame()
        return [code(frame[name]) for name in frame.columns if has_text(frame.schema[name])]

    def fold(self, names: Sequence[str]) -> Folded:
        counted = self._count(names)
        if not counted.height:
            raise DataError(f"{self.source} has no rows.")
        rows = self.job.policy.with_missing(Table(pl.DataFrame([counted[label(j)].alias(name) for j, name in enumerate(names)])))
        return folded_of(summed(texts_by_label(rows.frame, names).with_columns(counted[N])), names, self.columns, self.source, self._where)

    def _where(self, column: str, texts: Sequence[str | None]) -> str:
        """Name the rows that hold one of some texts."""
        wanted, total, before = pl.Series(texts, dtype=pl.String), 0, 0
        found: list[int] = []
        for frame in self._stretches([column]):
            rows = np.flatnonzero(as_text(frame[column]).is_in(wanted.implode(), nulls_equal=True).to_numpy())
            found += (rows[: 5 - len(found)] + before + 1).tolist() if len(found) < 5 else []
            total, before = total + len(rows), before + frame.height
        return f"row{'' if total == 1 else 's'} {some([*found, *range(total - len(found))])}"

    def apply(self, recipe: Recipe) -> None:
        self._hidden = [name for name in self.columns if name in {*recipe.shown.columns, *recipe.dropped}]
        self._write(self._released(recipe), recipe.columns, recipe.shown.columns)

    def _released(self, recipe: Recipe) -> Iterator[pl.DataFrame]:
        deal, before = recipe.dealer(), 0
        for number, frame in enumerate(self._stretches(self.columns)):
            released, kept = deal(frame)
            self._kept.append(np.packbits(kept))
            if before < IN_ORDER or number % EVERY == 0:
                rows = frame.select(self._hidden).filter(pl.Series(kept))
                self._sample.append(rows if before < IN_ORDER else rows[:PIECE])
            before += frame.height
            self.job.watch.tell("writing")
            yield released

    def recount(self, names: Sequence[str]) -> Counted:
        columns = self._set_beside()
        if not self.job.policy.keep_order:
            self._sort()
        rows = self._count_back(names)
        return Counted(rows, columns, self._hash_back() if not self.job.policy.keep_order else self._sha256)

    def pairs(self, names: Sequence[str], kept: Sequence[str]) -> Pairs:
        assert self._pairs is not None
        return self._pairs

    def _set_beside(self) -> tuple[str, ...]:
        """Read both tables again, row by row beside each other, and collect the pairs; gives the columns of the new one."""
        back = Rest(self._read_back())
        columns = back.columns
        shown = [name for name in columns if name in set(self.job.policy.named("quasi-identifier"))]
        found: dict[str, list[pl.DataFrame]] = {name: [] for name in shown}
        wrong = dict.fromkeys([name for name in columns if name not in shown], 0)
        before, told = 0, _Hash()
        for number, frame in enumerate(self._stretches(self.columns)):
            before += frame.height
            kept = np.unpackbits(self._kept[number], count=frame.height).astype(bool) if number < len(self._kept) else None
            if kept is None:
                raise DataError(CHANGED)
            original = frame.filter(pl.Series(kept))
            written = back.take(original.height)
            told.add(written)
            for name in shown:
                both = pl.DataFrame({"o": as_text(original[name]), "s": exact_text(written[name])})
                found[name].append(both.group_by("o", "s").len(N).cast({N: pl.Int64}))
                if len(found[name]) > OFTEN:
                    found[name] = [summed(pl.concat(found[name]))]
            for name in wrong:
                wrong[name] += int(differing(original[name], written[name]).sum()) if name in original.columns else written.height
        back.finish()
        self._sha256 = told.hexdigest()
        self._pairs = Pairs({name: summed(pl.concat(parts)) for name, parts in found.items()}, wrong, before)
        return columns

    def _hash_back(self) -> str:
        told = _Hash()
        for frame in self._read_back():
            told.add(frame)
        self._sha256 = told.hexdigest()
        return self._sha256

    def telling_order(self, names: Sequence[str]) -> list[str]:
        looked = Table(pl.concat(self._sample))
        return telling_columns(looked, np.arange(looked.n_rows), names)

    def input_sha256(self) -> str | None:
        return None

    def publish(self, verdict: Verdict) -> str:
        if not self._sha256 or verdict.fingerprint != self._sha256:
            raise NotAnonymous("This is not the table that was verified. Nothing was written.")
        self._publish()
        return self._sha256


class _Hash:
    """The SHA-256 of rows as plain CSV, as they pass."""

    def __init__(self) -> None:
        self.sha256, self.is_first = hashlib.sha256(), True

    def add(self, frame: pl.DataFrame) -> None:
        render(frame).write_csv(stream := io.BytesIO(), include_header=self.is_first)
        self.sha256.update(stream.getbuffer())
        self.is_first = False

    def hexdigest(self) -> str:
        return self.sha256.hexdigest()


def texts_by_label(frame: pl.DataFrame, names: Sequence[str]) -> pl.DataFrame:
    return by_names(pl.DataFrame([as_text(frame[name]) for name in names]), names)


def summed(rows: pl.DataFrame) -> pl.DataFrame:
    """Equal rows counted together."""
    return rows.group_by([name for name in rows.columns if name != N]).agg(pl.col(N).sum())


def folded_of(counted: pl.DataFrame, names: Sequence[str], columns: Sequence[str], source: str, where: Any) -> Folded:
    """What was counted as texts, in codes. ``where`` names the rows that hold some texts of a column."""
    rows = counted[N].to_numpy().astype(np.int64)
    coded: dict[str, Coded] = {}
    for j, name in enumerate(names):
        made = code(counted[label(j)].rename(name))
        coded[name] = replace(made, rows=rows, n_missing=int(rows[made.codes < 0].sum()))

    def places(column: str, codes: Sequence[int]) -> str:
        values = coded[column].values
        return str(where(column, [None if c < 0 else values[c] for c in codes]))

    return Folded(coded, rows, tuple(columns), source, places)
