"""What is certain of a label, by what it says and by what somebody said of it.

A label is *resolved* by the hierarchy, by the manifest of a release of ours, or by a notation that has only one reading: a number, a day, ``[20, 30)``, a
month. Anything else may stand for any value of the column, shown or not: a word may be the name of a set, ``cold to warm`` needs an order, ``a,b`` may be one
value. Ends that are not told are taken wide: ``20-29`` may begin at 19 and reach 30, since both are written by tools of this field.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from shoal.judge.reading import PLAIN, RANGE, Domain, ends_as_written, is_suppressed, read_set, readings
from shoal.reader import twofold
from shoal.reader.explained import Explained
from shoal.text.calendar import BRACKET, part_of
from shoal.text.dates import DAY
from shoal.text.labels import read_set as read_our_set

Longs = NDArray[np.int64]
Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]
Span = tuple[float, float]
EVERYWHERE: Span = (-np.inf, np.inf)
NOT = "not "
AREA = " area"
"""The end of a name that our defaults give to the letters of a postal code."""
OF_SEVERAL = re.compile(r"\d{4}-[QW]\d+", re.ASCII)
"""Quarters and weeks: others count them from another month or day."""


class Meaning(NamedTuple):
    """What a label may stand for."""

    leaves: Longs
    """The values of the column that it may be."""
    is_closed: bool
    """Whether it can be nothing else."""
    reach: Span | None = None
    """From where to where it lies on the line; None: at the places of its values."""


@dataclass(frozen=True, eq=False)
class Certain:
    """What the labels of a column may stand for, at the most."""

    start: Longs
    leaves: Longs
    """Label i may be any of ``leaves[start[i]:start[i + 1]]``."""
    is_closed: Booleans
    is_anything: Booleans
    low: Floats
    high: Floats
    """From where to where a label lies on the line, ends included; NaN: at the places of its values."""

    def of(self, part: Floats, span: Span | None) -> tuple[Booleans, Booleans]:
        """For each label, whether its cells must be among what is asked, and whether they may. ``part`` is how much of each value is asked for, ``span`` the range."""
        length = np.diff(self.start)
        of = np.repeat(np.arange(len(length)), length)
        n_whole = np.bincount(of, weights=part[self.leaves] >= 1, minlength=len(length))
        must = self.is_closed & (n_whole == length) & (length > 0)
        may = np.bincount(of, weights=part[self.leaves] > 0, minlength=len(length)) > 0
        if span is not None:
            on_line = ~np.isnan(self.low)
            must = np.where(on_line, (self.low >= span[0]) & (self.high <= span[1]), must)
            may = np.where(on_line, (self.low <= span[1]) & (self.high >= span[0]), may)
        return must & ~self.is_anything, may | self.is_anything

    def in_bins(self, bin_of: Longs, ends: Floats | None) -> tuple[Longs, Longs]:
        """The pairs of a label and a bin in which its cells may lie; bin −1 is outside all. ``ends`` are the first and the last number of each bin, in their order."""
        length = np.diff(self.start)
        pairs = np.column_stack([np.repeat(np.arange(len(length)), length), bin_of[self.leaves]])
        if ends is not None and len(ends):
            line = np.flatnonzero(~np.isnan(self.low))
            first = np.searchsorted(ends[:, 1], self.low[line], "left")
            many = np.maximum(np.searchsorted(ends[:, 0], self.high[line], "right") - first, 0)
            at = np.arange(many.sum()) - np.repeat(np.cumsum(many) - many, many) + np.repeat(first, many)
            pairs = np.concatenate([pairs, np.column_stack([np.repeat(line, many), at])])
        pairs = np.unique(pairs, axis=0).astype(np.int64)
        return pairs[:, 0], pairs[:, 1]

    def lies_in(self, ends: Floats | None) -> Booleans:
        """Which labels can lie nowhere but in their bins."""
        if ends is None or not len(ends):
            return self.is_closed
        first = np.minimum(np.searchsorted(ends[:, 1], self.low, "left"), len(ends) - 1)
        within = (self.low >= ends[first, 0]) & (self.high <= ends[first, 1])
        return np.where(np.isnan(self.low), self.is_closed, within)


def joined(found: Iterable[Meaning | None]) -> Certain:
    """The meanings of all labels together; None for one that is not resolved."""
    meanings = list(found)
    nothing = np.zeros(0, dtype=np.int64)
    sets = [nothing if m is None else m.leaves for m in meanings]
    reach = [(np.nan, np.nan) if m is None or m.reach is None else m.reach for m in meanings]
    ends = np.array(reach, dtype=np.float64).reshape(-1, 2)
    return Certain(
        np.concatenate([[0], np.cumsum([len(s) for s in sets])]).astype(np.int64),
        np.concatenate([nothing, *sets]).astype(np.int64),
        np.array([m is not None and m.is_closed for m in meanings], dtype=bool),
        np.array([m is None for m in meanings], dtype=bool),
        ends[:, 0],
        ends[:, 1],
    )


def themselves(n: int) -> Certain:
    """Values that stand for themselves."""
    yes = np.ones(n, dtype=bool)
    return Certain(np.arange(n + 1), np.arange(n), yes, ~yes, np.full(n, np.nan), np.full(n, np.nan))


class Judge:
    """Resolves the labels of one column."""

    def __init__(
        self,
        labels: Sequence[str | None],
        domain: Domain,
        place: Floats,
        is_date: bool,
        told: Explained,
        times: Mapping[str, Sequence[str]],
    ) -> None:
        self.domain, self.place, self.is_date, self.told, self.times = domain, place, is_date, told, times
        there = np.array([text is not None for text in domain.texts], dtype=bool)
        self.is_line = bool(there.any()) and not np.isnan(place[there]).any()
        self.blocks = _blocks(told.rows or (), domain)
        self.tops = {row[-1] for row in told.rows or ()}
        """The name of everything, which may hold missing cells too."""
        self.is_known = told.is_ours or told.rows is not None
        self.has_stars = any(label is not None and is_suppressed(label) for label in labels)
        known = {text: i for i, text in enumerate(told.order or ())}
        self.rank = {text: known[text] for text in domain.texts if text in known}
        shown = [label for label in labels if label is not None]
        alone = [label for label in shown if label in domain.index]
        self.is_ambiguous = (
            twofold.have_several_forms(alone, is_ours=told.is_ours) if is_date else not told.is_ours and twofold.may_be_thousands(shown)
        )
        self.unit = 0.0 if self.is_known else twofold.unit_of(alone)
        self.cut_short = frozenset[str]() if self.is_known else twofold.cut_short(alone)
        self.days = (
            {} if self.is_known or not is_date else twofold.days_of_stretches({label: place[domain.index[label]] for label in alone})
        )
        whole = place[there]
        self.is_whole = told.rows is not None and self.is_line and bool((whole == np.round(whole)).all())

    def meaning(self, label: str | None) -> Meaning | None:
        """What a label may stand for; None if that is not certain. Where the values of a line can be read in two ways, it may lie anywhere."""
        found = self._meaning(label)
        is_anywhere = self.is_line and self.is_ambiguous and label is not None and found is not None and found.reach is None
        return found._replace(reach=EVERYWHERE) if found is not None and is_anywhere else found

    def _meaning(self, label: str | None) -> Meaning | None:
        if self.told.is_list_missing or label in self.cut_short or (label is not None and is_suppressed(label)):
            return None
        if label is None:
            return self._itself(None) if self.is_known or self.has_stars else None
        if self.told.is_plain:
            return self._itself(label)
        if label in self.blocks:
            return self._named(label)
        return self._on_line(label) if self.is_line else self._among_words(label)

    def _itself(self, label: str | None) -> Meaning:
        return Meaning(np.array([self.domain.index[label]], dtype=np.int64), True)

    def _named(self, label: str) -> Meaning:
        """A name of the hierarchy: all sets of that name, and what the text says besides."""
        found = [self.blocks[label], np.flatnonzero(self.domain.where([label]))]
        everything = np.arange(len(self.domain.texts))
        found += [np.flatnonzero(reading.holds(everything)) for reading in readings(label, self.domain, self._mask)]
        leaves = np.unique(np.concatenate(found)).astype(np.int64)
        return Meaning(leaves, label not in self.tops)

    def _mask(self, name: str) -> Booleans | None:
        leaves = self.blocks.get(name)
        return None if leaves is None else np.isin(np.arange(len(self.domain.texts)), leaves)

    def _on_line(self, label: str) -> Meaning | None:
        """A label in a column of numbers or days."""
        reach = self._span_of_days(label) if self.is_date else self._span(label)
        if reach is not None:
            inside = (self.place >= reach[0]) & (self.place <= reach[1])
            is_one = label in self.domain.index and label not in self.days and (self.is_date or reach[0] == reach[1])
            return Meaning(np.flatnonzero(inside), is_one or self.is_whole, reach)
        if label in self.domain.index:  # it could be read in another way
            return self._itself(label)
        if (listed := self._members(label)) is not None:
            return listed
        return self._cut(label, EVERYWHERE)

    def _span(self, label: str) -> Span | None:
        if self.is_ambiguous:
            return None
        if PLAIN.fullmatch(label) or label in self.domain.index:
            at = float(self.place[self.domain.index[label]] if label in self.domain.index else float(label))
            return (at, at) if self.is_known else twofold.around(at, self.unit) if self.unit else twofold.as_list(label, at)
        ends = ends_as_written(label)
        if ends is None:
            return None
        low, high = float(ends[0]), float(ends[2])
        if RANGE.fullmatch(label) or label.endswith("+"):
            unit = 10.0 ** -min(len(end.partition(".")[2]) for end in (ends[0], ends[2]))
            low, high = low - unit, high + unit
        elif not (label.startswith("(") and label.endswith(")")):  # (20, 30) may list two numbers
            low = low if ends[1] else float(np.nextafter(low, np.inf))
            high = high if ends[3] else float(np.nextafter(high, -np.inf))
        return (float(np.ceil(low)), float(np.floor(high))) if self.is_whole else (low, high)

    def _span_of_days(self, label: str) -> Span | None:
        if OF_SEVERAL.fullmatch(label) and not self.is_known:
            return None
        if label in self.days and not self.is_ambiguous:
            return self.days[label]
        ends = part_of(label)
        if ends is None and not self.is_ambiguous:
            calendars = Domain([text for text in self.domain.texts if text is not None]).calendars
            ends = calendars[0].ends_of(label) if calendars else None
        if ends is None:
            return None
        low, high = ends[0] / DAY, ends[2] / DAY
        return low if ends[1] else float(np.nextafter(low, np.inf)), high if ends[3] else float(np.nextafter(high, -np.inf))

    def _among_words(self, label: str) -> Meaning | None:
        """A label in a column of words or codes."""
        if label in self.times:
            return Meaning(np.flatnonzero(self.domain.where(self.times[label])), label == self.times[label][0])
        if self.told.is_ours and (span := self._between(label)) is not None:
            return span
        own = self._itself(label).leaves if label in self.domain.index else np.zeros(0, dtype=np.int64)
        for found in (self._members(label), self._all_but(label), self._cut(label, None)):
            if found is not None:
                return Meaning(np.union1d(found.leaves, own).astype(np.int64), found.is_closed)
        is_number = PLAIN.fullmatch(label) is not None and not self.unit
        if not len(own) or (not self.is_known and not is_number) or self._is_name(label):
            return None
        return Meaning(own, True)

    def _is_name(self, label: str) -> bool:
        """Whether it may be a name all the same: neither a leaf of the hierarchy that was given, nor a label that shoal writes for one value."""
        if self.told.rows is not None:
            return not self.told.is_ours and label not in {row[0] for row in self.told.rows}
        is_part = part_of(label) is not None and not PLAIN.fullmatch(label)
        return is_part or BRACKET.fullmatch(label) is not None or label.endswith(AREA) or (" to " in label and self.told.order is None)

    def _members(self, label: str) -> Meaning | None:
        """A set of values: its members have one reading, and none may be the name of a set."""
        members = read_set(label)
        if not members or (label.startswith("{") and sorted(read_our_set(label) or ()) != sorted(members)):
            return None
        if any(member not in self.domain.index or member in self.blocks for member in members):
            return None
        if not self.is_known and not all(PLAIN.fullmatch(member) for member in members):
            return None
        has_none = "None" in members  # a missing cell, or this word
        return Meaning(np.flatnonzero(self.domain.where([*members, None] if has_none else members)), not has_none)

    def _all_but(self, label: str) -> Meaning | None:
        """``not {a, b}``, as our defaults name the rare values."""
        members = read_our_set(label.removeprefix(NOT)) if label.startswith(f"{NOT}{{") and self.is_known else None
        return None if members is None else Meaning(np.flatnonzero(~self.domain.where(members)), False)

    def _cut(self, label: str, reach: Span | None) -> Meaning | None:
        """A code with stars: whatever stands in the place of a run of stars, however long it is."""
        if "*" not in label or label.startswith("*") or BRACKET.fullmatch(label) is not None or label[0] in "{(":
            return None
        pattern = re.compile(".*".join(re.escape(part) for part in re.split(r"\*+", label)), re.DOTALL)
        inside = [i for i, text in enumerate(self.domain.texts) if text is not None and pattern.fullmatch(text)]
        return Meaning(np.array(inside, dtype=np.int64), False, reach)

    def _between(self, label: str) -> Meaning | None:
        """``cold to warm`` by the order that the manifest tells. A word between them may be shown nowhere."""
        low, word, high = label.partition(" to ")
        if not word or low not in self.rank or high not in self.rank:
            return None
        first, last = sorted((self.rank[low], self.rank[high]))
        inside = [self.domain.index[text] for text, at in self.rank.items() if first <= at <= last]
        return Meaning(np.unique(np.array(inside, dtype=np.int64)), False)


def _blocks(rows: Sequence[Sequence[str | None]], domain: Domain) -> Mapping[str, Longs]:
    """All values below each name of a hierarchy, on whatever level it stands; a row without a value is that of missing cells."""
    found: dict[str, set[int]] = {}
    for row in rows:
        for label in {cell for cell in row[1:] if cell} if (row[0] or None) in domain.index else ():
            found.setdefault(label, set()).add(domain.index[row[0] or None])
    for row in rows:
        if row[0] in domain.index and row[0] in found:
            found[row[0]].add(domain.index[row[0]])
    return {label: np.array(sorted(leaves), dtype=np.int64) for label, leaves in found.items() if not is_suppressed(label)}
