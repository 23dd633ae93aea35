"""Columns of a release that tell what its quasi-identifiers hide, found in the rows themselves: values of the original that stand inside a released label.

A column may be in both tables, or in the release alone. It is looked at as somebody would who has the release and wants the hidden cells: does it show them, is it
computed of them, do rows that agree in one agree in the other. What the label tells already, and what chance gives, does not count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import polars as pl

from shoal.judge.hints.agreement import TRIM, TWINS, Ground, agree, beside, follows, gives, ground, is_told, mixed, narrows
from shoal.judge.hints.cells import DrawnColumn, HiddenColumn, Longs, cells_of, draw, hidden_of, texts_of, unreleased
from shoal.judge.hints.digests import recomputed
from shoal.judge.hints.pairs import contained, copied, is_piece
from shoal.judge.hints.pieces import leaves_of, presence
from shoal.judge.hints.sums import sums
from shoal.text.cells import as_text

How = Literal["value", "digest", "sum", "range", "part", "code"]


@dataclass(frozen=True)
class Hint:
    """``column`` tells what the release hides of ``of``."""

    column: str
    """Empty for the order of the rows."""
    of: tuple[str, ...]
    how: How
    share: float
    """Of the rows in which a cell is hidden, those in which it is told; for a range, what is left of it."""
    what: str = ""
    """The digest that it is."""

    @property
    def tells(self) -> Literal["all", "some"]:
        """Whether the hidden cells themselves are given back, or a part of what is hidden."""
        return "all" if self.how in ("value", "digest", "sum") else "some"

    def words(self) -> str:
        names = ", ".join(f"'{name}'" for name in self.of)
        rows = f"in {_percent(self.share)} of the rows where {'it is' if len(self.of) == 1 else 'they are'} hidden"
        return (f"column '{self.column}' " if self.column else "the order of the rows ") + {
            "value": f"gives back {names} {rows}",
            "digest": f"is {self.what} of {names} {rows}: anybody can compute it for all values, and so get them back",
            "sum": f"gives back {names} in at least {_percent(self.share)} of the rows, together with the other columns of numbers",
            "range": f"narrows {names} to {_percent(self.share)} of what the released cells leave open",
            "part": f"tells a part of what is hidden of {names} {rows}",
            "code": f"is a code of {names} together {rows}: rows that agree in them agree in it",
        }[self.how]


def _percent(share: float) -> str:
    return "under 1 %" if share < 0.01 else f"{int(100 * share)} %"


@dataclass(frozen=True, eq=False)
class DrawnRows:
    """The rows that are looked at."""

    grounds: tuple[Ground, ...]
    hidden: tuple[HiddenColumn, ...]
    others: tuple[DrawnColumn, ...]
    """The columns that may tell something."""
    gone: tuple[Ground, ...]
    """Identifiers that are not released."""


def hints(
    original: pl.DataFrame,
    released: pl.DataFrame,
    rows: Longs,
    quasi_identifiers: Sequence[str],
    others: Sequence[str],
    gone: Sequence[str] = (),
    seed: int = 0,
    was_moved: bool = False,
) -> list[Hint]:
    """What each of ``others`` tells of the quasi-identifiers, or of identifiers that are ``gone``. ``rows`` says which row of the original each released one is.

    Where rows ``was_moved``, their order is looked at like a column: of those rows that the other columns tell apart, because only they are surely who they seem.
    An order that follows from what the rows show tells nothing.
    """
    if not others or released.height < 2:
        return []
    if was_moved and not _is_arranged(released):
        order = (
            pl.Series("", np.arange(released.height)).to_frame().select(pl.when(_is_sure(released, others)).then(pl.col(""))).to_series()
        )
        released, others = released.with_columns(order), [*others, ""]
    looked = _look(original, released, rows, quasi_identifiers, others, gone, seed)
    if not looked.grounds and not looked.gone:
        return []
    found = {x.name: hint for x in looked.others if (hint := _by_itself(x, looked)) is not None}
    silent = [x for x in looked.others if x.name and x.name not in found]
    exact = [one.cells for one in looked.hidden if not one.is_hidden.any()]
    found |= {name: Hint(name, tuple(told), "sum", 1 - TRIM) for name, told in sums(silent, looked.grounds, exact).items()}
    found |= {x.name: hint for x in silent if x.name not in found and (hint := _in_part(x, looked)) is not None}
    if "" in found and {*found[""].of} <= {name for x, hint in found.items() if x for name in hint.of}:
        del found[""]  # rows that are sorted by a column tell what it tells
    return [found[name] for name in others if name in found]


def _is_arranged(released: pl.DataFrame) -> bool:
    """Whether rows are sorted by their first column, then by the next, and so on: as texts or as numbers, missing cells last."""
    tied = np.ones(released.height - 1, dtype=np.bool_)
    for name in released.columns:
        texts = texts_of(released[name])
        word = texts.rank("dense").fill_null(released.height + 1).to_numpy()
        number = texts.cast(pl.Float64, strict=False)
        falls = word[1:] < word[:-1]
        if (falls & tied).any() and number.null_count() == texts.null_count():
            size = number.fill_null(np.inf).to_numpy()
            falls = (size[1:] < size[:-1]) | ((size[1:] == size[:-1]) & falls)
        if (falls & tied).any():
            return False
        tied &= word[1:] == word[:-1]
    return True


def _is_sure(released: pl.DataFrame, others: Sequence[str]) -> pl.Series:
    """Which rows no other row is like in the columns that were to stay as they are."""
    return pl.DataFrame([texts_of(released[name]).alias(name) for name in others]).is_unique()


def _look(
    original: pl.DataFrame, released: pl.DataFrame, rows: Longs, names: Sequence[str], others: Sequence[str], gone: Sequence[str], seed: int
) -> DrawnRows:
    is_all = len(rows) == original.height and np.array_equal(rows, np.arange(len(rows)))
    source = original if is_all else pl.DataFrame([original[name] for name in (*names, *gone)])[pl.Series(rows)]
    flags = (_differs(source[name], released[name]) for name in names)
    at, repeats = draw([released[name] for name in others], flags, released.height, seed)
    places = pl.Series(at)
    hidden = tuple(hidden_of(cells_of(name, source[name].gather(places)), released[name].gather(places)) for name in names)
    return DrawnRows(
        grounds=tuple(found for one in hidden if (found := ground(one)) is not None),
        hidden=hidden,
        others=tuple(x for name in others for x in _drawn(released[name].gather(places), repeats.get(name, 1.0))),
        gone=tuple(found for name in gone if (found := ground(unreleased(cells_of(name, source[name].gather(places))))) is not None),
    )


def _drawn(cells: pl.Series, repeats: float) -> Iterator[DrawnColumn]:
    """A column as it is looked at, and what lies inside its cells. Where the cells that are there are all the same, the missing ones tell them apart."""
    for leaf in [cells, *(leaves_of(cells) if cells.dtype.is_nested() else ())]:
        x = cells_of(cells.name, leaf, repeats)
        yield cells_of(cells.name, presence(leaf)) if leaf.null_count() and _is_constant(x) else x


def _differs(original: pl.Series, released: pl.Series) -> np.ndarray:
    return as_text(original).ne_missing(as_text(released)).to_numpy()


def _is_constant(x: DrawnColumn) -> bool:
    return bool(x.place.max(initial=-1) == x.place[x.is_there].min(initial=32767)) or not x.is_there.any()


def _by_itself(x: DrawnColumn, looked: DrawnRows) -> Hint | None:
    """The plainest way in which a column gives hidden cells back, or nearly."""
    if _is_constant(x):
        return None
    told = {at.cells.name: share for at in looked.grounds if (share := _share(x, at)) > 0}
    told |= {at.cells.name: share for at in looked.gone if (share := contained(x, at)) > 0}
    if told:
        return Hint(x.name, tuple(told), "value", min(told.values()))
    digest = recomputed(x, [at.cells for at in looked.hidden], [at.cells for at in looked.gone])
    if digest is not None:
        return Hint(x.name, tuple(digest[1]), "digest", digest[2], digest[0])
    left = {at.cells.name: rest for at in looked.grounds if (rest := narrows(x, at)) is not None}
    if left:
        return Hint(x.name, tuple(left), "range", max(left.values()))
    return None


def _in_part(x: DrawnColumn, looked: DrawnRows) -> Hint | None:
    """How a column tells a part of what is hidden."""
    if _is_constant(x):
        return None
    parts = [at for at in looked.grounds if follows(x, at) or is_piece(x, at)]
    if parts:
        return Hint(x.name, tuple(at.cells.name for at in parts), "part", _told_apart(x, parts))
    names = tuple(at.cells.name for at in looked.grounds if not _is_constant(at.cells))
    return Hint(x.name, names, "code", _told_apart(x, looked.grounds)) if len(names) > 1 and _is_code(x, looked) else None


def _share(x: DrawnColumn, at: Ground) -> float:
    """In which share of the hidden rows x gives the hidden cell back."""
    seen = max(copied(x, at), contained(x, at))
    return max([seen, *(_given(piece, at) for piece in (x, *x.pieces) if gives(piece, at))])


def _given(x: DrawnColumn, at: Ground) -> float:
    """The share of hidden rows beside which, in the order of x, some row has the same hidden cell."""
    a, b = beside(x.place, at.hidden.is_hidden & x.is_there)
    same = at.cells.place[a] == at.cells.place[b]
    return float((np.append(same, False) | np.append(False, same)).sum()) / max(int(at.hidden.is_hidden.sum()), 1)


def _told_apart(x: DrawnColumn, grounds: Sequence[Ground]) -> float:
    """The share of hidden rows whose label stands with several cells of x."""
    shares = []
    for at in grounds:
        rows = at.hidden.is_hidden & x.is_there
        shares.append(float(mixed(x, at.hidden)[at.hidden.shown[rows]].sum()) / max(int(at.hidden.is_hidden.sum()), 1))
    return min(shares)


def _is_code(x: DrawnColumn, looked: DrawnRows) -> bool:
    """Whether rows that agree in all quasi-identifiers agree in x, and rows with the same labels do not."""
    there = np.logical_or.reduce([one.is_hidden for one in looked.hidden]) & x.is_there
    before, after = (_together(columns) for columns in ([h.cells.place for h in looked.hidden], [h.shown for h in looked.hidden]))
    a, b = beside(after, there)
    alike = after[a] == after[b]
    by_label = agree(x.place, a[alike], b[alike])
    a, b = beside(before, there)
    alike = before[a] == before[b]
    return float(alike.mean()) >= TWINS and is_told(int(alike.sum()), agree(x.place, a[alike], b[alike]), by_label)


def _together(columns: Sequence[np.ndarray]) -> np.ndarray:
    """A number for each combination of cells."""
    mixed = np.zeros(len(columns[0]), dtype=np.int64)
    for column in columns:
        mixed = np.unique(mixed * (int(column.max()) + 2) + column + 1, return_inverse=True)[1].reshape(-1)
    return mixed.astype(np.int16)


__all__ = ["Hint", "hints"]
