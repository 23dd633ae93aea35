"""What a release tells: an object that answers questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.errors import DataError
from shoal.reader import doubts, draws, tally
from shoal.reader.column import Column
from shoal.reader.conditions import Condition, inside
from shoal.reader.estimate import Estimate
from shoal.text.headers import no_such_columns
from shoal.text.labels import interval_label, number_text

Longs = NDArray[np.int64]
Floats = NDArray[np.float64]

MOST_CELLS = 200_000


@dataclass(frozen=True, eq=False)
class Reading:
    """A release, read: counts, tables, means and quantiles with their uncertainty, and dataframes to go on with.

    >>> import polars, shoal
    >>> shown = polars.DataFrame({"age": ["30", "30", "31", "31", "[30, 40)", "[30, 40)"], "sex": ["f", "f", "m", "m", "*", "*"]})
    >>> found = shoal.read(shown).count(age=30, sex="f")
    >>> found.at_least, found.at_most
    (2.0, 4.0)
    """

    frame: pl.DataFrame = field(repr=False)
    columns: Mapping[str, Column] = field(repr=False)
    group: Longs = field(repr=False)
    """The group of each row: rows that show the same in every generalized column."""
    lean: float
    """1: what is hidden does not depend on the value; 0: all values of a set are equally likely."""
    kind: str = "polars"
    times: Longs | None = None
    """How many rows each line of the frame stands for; None where each is a row."""
    unread: frozenset[str] = frozenset()
    """Columns that show names of which nobody said what they stand for."""
    _parts: dict[tuple[str, ...], tally.Parts] = field(default_factory=dict, repr=False)

    @property
    def n_rows(self) -> int:
        return self.frame.height if self.times is None else int(self.times.sum())

    def count(self, where: Mapping[str, Any] | None = None, /, **conditions: Any) -> Estimate:
        """How many rows meet all conditions: ``count(age=(30, 39), sex="f", job=["nurse", "cook"])``.

        A pair is a range with both ends, ``None`` an open end; a list is any of its members. Columns whose names are no Python
        names go into a mapping: ``count({"marital-status": "Widowed"}, age=(30, 39))``.
        """
        asked = self._asked({**(where or {}), **conditions})
        parts = self._cut(list(asked))
        return tally.count(parts, tally.weigh(parts, [(self.columns[name], one) for name, one in asked.items()]))

    def table(self, *names: str, bins: Mapping[str, float] | None = None, where: Mapping[str, Any] | None = None) -> Any:
        """The estimated count of every combination of values, with its interval: a frame with a line for each.

        ``bins={"age": 10}`` counts numbers by steps of that width. The counts serve as weights for any library that takes weights.
        """
        if not names:
            raise DataError("Name the columns to count by.")
        binned = [self._bins(name, (bins or {}).get(name)) for name in names]
        n_cells = int(np.prod([len(one.labels) for one in binned]))
        if n_cells > MOST_CELLS:
            raise DataError(f"The table would have {n_cells:,} cells. Count by fewer columns, or give numbers steps: bins={{'age': 10}}.")
        asked = self._asked(where or {})
        parts = self._cut([*names, *asked])
        start = tally.weigh(parts, [(self.columns[name], one) for name, one in asked.items()])
        rows: list[tuple[Any, ...]] = []
        for choice in product(*(range(len(one.labels)) for one in binned[:-1])):
            leading = [(self.columns[name], one.asked(b)) for name, one, b in zip(names, binned, choice, strict=False)]
            weights = start.times(tally.weigh(parts, leading)) if leading else start
            found = tally.count_each(parts, weights, self.columns[names[-1]], binned[-1])
            here = [one.labels[b] for one, b in zip(binned, choice, strict=False)]
            rows += [(*here, label, e.value, e.low, e.high) for label, e in zip(binned[-1].labels, found, strict=True)]
        made = [pl.Series(name, [row[i] for row in rows]) for i, name in enumerate([*names, "count", "low", "high"])]
        return self._give(pl.DataFrame(made))

    def mean(self, name: str, where: Mapping[str, Any] | None = None, /, **conditions: Any) -> Estimate:
        """The mean of a column of numbers over the rows that meet all conditions."""
        parts, weights, mask = self._over(name, {**(where or {}), **conditions})
        found = tally.mean(parts, weights, self._line(name), mask, self.columns[name].words.place)
        if found is None:
            raise DataError(f"No row of the release can meet these conditions, so '{name}' has no mean.")
        return found

    def quantile(self, name: str, share: float, where: Mapping[str, Any] | None = None, /, **conditions: Any) -> Estimate:
        """The value of a column of numbers below which a share of the rows lies; ``share=0.5`` is the median."""
        if not 0 < share < 1:
            raise DataError(f"A quantile's share lies between 0 and 1, not at {share:g}.")
        column = self._line(name)
        parts, weights, mask = self._over(name, {**(where or {}), **conditions})
        line = np.unique(column.words.place[(mask > 0) & ~np.isnan(column.words.place)])
        if not len(line) or tally.mean(parts, weights, column, mask, np.ones(column.n_values)) is None:
            raise DataError(f"No row of the release can meet these conditions, so '{name}' has no quantile.")

        def below(x: float) -> Estimate:
            found = tally.mean(parts, weights, column, mask, (column.words.place <= x).astype(np.float64))
            assert found is not None
            return found

        at = [_first(line, lambda x, part=part: getattr(below(x), part) >= share - 1e-12) for part in ("high", "value", "low")]
        return Estimate(at[1], at[0], at[2], (at[2] - at[0]) / 3.92)

    def imputed(self, times: int = 1, seed: int = 0) -> Any:
        """The release with every cell one value, drawn by how likely it is, numbers and dates as such.

        With ``times`` above 1 the whole is drawn so often, one below the other, with a column ``imputation``; analyse each and join the
        results by Rubin's rules. With one drawing, a column ``…_exact`` beside each generalized one says which cells the release shows.
        """
        return self._give(draws.imputed(self.frame, self.columns, self.group, times, seed))

    @property
    def doubts(self) -> list[str]:
        """What to be careful about, in words."""
        return [*(doubts.unread(name) for name in self.columns if name in self.unread), *doubts.sentences(self.columns, self.lean)]

    def summary(self) -> Any:
        """For each generalized column: cells exact, generalized, hidden; and how much the estimates depend on what hides values."""
        return self._give(doubts.summary(self.columns))

    def _line(self, name: str) -> Column:
        self._known([name])
        if not self.columns[name].is_line or self.columns[name].words.is_date:
            raise DataError(f"Column '{name}' does not hold numbers.")
        return self.columns[name]

    def _known(self, names: Sequence[str]) -> None:
        absent = [name for name in names if name not in self.columns]
        if absent:
            raise DataError(no_such_columns(self.frame, "The release", absent))
        unread = [name for name in names if name in self.unread]
        if unread:
            raise DataError(doubts.unread(unread[0]))

    def _asked(self, conditions: Mapping[str, Any]) -> dict[str, Condition]:
        self._known(list(conditions))
        return {name: inside(self.columns[name], asked) for name, asked in conditions.items()}

    def _over(self, name: str, conditions: Mapping[str, Any]) -> tuple[tally.Parts, tally.Weights, Floats]:
        """The parts, how likely they meet the conditions on other columns, and which values of the column itself are asked for."""
        self._line(name)
        asked = self._asked(conditions)
        part = asked.pop(name).part if name in asked else np.ones(self.columns[name].n_values)
        mask = part * ~np.isnan(self.columns[name].words.place)
        parts = self._cut([*asked, name])
        return parts, tally.weigh(parts, [(self.columns[other], one) for other, one in asked.items()]), mask

    def _cut(self, names: Sequence[str]) -> tally.Parts:
        """The groups, cut by the exact columns among some."""
        exact = tuple(sorted({name for name in names if not self.columns[name].is_generalized}))
        if exact not in self._parts:
            self._parts[exact] = tally.parts_of(self.group, [self.columns[name].kind for name in exact], self.times)
        return self._parts[exact]

    def _bins(self, name: str, width: float | None) -> tally.Bins:
        self._known([name])
        column = self.columns[name]
        if width is None:
            order = np.argsort(column.words.place, kind="stable") if column.is_line else np.arange(column.n_values)
            bin_of = np.empty(column.n_values, dtype=np.int64)
            bin_of[order] = np.arange(column.n_values)
            return tally.Bins([draws.typed_value(column, int(i)) for i in order], bin_of, None, column.words.certain)
        if not width > 0 or not column.is_line or column.words.is_date:
            raise DataError(f"Column '{name}' cannot be counted by steps: steps are for numbers, and above 0.")
        step = np.floor(column.words.place / width)
        starts = np.unique(step[~np.isnan(step)])
        bin_of = np.where(np.isnan(step), -1, np.searchsorted(starts, np.nan_to_num(step))).astype(np.int64)
        labels = [interval_label(number_text(s * width), number_text((s + 1) * width)) for s in starts.tolist()]
        ends = np.column_stack([starts * width, np.nextafter((starts + 1) * width, -np.inf)])
        return tally.Bins(labels, bin_of, ends, column.words.certain)

    def _give(self, frame: pl.DataFrame) -> Any:
        if self.kind == "pandas":
            return frame.to_pandas()
        return frame.to_arrow() if self.kind == "pyarrow" else frame


def _first(line: NDArray[np.float64], holds: Any) -> float:
    """The first point of a line at which something begins to hold; the last if it never does."""
    low, high = 0, len(line) - 1
    while low < high:
        middle = (low + high) // 2
        if holds(float(line[middle])):
            high = middle
        else:
            low = middle + 1
    return float(line[low])
