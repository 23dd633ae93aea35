"""The table in sight: pages of rows, sorted and searched here, so that a million rows stay quick.

Orders and searches work on codes: a column's distinct values are sorted or searched, and rows follow by their codes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.release.release import Release
from shoal.studio.haystack import Haystack
from shoal.studio.tint import Tints
from shoal.table import Coded, Table
from shoal.text.cells import as_text
from shoal.text.dates import date_forms, parse_moments
from shoal.text.numbers import read_numbers

PAGE = 50
NUMBERS = ("number", "year", "code", "ordered", "identifier", "latitude", "longitude")
VIEWS = {"before": "Before", "after": "After", "both": "Side by side"}
LONGEST = 200
"""Characters of a cell that are shown; more on hovering over it."""
Longs = NDArray[np.int64]


@dataclass(frozen=True)
class Cell:
    """A cell of the pane: what it was, what it became, and how much it lost of ten."""

    before: str | None
    after: str | None = None
    lost: int = 0
    is_changed: bool = False


@dataclass(frozen=True)
class Row:
    """A row of the pane: its place in the table, and its cells."""

    row: int
    cells: tuple[Cell, ...]
    is_withheld: bool = False


@dataclass(frozen=True)
class Look:
    """What of the table is to be seen."""

    view: str = "before"
    sort: str = ""
    falling: bool = False
    search: str = ""
    page: int = 1


@dataclass(frozen=True)
class Page:
    """A page of rows."""

    asked: Look
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    n_found: int
    first: int
    """The number of its first row among those found, from 1; 0 if there are none."""
    n_pages: int


class Sight:
    """One table, and the orders and searches that were asked for."""

    def __init__(
        self,
        table: Table,
        coded: Mapping[str, Coded],
        kinds: Mapping[str, str],
        haystacks: Mapping[str, Haystack] | None = None,
    ) -> None:
        self.table, self.coded, self.kinds = table, coded, kinds
        self._haystacks = dict(haystacks or {})
        self._orders: dict[str, Longs] = {}
        self._found: dict[str, Longs | None] = {}
        self._tints: WeakKeyDictionary[Release, Tints] = WeakKeyDictionary()

    def page(self, asked: Look, release: Release | None = None) -> Page:
        """The rows of a page, before and after."""
        rows = self._rows(asked)
        n_pages = max(-(-len(rows) // PAGE), 1)
        at = min(max(asked.page, 1), n_pages)
        chosen = rows[(at - 1) * PAGE : at * PAGE]
        columns = self._columns(asked.view, release)
        shown = (
            _cells(self.table.frame, chosen, columns)
            if release is None or asked.view == "before"
            else self._both(chosen, columns, release)
        )
        withheld = (
            set() if release is None or asked.view == "before" else set(chosen[_places(release, chosen) < 0].tolist())
        )
        made = tuple(
            Row(int(row), cells, int(row) in withheld) for row, cells in zip(chosen.tolist(), shown, strict=True)
        )
        done = Look(asked.view, asked.sort, asked.falling, asked.search, at)
        return Page(done, columns, made, len(rows), (at - 1) * PAGE + 1 if len(rows) else 0, n_pages)

    def _columns(self, view: str, release: Release | None) -> tuple[str, ...]:
        return tuple(release.frame.columns) if view == "after" and release is not None else tuple(self.table.columns)

    def _rows(self, asked: Look) -> Longs:
        """The rows that were found, in the order that was asked for."""
        found = self._search(asked.search)
        if asked.sort not in self.coded:
            return found if found is not None else np.arange(self.table.n_rows)
        order = self._order(asked.sort)
        if found is not None:
            keep = np.zeros(self.table.n_rows, dtype=bool)
            keep[found] = True
            order = order[keep[order]]
        return order[::-1] if asked.falling else order

    def _order(self, name: str) -> Longs:
        if name not in self._orders:
            if len(self._orders) > 8:
                self._orders.pop(next(iter(self._orders)))
            column = self.coded[name]
            # missing cells last
            rank = np.append(_ranks(column, self.kinds.get(name, "")), column.n_values).astype(np.uint32)
            self._orders[name] = _order_of(rank[column.codes])
        return self._orders[name]

    def _search(self, text: str) -> Longs | None:
        """The rows with a cell that holds this text; None where nothing is looked for."""
        wanted = text.strip().lower()
        if not wanted:
            return None
        if wanted not in self._found:
            if len(self._found) > 8:
                self._found.pop(next(iter(self._found)))
            hit = np.zeros(self.table.n_rows, dtype=bool)
            for name, column in self.coded.items():
                has = np.append(self._haystack(name).holds(wanted), False)
                if has.any():
                    hit |= has[column.codes]
            self._found[wanted] = np.flatnonzero(hit)
        return self._found[wanted]

    def _haystack(self, name: str) -> Haystack:
        if name not in self._haystacks:
            self._haystacks[name] = Haystack(self.coded[name].values)
        return self._haystacks[name]

    def _both(self, chosen: Longs, columns: tuple[str, ...], release: Release) -> list[tuple[Cell, ...]]:
        """Cells before and after, tinted by what they lost."""
        before = _cells(self.table.frame, chosen, columns)
        place = _places(release, chosen)
        after = {
            name: _texts(release.frame, np.maximum(place, 0), name) for name in columns if name in release.frame.columns
        }
        if release not in self._tints:
            self._tints[release] = Tints(release)
        tints = self._tints[release]
        made = []
        for i, row in enumerate(before):
            cells = []
            for name, cell in zip(columns, row, strict=True):
                text = after[name][i] if name in after and place[i] >= 0 else None
                is_changed = name in after and place[i] >= 0 and text != cell.before
                lost = tints.of(name, text) if is_changed else 0
                cells.append(Cell(cell.before, text, lost, is_changed))
            made.append(tuple(cells))
        return made


def _places(release: Release, rows: Longs) -> Longs:
    """Where rows of the original stand in the release; −1 for those that were withheld."""
    at = np.searchsorted(release.rows, rows)
    inside = np.minimum(at, max(len(release.rows) - 1, 0))
    return np.where((at < len(release.rows)) & (release.rows[inside] == rows), at, -1)


def _cells(frame: pl.DataFrame, rows: Longs, columns: tuple[str, ...]) -> list[tuple[Cell, ...]]:
    texts = [_texts(frame, rows, name) for name in columns]
    return [tuple(Cell(column[i]) for column in texts) for i in range(len(rows))]


def _texts(frame: pl.DataFrame, rows: Longs, name: str) -> list[str | None]:
    chosen = frame.get_column(name).gather(rows)
    try:
        return as_text(chosen).to_list()
    except Exception:  # lists, structs and bytes have no text of their own
        return [None if value is None else str(value)[:LONGEST] for value in chosen.to_list()]


def _order_of(ranks: NDArray[np.uint32]) -> Longs:
    """Rows by rank, equal ones as they came: numbers of 16 bits are sorted by counting, so the two halves are, one
    after the other.
    """
    low, high = (ranks & 0xFFFF).astype(np.uint16), (ranks >> 16).astype(np.uint16)
    order = np.argsort(low, kind="stable")
    return order[np.argsort(high[order], kind="stable")] if high.any() else order


def _ranks(column: Coded, kind: str) -> NDArray[np.int64]:
    """The place of each value: numbers by size, dates by time, texts by their letters."""
    values = column.values
    place: NDArray[np.float64] | None = None
    if kind in NUMBERS and len(read_numbers(values.head(50))[1]) < 50:
        numbers, wrong = read_numbers(values)
        place = None if len(wrong) > 0.5 * len(values) else np.where(np.isfinite(numbers), numbers, np.inf)
    elif kind in ("date", "timestamp"):
        form = next(iter(date_forms(values)), None)
        if form is not None:
            moment, wrong = parse_moments(values, form)
            place = moment.astype(np.float64)
            place[wrong] = np.inf
    if place is None:
        return np.arange(len(values))
    rank = np.empty(len(values), dtype=np.int64)
    rank[np.argsort(place, kind="stable")] = np.arange(len(values))
    return rank
