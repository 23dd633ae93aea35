"""A column of a release as the reader knows it: the kinds of its cells, and how likely each of their values is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.judge.reading import RANGE, ends_of, is_suppressed, read_set
from shoal.kernels import rank_keys
from shoal.reader.certainty import Span
from shoal.reader.explained import Explained
from shoal.reader.families import Family, family
from shoal.reader.fit import Kinds, fit, kinds
from shoal.reader.sums import add_up
from shoal.reader.vocabulary import Vocabulary, plain, vocabulary
from shoal.table.coded import code
from shoal.text.numbers import Style, styles

Longs = NDArray[np.int64]
Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]

STEP = 0.3
"""How far the lean (see ``fit``) is moved to see what depends on it."""
NAME = 0.12
"""How much of the cells of a word may be other values, where nobody said that it is none but itself."""
UNEVEN = 1.0
"""How evenly the values of a column are taken to be spread before one is seen: the weight of each in a Dirichlet distribution."""
NOTHING = 1.0
"""How little is known of the shares of a label's values where all of its cells may have the same one."""
MISSING = 0.5
"""How many of the cells that show a star may be missing ones, where no empty cell is shown and nobody said that missing cells count as a value."""
UNTOLD = 0.3
"""How much all errors have in common where nobody says what the release minimised: tools that cut the table by its columns hide frequent values too."""
UNTOLD_STEP = 0.5
"""The step of the lean there: it may be anything from 0 to 1."""
MOST_ENTRIES = 4_000_000
EXACT_SIZES = 16


@dataclass(frozen=True, eq=False)
class Labels:
    """The cells of a column before anything is estimated."""

    name: str
    words: Vocabulary
    shown: tuple[str | None, ...]
    label: Longs
    """Which label each row shows."""

    @property
    def is_generalized(self) -> bool:
        """Whether some cell stands for several values."""
        return bool((np.diff(self.words.start) > 1).any())


def labels_of(series: pl.Series, told: Explained) -> Labels:
    """The labels of a released column, read."""
    shown, label = _distinct(series)
    return Labels(series.name, vocabulary(shown, told), tuple(shown), label)


def exact_labels(series: pl.Series) -> Labels:
    """A column that is not a quasi-identifier: every cell stands for itself, whatever it looks like."""
    shown, label = _distinct(series)
    return Labels(series.name, plain(shown), tuple(shown), label)


def _distinct(series: pl.Series) -> tuple[list[str | None], Longs]:
    """The different texts of a column, and which of them each row has; None for a missing cell."""
    coded = code(series)
    shown: list[str | None] = coded.values.to_list()
    label = coded.codes.astype(np.int64)
    return ([*shown, None], np.where(label < 0, len(shown), label)) if coded.n_missing else (shown, label)


@dataclass(frozen=True, eq=False)
class Column:
    """A column, fitted."""

    name: str
    words: Vocabulary
    cells: Kinds
    kind: Longs
    """The kind of each row's cell."""
    shares: tuple[Floats, Floats, Floats]
    """The share of each entry of the kinds; with a lean that is lower, as chosen, and higher."""
    is_generalized: bool
    is_open: Booleans
    """For each kind, whether its cells may have values that nothing lists."""
    listed: tuple[Floats, Floats, Floats]
    """For each kind, the chance that the value of a cell is one of those that the column lists: at the least, as estimated, and at the most."""
    is_exact: Booleans
    """For each kind, whether its cells show their value. An interval does not, even if only one value is known in it."""
    is_hidden: Booleans
    """For each kind, whether its cells may have any value."""
    is_starred: Booleans
    """For each kind, whether its cells show a star and nothing else: what the reports and the summary call hidden."""
    label_of_kind: Longs
    """The label that the cells of each kind show."""
    is_unresolved: Booleans
    """For each kind, whether it shows a label, other than stars, of which it is not certain what it stands for."""
    is_name: Booleans
    """For each kind, whether it shows a word that is taken for a value, and may be the name of several."""
    doubt: Floats
    """For each kind, how little is known of how its values are shared out: the square of the share that the errors of all cells of one label have in common."""
    untold: float
    """The same for all cells of the column, where nobody said what the release minimised."""
    others: tuple[Floats, ...]
    """The share of each entry where something else is so than is taken to be: where numbers beyond all that the narrowest labels speak of occur as well, and where a label that is
    a value and a name is one of the two."""
    may_hide: Floats
    """For each kind, which share of its cells may have none of the values that the column lists: of a star all, unless a hierarchy lists them, since what is rare is hidden first."""
    is_rough: Booleans
    """For each kind, whether it shows a range whose ends others may count in or out."""

    @property
    def n_values(self) -> int:
        return len(self.words.values)

    @cached_property
    def of(self) -> Longs:
        """The kind of each entry."""
        return self.cells.of

    @cached_property
    def is_line(self) -> bool:
        """Whether its values are numbers or days."""
        there = np.array([value is not None for value in self.words.values], dtype=bool)
        return bool(there.any()) and not np.isnan(self.words.place[there]).any()

    @cached_property
    def styles(self) -> list[Style]:
        """The ways in which its values are written as numbers."""
        return styles([value for value in self.words.values if value is not None])

    def per_kind(self, entries: Floats) -> Floats:
        """Add up entries over each kind."""
        return add_up(self.of, entries, len(self.cells.size))

    def chance(self, part: Floats, span: Span | None = None) -> tuple[Floats, Floats, Floats]:
        """For each kind, how likely a cell of it has one of some values."""
        there = part[self.cells.leaf]
        low, mid, high = (
            np.clip(self.per_kind(share * there), 0.0, 1.0) * listed for share, listed in zip(self.shares, self.listed, strict=True)
        )
        beyond = self._beyond(span) * (1 - self.listed[1]) / 2
        return low + beyond, mid + beyond, high + beyond

    def vague(self, asked: Floats, part: Floats, span: Span | None) -> tuple[Floats, Floats]:
        """For each kind, how much less and how much more likely it may be for what no share tells: a word that may be the name of a set, a single number of a stretch, or one beyond
        all that is shown."""
        more = np.clip(self.per_kind(self.shares[1] * (asked - part)[self.cells.leaf]), 0.0, 1.0)
        beyond = self._beyond(span) * (1 - self.listed[0])
        mid = self.chance(part, span)[1]
        must, may = self.certain(asked, span)
        less_sure, more_sure = NAME * (self.is_name | (self.is_rough & ~must)), NAME * (self.is_name | (self.is_rough & may))
        off = [np.clip(self.per_kind(other * part[self.cells.leaf]), 0.0, 1.0) * self.listed[1] - mid for other in self.others]
        fall, rise = (np.maximum.reduce([0 * mid, *some]) for some in ([-one for one in off], off))
        less, more = less_sure * mid + beyond / 2 + fall, more_sure * (1 - mid) + np.maximum(more, beyond) + rise
        is_known = self.doubt < NOTHING
        return np.where(is_known, np.maximum(less, self.may_hide * mid), mid), np.where(is_known | (mid <= 0), more, 1 - mid)

    def _beyond(self, span: Span | None) -> float:
        """Whether a range reaches beyond all that a line lists."""
        if span is None:
            return 0.0
        last = np.nanmax(self.words.place) + (1 if self.words.is_date else 0)  # a day lasts until its end
        return float(span[0] < np.nanmin(self.words.place) or span[1] > last)

    def certain(self, part: Floats, span: Span | None = None) -> tuple[Booleans, Booleans]:
        """For each kind, whether a cell of it must have one of the values that are asked for, and whether it may."""
        must, may = self.words.certain.of(part, span)
        return must[self.label_of_kind], may[self.label_of_kind]


def fit_column(
    labels: Labels,
    size_of_row: Longs,
    n_groups: Longs,
    lean: float,
    prior: float,
    times: Longs | None = None,
    *,
    is_told: bool = True,
    may_miss: bool = False,
) -> Column:
    """Fit the shares of a column.

    ``size_of_row`` is the size of each row's group, ``n_groups`` how many groups show each label. With ``times``, each entry stands for so many rows.
    ``is_told``: somebody said what the release minimised. ``may_miss``: stars may hide missing cells.
    """
    words = labels.words
    label, size, kind, n_rows = _kinds(labels, size_of_row, times)
    sets, nearest = _families(labels)
    cells = kinds(sets, nearest, words.outside, label, size, n_rows, len(words.values))
    shows = np.array([_shows_itself(labels.shown[i], sets[i], words) for i in range(len(sets))], dtype=bool)[label]
    hides = np.array([_hides_all(labels.shown[i], sets[i], words) for i in range(len(sets))], dtype=bool)[label] & ~shows
    stars = np.array([shown is not None and is_suppressed(shown) for shown in labels.shown], dtype=bool)[label] & ~shows
    shares = _shares(cells, lean, STEP if is_told else UNTOLD_STEP, prior, labels.is_generalized)
    others: tuple[Floats, ...] = (fit(replace(cells, open=np.ones(len(cells.open))), lean, prior),) if not cells.open.all() else ()
    alone = _alone(labels, sets, label, cells, shares[1])
    if alone is not None:
        others = *others, alone, shares[1]
        shares = tuple((share + np.where(alone != shares[1], alone, share)) / 2 for share in shares)  # type: ignore[assignment]
    listed, is_line = _listed(words, sets, n_groups), not np.isnan(words.place).all()
    doubt = _doubts(sets, n_groups, len(words.values), is_line=is_line)[label]
    unresolved = _unresolved(labels)[label]
    return Column(
        labels.name, words, cells, kind, shares, labels.is_generalized, words.is_open[label],
        (listed[0][label], listed[1][label], listed[2][label]), shows, hides, stars, label, unresolved, unresolved & shows, doubt,
        0.0 if is_told else UNTOLD**2, others,
        stars * np.maximum(MISSING * may_miss, words.is_open[label]), _rough(labels)[label],
    )  # fmt: skip


def _shares(cells: Kinds, lean: float, reach: float, prior: float, is_generalized: bool) -> tuple[Floats, Floats, Floats]:
    """The share of each entry with a lean that is lower, as chosen, and higher."""
    if not is_generalized:
        return (np.ones(len(cells.leaf)),) * 3
    low, mid, high = (fit(cells, lean + step, prior) for step in (-reach, 0.0, reach))
    return low, mid, high


def _families(labels: Labels) -> tuple[list[Longs], Family]:
    """The set of each label, and how they lie in each other."""
    words = labels.words
    sets = [words.set_of(i) for i in range(len(labels.shown))]
    rank = None if np.isnan(words.place).all() else np.argsort(np.argsort(words.place, kind="stable")).astype(np.int64)
    nearest = family(sets, len(words.values), rank, [b for b in words.named.values() if len(b) > 1])
    return (sets, nearest) if nearest.kind == "nested" or rank is None else _half_open(sets, rank, nearest)


def _half_open(sets: list[Longs], rank: Longs, crossing: Family) -> tuple[list[Longs], Family]:
    """Intervals that only meet at their ends are nested without the last value: a form that writes two numbers for ``[20, 30)`` and ``[30, 40)`` says 30 twice."""
    first = {int(rank[some].min()) for some in sets if len(some) > 1}
    cut = [some[rank[some] < rank[some].max()] if len(some) > 1 and int(rank[some].max()) in first else some for some in sets]
    nested = family(cut, len(rank), rank)
    return (cut, nested) if nested.kind == "nested" else (sets, crossing)


def _alone(labels: Labels, sets: list[Longs], label: Longs, cells: Kinds, share: Floats) -> Floats | None:
    """The shares of entries where each label that is a value and a name of several is that value; None where there is no such label."""
    at = {value: i for i, value in enumerate(labels.words.values)}
    own = np.array([at.get(shown, -1) if shown in labels.words.named else -1 for shown in labels.shown], dtype=np.int64)
    is_both = np.array([one in leaves and len(leaves) > 1 for one, leaves in zip(own.tolist(), sets, strict=True)], dtype=bool)
    of = label[cells.of]
    return np.where(is_both[of], cells.leaf == own[of], share) if is_both.any() else None


def _rough(labels: Labels) -> Booleans:
    """The labels whose ends others may count in or out: ``20-29``, ``50+``."""
    words = labels.words
    is_range = [
        label is not None and label not in words.named and (RANGE.fullmatch(label) or label.endswith("+")) for label in labels.shown
    ]
    return np.array(is_range, dtype=bool) & ~np.isnan(words.certain.low)


def _listed(words: Vocabulary, sets: list[Longs], n_groups: Longs) -> tuple[Floats, Floats, Floats]:
    """For each label, how likely its cells have a value that the column lists.

    What a star hides may be shown nowhere. How likely that is, is estimated as Good and Turing did: by the share of the groups that show what no other group
    shows. On a line of numbers or days, where all between the ends are listed, it is the chance to lie beyond the lowest and the highest that is shown.
    """
    shown = np.flatnonzero(~words.is_open)
    n_showing = int(n_groups[shown].sum())
    if not np.isnan(words.place).all():
        unlisted = 2 / (n_showing + 1)
    else:
        leaf = np.concatenate([sets[i] for i in shown]) if len(shown) else np.zeros(0, dtype=np.int64)
        times = add_up(leaf, np.repeat(n_groups[shown], [len(sets[i]) for i in shown]).astype(np.float64), len(words.values))
        unlisted = float((times == 1).sum()) / max(n_showing, 1)
    alone = words.is_open & (
        np.diff(words.start) <= 1 + words.is_cut
    )  # a star hides two values at least, and from one to another there are three
    mid = np.where(words.is_open, 1 - min(unlisted, 1.0), 1.0)
    low = np.where(words.is_open, 1 - min(2 * unlisted + 1 / (n_showing + 1), 1.0), 1.0)
    mid, low = np.where(alone, np.minimum(mid, 0.5), mid), np.where(alone, 0.0, low)
    return np.where(words.is_cut, 0.0, low), mid, np.ones(len(sets))


def _unresolved(labels: Labels) -> Booleans:
    """The labels, other than stars, of which it is not certain what they stand for."""
    hides = np.array([label is not None and is_suppressed(label) for label in labels.shown], dtype=bool)
    return np.asarray(labels.words.certain.is_anything & ~hides)


def _doubts(sets: list[Longs], n_groups: Longs, n_values: int, *, is_line: bool) -> Floats:
    """How uncertain the shares of each label's values are. As many groups as show less than the label tell of them, each as much as it shows less than everything.
    1 where hardly one group does: nothing is known, and all cells may have the same value, unless these are numbers or days, which are spread over their line."""
    size = np.array([len(s) for s in sets], dtype=np.int64)
    told = n_groups * (1 - size / max(n_values, 1)) / np.maximum(size, 1)
    leaf, of = (np.concatenate(sets), np.repeat(np.arange(len(sets)), size)) if len(sets) else (size, size)
    here = add_up(leaf, told[of], n_values)
    seen = add_up(of, here[leaf], len(sets)) - told * size
    found = np.where((seen < 1) & (not is_line), NOTHING, 1 / (1 + UNEVEN * size + np.maximum(seen, 0.0)))
    return np.where(size > 1, found, 0.0)


def _hides_all(label: str | None, leaves: Longs, words: Vocabulary) -> bool:
    """Whether a cell with this label may have any value."""
    return (label is not None and is_suppressed(label)) or (len(words.values) > 1 and len(leaves) == len(words.values))


def _shows_itself(label: str | None, leaves: Longs, words: Vocabulary) -> bool:
    """Whether a cell with this label shows its value."""
    if len(leaves) != 1 or words.values[int(leaves[0])] != label:
        return False
    return label is None or not ("*" in label or (label[:1] in ("[", "(", "]", "{") and (ends_of(label) or read_set(label)) is not None))


def _kinds(labels: Labels, size_of_row: Longs, times: Longs | None) -> tuple[Longs, Floats, Longs, Floats]:
    """The distinct pairs of label and group size, with sizes rounded where they are large or pairs too many."""
    n_values = np.diff(labels.words.start)
    for coarse in (2, 1, 0):
        size = np.where(n_values[labels.label] > 1, _rounded(size_of_row, coarse), 1)
        most = int(size.max(initial=0)) + 1
        key = labels.label * most + size
        first, _, kind = rank_keys(key)
        pairs = key[first]
        if n_values[pairs // most].sum() <= MOST_ENTRIES:
            break
    return pairs // most, (pairs % most).astype(np.float64), kind.astype(np.int64), add_up(kind, times, len(pairs))


def _rounded(size: Longs, fineness: int) -> Longs:
    """Group sizes: small ones as they are and large ones by steps; the smallest alone where that is too many."""
    if fineness == 0:
        return np.full_like(size, size.min() if len(size) else 1)
    exact = EXACT_SIZES if fineness == 2 else 4
    steps = np.exp2(np.round(np.log2(np.maximum(size, 1)) * fineness) / fineness)
    return np.where(size <= exact, size, np.minimum(steps, 1024)).astype(np.int64)
