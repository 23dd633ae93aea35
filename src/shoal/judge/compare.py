"""One column of a release against the original: whether each released cell covers its own, and what it has lost.

Only distinct pairs of an original and a released text are looked at. A label is read in one way for all rows that show it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import polars as pl

from shoal.judge.lexicon import Lexicon, Sense
from shoal.judge.losses import of_withheld, total, without_own
from shoal.judge.reading import Longs, Some, is_suppressed

MOST_NAMED = 5
"""So many rows at fault are named."""


@dataclass(frozen=True, eq=False)
class Compared:
    """What comparing one column found."""

    name: str
    n_cells: int
    wrong: tuple[int, ...] = ()
    """The first released rows, counted from 1, at which a cell that can be read does not cover its original one."""
    n_wrong: int = 0
    unread: tuple[int, ...] = ()
    """The first released rows at which a label stands that cannot be read."""
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
    of_withheld: dict[str, float] = field(default_factory=dict)
    """What the cells of rows that were left out lose in every measure, if they count as suppressed; where rows could be matched."""
    kind: str = "quasi-identifier"
    """Or 'kept': in both tables, and to be equal; or 'added': in the release alone, so that there is nothing to compare it with."""

    @property
    def is_true(self) -> bool:
        return not self.n_wrong and not self.n_unread

    def fault(self) -> str:
        """What is wrong with the column's cells, and where: the rows at fault themselves, never others that show the same."""
        n = self.n_wrong + self.n_unread
        if self.kind == "kept":
            return f"{'1 cell of it differs' if n == 1 else f'{n:,} cells of it differ'}{self._where(n)}"
        cells = "1 released cell does not cover its original one" if n == 1 else f"{n:,} released cells do not cover their original ones"
        return f"{cells}, or cannot be read{self._where(n)}"

    def _where(self, n: int) -> str:
        rows = sorted({*self.wrong, *self.unread})[:MOST_NAMED]
        several = "rows" if len(rows) > 1 else "row"
        return f" ({'first ' if n > len(rows) else ''}at released {several} {', '.join(map(str, rows))})" if rows else ""

    @property
    def is_remarkable(self) -> bool:
        """Whether there is something to say of the column although all of it is true."""
        return bool(self.n_ambiguous or self.has_namesakes or self.n_strangers or self.kind == "added")

    def words(self) -> str:
        """How the column was compared and what was found, for a person."""
        if self.kind == "added":
            return f"{self.name}: not in the original, so there is nothing to compare it with."
        if self.kind == "kept":
            return f"{self.name}: kept; " + (f"{self.fault()}." if self.n_wrong else "every cell is as it was.")
        said = [_cells(self.n_wrong, "does not cover its original one", "do not cover their original ones")] if self.n_wrong else []
        said += [_cells(self.n_unread, "could not be read", "could not be read")] if self.n_unread else []
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


def _cells(n: int, one: str, several: str) -> str:
    return f"1 cell {one}" if n == 1 else f"{n:,} cells {several}"


def compare(name: str, original: pl.Series, shown: pl.Series, lexicon: Lexicon, strict: bool = False) -> Compared:
    """Hold each released cell to its original. ``strict``: a name of the hierarchy is never read in any other way."""
    cells = pl.DataFrame({"o": original, "s": shown})
    found = _read(name, cells.group_by("o", "s").agg(pl.len().alias("n")), lexicon, strict)
    result = found.result(len(shown))
    return result if result.is_true else replace(result, wrong=_rows(cells, found.wrong_pairs()), unread=_rows(cells, found.unread_pairs()))


def _rows(cells: pl.DataFrame, pairs: pl.DataFrame) -> tuple[int, ...]:
    """The first rows, counted from 1, that have one of these pairs."""
    there = cells.with_row_index("r", offset=1).join(pairs, on=["o", "s"], how="semi", nulls_equal=True)
    return tuple(there["r"].sort().head(MOST_NAMED).to_list())


def compare_pairs(name: str, pairs: pl.DataFrame, lexicon: Lexicon, n_cells: int, strict: bool = False) -> Compared:
    """The same of the different pairs of texts: ``o`` original, ``s`` released, ``n`` how many rows have both. Which rows these are is not known."""
    return _read(name, pairs, lexicon, strict).result(n_cells)


def _read(name: str, pairs: pl.DataFrame, lexicon: Lexicon, strict: bool) -> _Column:
    """The pairs with a reading of their labels: as names if that fits, else as texts if that does."""
    found = _Column(name, pairs.sort("s", "o"), lexicon)
    found.read(as_names=True)
    if not found.fits.all() and found.ambiguous and not strict:
        found.read(as_names=False)
        if not found.fits.all():
            found.read(as_names=True)
    return found


def compare_unmatched(name: str, shown: pl.Series, lexicon: Lexicon) -> Compared:
    """Read each label as the largest set that it can stand for; what needs the original value is left out."""
    counted = shown.alias("s").value_counts(name="n").with_row_index("r")
    labels, n = counted["s"].to_list(), counted["n"].to_numpy().astype(np.int64)
    senses = [largest(lexicon, label) for label in labels]
    unread = np.array([sense is None for sense in senses], dtype=bool)
    if unread.any():
        return Compared(name, len(shown), n_unread=int(n[unread].sum()))
    nobody = np.zeros(0, dtype=np.int64)
    losses = total(lexicon, senses, np.full(len(labels), -1), n, nobody, nobody)
    return Compared(name, len(shown), losses=without_own(losses))


def largest(lexicon: Lexicon, shown: str | None) -> Sense | None:
    """The largest set that a label can stand for; None where it cannot be read."""
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
        self.name, self.pairs, self.lexicon = name, pairs, lexicon
        self.place = lexicon.places(pairs["o"])
        self.n = pairs["n"].to_numpy().astype(np.int64)
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
        is_read = bool(self.fits.all())
        losses = total(self.lexicon, self.senses, self.leaf_of, per_label, self.place, self.n) if is_read else {}
        return Compared(
            self.name,
            n_cells,
            n_wrong=int(self.n[self._uncovered()].sum()),
            n_unread=int(per_label[~self.fits & ~self.known].sum()),
            n_ambiguous=len(self.ambiguous),
            reads_names=self.as_names,
            has_namesakes=self.namesakes,
            n_strangers=self._strangers(per_label),
            losses=losses,
            of_withheld=of_withheld(self.lexicon, self.place, self.n) if is_read else {},
        )

    def wrong_pairs(self) -> pl.DataFrame:
        """The pairs of which the label can be read and does not cover the original value."""
        return self.pairs.filter(pl.Series(self._uncovered()))

    def unread_pairs(self) -> pl.DataFrame:
        """The pairs of which the label cannot be read."""
        return self.pairs.filter(pl.Series(np.repeat(~self.fits & ~self.known, np.diff(self.start))))

    def _strangers(self, per_label: Longs) -> int:
        """How many cells show a set with a member that nobody knows."""
        by_text = [i for i, sense in enumerate(self.senses) if sense is not None and isinstance(sense.reading, Some)]
        return int(sum(per_label[i] for i in by_text if self.lexicon.has_strangers(self.labels[i])))

    def _uncovered(self) -> np.ndarray:
        """Which pairs are at fault: of labels that fit no reading, those that are not even in the reading that fits most of their cells."""
        found = np.zeros(len(self.n), dtype=bool)
        for i in np.flatnonzero(~self.fits & self.known).tolist():
            own = slice(self.start[i], self.start[i + 1])
            n = self.n[own]
            found[own] = ~max(self._held(i), key=lambda held, n=n: int(n[held].sum()), default=np.zeros(len(n), dtype=bool))  # type: ignore[misc]
        return found

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
