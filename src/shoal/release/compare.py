"""One column of a release against the original: whether each released cell covers its own, and what it has lost.

Only distinct pairs of an original and a released text are looked at. A label is read in one way for all rows that show it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import polars as pl

from shoal.release.lexicon import Lexicon, Sense
from shoal.release.losses import total, without_own
from shoal.release.reading import Longs, Some, is_suppressed


@dataclass(frozen=True, eq=False)
class Compared:
    """What comparing one column found."""

    name: str
    n_cells: int
    wrong: tuple[int, ...] = ()
    """Released rows, counted from 1, at which a cell that can be read does not cover its original; the first of each kind of cell."""
    n_wrong: int = 0
    unread: tuple[int, ...] = ()
    """Released rows at which a label first stands that cannot be read."""
    n_unread: int = 0
    n_ambiguous: int = 0
    """Labels that are a name of the hierarchy and could be read as something else as well."""
    reads_names: bool = True
    """Whether such labels were read as names; if not, as what their text says."""
    has_namesakes: bool = False
    """Whether a label names several sets of the hierarchy, and was read as the smallest that fits all its rows."""
    n_strangers: int = 0
    """Cells whose label is a set that names something which neither the original nor the hierarchy has."""
    losses: dict[str, float] = field(default_factory=dict)
    """Every measure, without weights, where all cells could be read."""
    kind: str = "quasi-identifier"
    """Or 'kept': in both tables, and to be equal; or 'added': in the release alone, so that there is nothing to compare it with."""

    @property
    def is_true(self) -> bool:
        return not self.n_wrong and not self.n_unread

    @property
    def is_remarkable(self) -> bool:
        """Whether there is something to say of the column although all of it is true."""
        return bool(self.n_ambiguous or self.has_namesakes or self.n_strangers or self.kind == "added")

    def words(self) -> str:
        """How the column was compared and what was found, for a person."""
        if self.kind == "added":
            return f"{self.name}: not in the original, so there is nothing to compare it with."
        if self.kind == "kept":
            return f"{self.name}: kept; " + (f"{self.n_wrong} cells differ." if self.n_wrong else "every cell is as it was.")
        said = [f"{self.n_wrong} cells do not cover their original ones"] if self.n_wrong else []
        said += [f"{self.n_unread} cells could not be read"] if self.n_unread else []
        said = said or ["every cell covers its original one"]
        if self.n_ambiguous:
            how = "as names" if self.reads_names else "as what their text says"
            said.append(f"{self.n_ambiguous} labels are names of the hierarchy and could also be read by their text: they were read {how}")
        if self.has_namesakes:
            said.append("a label names several sets of the hierarchy: it was read as the smallest that fits all its rows")
        if self.n_strangers:
            said.append(
                f"{self.n_strangers} cells show a set with members that neither the original nor the hierarchy has: these members were left out"
            )
        return f"{self.name}: {'; '.join(said)}."


def compare(name: str, original: pl.Series, shown: pl.Series, lexicon: Lexicon, strict: bool = False) -> Compared:
    """Hold each released cell to its original. ``strict``: a name of the hierarchy is never read in any other way."""
    pairs = pl.DataFrame({"o": original, "s": shown}).with_row_index("r").group_by("o", "s").agg(pl.len().alias("n"), pl.col("r").min())
    return compare_pairs(name, pairs, lexicon, len(shown), strict)


def compare_pairs(name: str, pairs: pl.DataFrame, lexicon: Lexicon, n_cells: int, strict: bool = False) -> Compared:
    """The same of the different pairs of texts: ``o`` original, ``s`` released, ``n`` how many rows have both, ``r`` the first of these where it is known."""
    if "r" not in pairs.columns:
        pairs = pairs.with_columns(pl.lit(0, dtype=pl.Int64).alias("r"))
    found = _Column(name, pairs.sort("s", "o"), lexicon)
    found.read(as_names=True)
    if not found.fits.all() and found.ambiguous and not strict:
        found.read(as_names=False)
        if not found.fits.all():
            found.read(as_names=True)
    return found.result(n_cells)


def compare_unmatched(name: str, shown: pl.Series, lexicon: Lexicon) -> Compared:
    """Read each label as the largest set that it can stand for; what needs the original value is left out."""
    counted = shown.alias("s").value_counts(name="n").with_row_index("r")
    labels, n = counted["s"].to_list(), counted["n"].to_numpy().astype(np.int64)
    senses = [_largest(lexicon, label) for label in labels]
    unread = np.array([sense is None for sense in senses], dtype=bool)
    if unread.any():
        return Compared(name, len(shown), n_unread=int(n[unread].sum()))
    nobody = np.zeros(0, dtype=np.int64)
    losses = total(lexicon, senses, np.full(len(labels), -1), n, nobody, nobody)
    return Compared(name, len(shown), losses=without_own(losses))


def _largest(lexicon: Lexicon, shown: str | None) -> Sense | None:
    if shown is not None and is_suppressed(shown):
        return lexicon.everything()
    place = lexicon.domain.index.get(shown)
    named = [] if shown is None else [lexicon.block(*at) for at in lexicon.named.get(shown, [])]
    found = [*([] if place is None else [lexicon.value(place)]), *named]
    if not found and shown is not None:
        found = lexicon.by_text(shown)
    return max(found, key=lambda sense: sense.n_values) if found else None


class _Column:
    """The distinct pairs of one column, label by label."""

    def __init__(self, name: str, pairs: pl.DataFrame, lexicon: Lexicon) -> None:
        self.name, self.lexicon = name, lexicon
        self.place = lexicon.places(pairs["o"])
        self.n, self.row = pairs["n"].to_numpy().astype(np.int64), pairs["r"].to_numpy().astype(np.int64)
        label = pairs["s"]
        self.labels = label.unique(maintain_order=True)
        change = (~label.eq_missing(label.shift(1))).to_numpy().copy()
        change[:1] = True
        self.start = np.append(np.flatnonzero(change), len(label))
        self.leaf_of = lexicon.places(self.labels)
        self.own = (
            np.logical_and.reduceat(self.place == np.repeat(self.leaf_of, np.diff(self.start)), self.start[:-1])
            if len(label)
            else np.zeros(0, bool)
        )
        self.ambiguous: set[int] = set()
        self.namesakes = False
        self.as_names = True

    def read(self, as_names: bool) -> None:
        """Find a sense for each label, all names or all texts where both would do."""
        self.as_names = as_names
        self.senses: list[Sense | None] = [None] * len(self.labels)
        self.fits = self.own.copy()
        self.known = self.leaf_of >= 0
        for i in np.flatnonzero(~self.own).tolist():
            self._read(i, self.labels[i])

    def _read(self, i: int, shown: str | None) -> None:
        places = self.place[self.start[i] : self.start[i + 1]]
        if shown is None:  # it says that the cell was missing
            self.known[i] = True
            return
        lexicon = self.lexicon
        if is_suppressed(shown):
            self.senses[i], self.fits[i], self.known[i] = lexicon.everything(), True, True
            return
        there = lexicon.named.get(shown, [])
        names = [(lexicon.block(*at), lexicon.blocks[at[0] - 1][1][places] == at[1]) for at in there]
        self.namesakes |= len({s.n_values for s, _ in names} | ({1} if self.leaf_of[i] >= 0 else set())) > 1
        texts: list[tuple[Sense, np.ndarray]] = []
        if not names or not self.as_names or not any(held.all() for _, held in names):
            texts = [(s, s.reading.holds(places)) for s in lexicon.by_text(shown) if s.reading is not None]
            if names and texts:
                self.ambiguous.add(i)
        candidates = names if names and self.as_names else texts or names
        self.known[i] |= bool(candidates)
        for sense, held in candidates:
            if held.all():
                self.senses[i], self.fits[i] = sense, True
                return

    def result(self, n_cells: int) -> Compared:
        per_label = np.add.reduceat(self.n, self.start[:-1]) if len(self.labels) else np.zeros(0, dtype=np.int64)
        first = np.minimum.reduceat(self.row, self.start[:-1]) + 1 if len(self.labels) else np.zeros(0, dtype=np.int64)
        wrong, unread = ~self.fits & self.known, ~self.fits & ~self.known
        losses = {} if not self.fits.all() else total(self.lexicon, self.senses, self.leaf_of, per_label, self.place, self.n)
        return Compared(
            self.name,
            n_cells,
            tuple(sorted(first[wrong].tolist())),
            int(self._uncovered(wrong)),
            tuple(sorted(first[unread].tolist())),
            int(per_label[unread].sum()),
            len(self.ambiguous),
            self.as_names,
            self.namesakes,
            self._strangers(per_label),
            losses,
        )

    def _strangers(self, per_label: Longs) -> int:
        """How many cells show a set with a member that nobody knows."""
        by_text = [i for i, sense in enumerate(self.senses) if sense is not None and isinstance(sense.reading, Some)]
        return int(sum(per_label[i] for i in by_text if self.lexicon.has_strangers(self.labels[i])))

    def _uncovered(self, wrong: np.ndarray) -> int:
        """How many cells of the labels that fit no reading are not even in the reading that fits most of them."""
        total_cells = 0
        for i in np.flatnonzero(wrong).tolist():
            a, b = self.start[i], self.start[i + 1]
            total_cells += int(self.n[a:b].sum()) - max((int(self.n[a:b][held].sum()) for held in self._held(i)), default=0)
        return total_cells

    def _held(self, i: int) -> list[np.ndarray]:
        shown, places = self.labels[i], self.place[self.start[i] : self.start[i + 1]]
        held = [places == self.leaf_of[i]] if self.leaf_of[i] >= 0 else []
        if shown is not None:
            held += [self.lexicon.blocks[l - 1][1][places] == b for l, b in self.lexicon.named.get(shown, [])]
            if not held or not self.as_names:
                held += [s.reading.holds(places) for s in self.lexicon.by_text(shown) if s.reading is not None]
        return held


def lexicon_of(original: pl.Series, texts: object) -> Lexicon:
    """The lexicon of a column, from its original cells as text."""
    counted = original.alias("value").value_counts(name="n")
    return Lexicon(counted["value"], counted["n"].to_numpy().astype(np.int64), texts)  # type: ignore[arg-type]


__all__ = ["Compared", "Longs", "compare", "compare_pairs", "lexicon_of"]
