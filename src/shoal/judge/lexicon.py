"""What the labels of one column stand for: the hierarchy's texts on every level, and what can be read without it.

A label may have several readings: a group of the hierarchy on one level or another ('Other' below 'Other'), or a range that is also a
name ('40-44'). It is read as the smallest set that holds the original of every row released with it, names before ranges; and
a column is read in one way throughout: if one such label can only be a range, none of them is a name.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.judge.reading import (
    PLAIN,
    Booleans,
    Domain,
    Floats,
    Longs,
    Reading,
    Span,
    ends_of,
    exact,
    has_strangers,
    is_suppressed,
    readings,
)
from shoal.judge.texts import Texts


@dataclass(frozen=True, eq=False)
class Sense:
    """What a label was read as, and what measures need to know of it."""

    n_values: int
    weight: int
    """Rows of the original table whose value it holds."""
    spent: float
    """Σ count · log2(count) over its values."""
    level: int
    """The lowest level of the hierarchy on which a block holds all of it."""
    width: float | None
    """For numbers cut into intervals: its share of the domain's width."""
    reading: Reading | None = None
    """How the text was read, where it was not a name."""
    at: tuple[int, int] = (-1, -1)
    """The level and the block of a name; (0, place) for a value; (−1, −1) for everything."""


class Lexicon:
    """The labels of one column."""

    def __init__(self, originals: pl.Series, counts: Longs, texts: Texts | None) -> None:
        """``originals`` are the distinct texts of the original column (null for missing) and ``counts`` how often each occurs."""
        self.texts = texts or Texts((originals,))
        leaves = self.texts.levels[0].alias("value")
        extra = originals.filter(~originals.is_in(leaves.implode(), nulls_equal=True)).alias("value")
        self.alias = _same_numbers(leaves, extra) if texts is not None and len(extra) else {}
        extra = extra.filter(~extra.is_in(list(self.alias))) if self.alias else extra
        self.leaves = pl.concat([leaves, extra]) if len(extra) else leaves
        self.n_given = len(leaves)
        self.domain = Domain(self.leaves.to_list(), self.texts.numbers)
        self.count = np.zeros(len(self.leaves), dtype=np.int64)
        np.add.at(self.count, self.places(originals), counts)
        positive = np.maximum(self.count, 1)
        self.spent = positive * np.log2(positive)

    @property
    def n_values(self) -> int:
        return len(self.leaves)

    @property
    def height(self) -> int:
        """How many levels the hierarchy has above the values."""
        return self.texts.height

    @cached_property
    def n_rows(self) -> int:
        """How many rows the original has."""
        return int(self.count.sum())

    @cached_property
    def n_present(self) -> int:
        """How many values occur in them."""
        return int(np.count_nonzero(self.count))

    def places(self, values: pl.Series) -> Longs:
        """Where each text stands among the leaves; −1 where it does not."""
        found = pl.DataFrame({"value": values}).join(self._table, on="value", how="left", nulls_equal=True, maintain_order="left")
        return found["place"].fill_null(-1).to_numpy()

    @cached_property
    def _table(self) -> pl.DataFrame:
        value = pl.concat([self.leaves, pl.Series("value", list(self.alias), dtype=pl.String)])
        place = [*range(len(self.leaves)), *self.alias.values()]
        return pl.DataFrame([value, pl.Series("place", place, dtype=pl.Int64)])

    @cached_property
    def blocks(self) -> list[tuple[pl.Series, NDArray[np.int64]]]:
        """For each level above the leaves: the labels, and the block of each leaf (−1: no block of its own)."""
        found = []
        for level in self.texts.levels[1:]:
            labels = level.drop_nulls().unique(maintain_order=True)
            labels = labels.filter(~labels.str.contains(r"^\*+$"))
            table = pl.DataFrame({"label": labels}).with_row_index("block")
            block = pl.DataFrame({"label": level}).join(table, on="label", how="left", maintain_order="left")["block"]
            full = np.full(self.n_values, -1, dtype=np.int64)
            full[: self.n_given] = block.cast(pl.Int64).fill_null(-1).to_numpy()
            if level is self.texts.levels[-1] and len(labels) == 1 and level.n_unique() == 1:
                full[self.n_given :] = 0  # the top holds every value, missing cells too
            found.append((labels, full))
        return found

    @cached_property
    def _sums(self) -> list[tuple[Longs, Longs, Floats, Longs]]:
        """For each level above the leaves and each of its blocks: values, weight, spent, first leaf."""
        found = []
        for labels, block in self.blocks:
            n, inside = len(labels), block >= 0
            first = np.full(n, self.n_values, dtype=np.int64)
            np.minimum.at(first, block[inside], np.flatnonzero(inside))
            weight, spent = (
                np.bincount(block[inside], weights=w[inside].astype(np.float64), minlength=n) for w in (self.count, self.spent)
            )
            values = np.bincount(block[inside], minlength=n).astype(np.int64)
            found.append((values, weight.astype(np.int64), spent.astype(np.float64), first))
        return found

    @cached_property
    def named(self) -> dict[str, list[tuple[int, int]]]:
        """The (level, block) of each label of the hierarchy, from the lowest level up."""
        found: dict[str, list[tuple[int, int]]] = {}
        for l, (labels, _) in enumerate(self.blocks, start=1):
            for b, label in enumerate(labels.to_list()):
                found.setdefault(label, []).append((l, b))
        return found

    @cached_property
    def _lowest(self) -> dict[tuple[int, int], int]:
        """The lowest level of a block, by its first leaf and its number of values: in a tree these tell blocks apart."""
        found: dict[tuple[int, int], int] = {}
        for l, (values, _, _, first) in enumerate(self._sums, start=1):
            for key in zip(first.tolist(), values.tolist(), strict=True):
                found.setdefault(key, l)
        return found

    def mask(self, label: str) -> Booleans | None:
        """The leaves of a label that stands in a set: of the largest block of that name."""
        there = self.named.get(label)
        return None if not there else np.asarray(self.blocks[there[-1][0] - 1][1] == there[-1][1])

    def value(self, place: int) -> Sense:
        """A value that is shown as it is."""
        width = 0.0 if self.texts.by_width else None
        return Sense(1, int(self.count[place]), float(self.spent[place]), 0, width, at=(0, place))

    def everything(self) -> Sense:
        """The set of all values."""
        return self._everything

    @cached_property
    def _everything(self) -> Sense:
        width = 1.0 if self.texts.by_width and self._extent > 0 else 0.0 if self.texts.by_width else None
        level = self._lowest.get((0, self.n_values), self.texts.height)
        return Sense(self.n_values, int(self.count.sum()), float(self.spent.sum()), level, width)

    def block(self, level: int, block: int) -> Sense:
        """A block of the hierarchy."""
        values, weight, spent, first = self._sums[level - 1]
        n = int(values[block])
        lowest = 0 if n == 1 else self._lowest[int(first[block]), n]
        width = self._width(self.blocks[level - 1][0][block]) if n > 1 else None
        return Sense(n, int(weight[block]), float(spent[block]), lowest, width, at=(level, block))

    def leaves_of(self, sense: Sense) -> Longs:
        """The places of the values that a sense holds."""
        if sense.reading is not None:
            return np.flatnonzero(sense.reading.holds(np.arange(self.n_values)))
        level, block = sense.at
        if level < 0:
            return np.arange(self.n_values)
        return np.array([block]) if level == 0 else np.flatnonzero(self.blocks[level - 1][1] == block)

    def by_text(self, shown: str) -> list[Sense]:
        """What a text says by itself, without the hierarchy, the smallest set first."""
        found = [self._sense(shown, reading) for reading in readings(shown, self.domain, self.mask)]
        return sorted((s for s in found if s.n_values), key=lambda s: s.n_values)

    def has_strangers(self, shown: str) -> bool:
        """Whether a set names something that neither the column nor its hierarchy has."""
        return has_strangers(shown, self.domain, self.mask)

    def _sense(self, shown: str, reading: Reading) -> Sense:
        if is_suppressed(shown):
            whole = self.everything()
            return Sense(whole.n_values, whole.weight, whole.spent, whole.level, whole.width, reading)
        if isinstance(reading, Span):
            n, weight, spent, first = self._along(reading)
        else:
            inside = np.flatnonzero(reading.inside)
            n, weight, spent = len(inside), int(self.count[inside].sum()), float(self.spent[inside].sum())
            first = inside
        level = 0 if n <= 1 else self._level_of(first)
        return Sense(n, weight, spent, level, self._width(shown) if n > 1 else None, reading)

    def _along(self, span: Span) -> tuple[int, int, float, Longs]:
        """Sums over the values that a span takes, by sums along its line."""
        key = id(span.at)
        if key not in self._lines:
            order = np.argsort(span.at, kind="stable")
            order = order[~np.isnan(span.at[order])]
            sums = [np.concatenate([[0.0], np.cumsum(w[order])]) for w in (self.count, self.spent)]
            self._lines[key] = (span.at[order], order, sums[0], sums[1])
        line, order, weight, spent = self._lines[key]
        a, b = span.range(line)
        return b - a, int(weight[b] - weight[a]), float(spent[b] - spent[a]), order[a:b]

    @cached_property
    def _lines(self) -> dict[int, tuple[Floats, Longs, Floats, Floats]]:
        return {}

    def _level_of(self, leaves: Longs) -> int:
        """The lowest level on which one block holds all of these leaves; free columns know only the value and more than that."""
        if self.texts.is_free:
            return 1
        for l, (_, block) in enumerate(self.blocks, start=1):
            if block[leaves[0]] >= 0 and (block[leaves] == block[leaves[0]]).all():
                return l
        return self.texts.height

    @cached_property
    def _extent(self) -> float:
        number = self.domain.number[~np.isnan(self.domain.number)]
        return float(number.max() - number.min()) if len(number) else 0.0

    def _width(self, label: str) -> float | None:
        """An interval's share of the domain's width, where the hierarchy cuts numbers into intervals."""
        ends = ends_of(label) if self.texts.by_width else None
        if ends is None:
            return None
        number = self.domain.number[~np.isnan(self.domain.number)]
        low, high = np.clip([ends[0], ends[2]], number.min(), number.max())
        return float(high - low) / self._extent if self._extent > 0 else 0.0

    def holding(self, shown: str | None, as_names: bool) -> Booleans | None:
        """The values that a label may stand for by its largest reading; None if it cannot be read."""
        if shown is None:
            return self.domain.where([None]) if None in self.domain.index else np.zeros(self.n_values, dtype=bool)
        there = self.named.get(shown, [])
        place = int(self.places(pl.Series([shown]))[0])
        own = np.arange(self.n_values) == place
        if as_names and (there or place >= 0):
            named = self.mask(shown)
            return own if named is None else np.asarray(own | named)
        masks = [reading.holds(np.arange(self.n_values)) for reading in readings(shown, self.domain, self.mask)]
        if place >= 0:
            masks.append(own)
        if not masks and there:
            return self.mask(shown)
        return max(masks, key=lambda mask: int(mask.sum())) if masks else None


def _same_numbers(leaves: pl.Series, extra: pl.Series) -> dict[str, int]:
    """The place of texts that are a leaf's number written otherwise: 39.0 for 39."""
    number: dict[Decimal | None, int] = {}
    for place, text in enumerate(leaves.to_list()):
        if text is not None and PLAIN.fullmatch(text):
            number.setdefault(exact(text), place)
    plain = [(text, exact(text)) for text in extra.to_list() if text is not None and PLAIN.fullmatch(text)]
    return {text: number[value] for text, value in plain if value is not None and value in number}
