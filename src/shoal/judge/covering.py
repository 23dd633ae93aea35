"""How many of each kind of released rows go to each kind of original rows.

A kind is what rows of one table have in common. Kinds of both sides that agree in the columns that were kept form a block: rows are only matched within it.
A released row that shows its values can be rows of one kind only: these are settled first, and what they take is no longer there for the others. A
released row that may be any row of its block takes what the others leave. The rest is a flow: from the kinds of released rows to the kinds of
original rows that they cover, no more than there are of each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from shoal.judge.reading import Booleans, Longs

MOST_WORK = 3_000_000_000
"""Cells that are held against labels: beyond this a matching is not looked for."""
MOST_EDGES = 40_000_000
CHUNK = 1 << 20
MOST_KEY = 1 << 62
FEW_PAIRS = 10_000_000
FIRST = 3
"""With more pairs of kinds than a few, released kinds are sorted by the three columns that tell most about them: each such sort has a tree of its own."""


class TooLarge(Exception):
    """There are too many different rows for a matching in any order."""


@dataclass(frozen=True, eq=False)
class RowKinds:
    """Rows that are alike: the block of each kind, one row of it, how many there are, all rows kind by kind. Kinds are in the order of their blocks."""

    block: Longs
    first: Longs
    size: Longs
    order: Longs
    start: Longs


@dataclass(frozen=True, eq=False)
class KindColumn:
    """A quasi-identifier of the kinds on both sides."""

    place: Longs
    """The value of each kind of original rows."""
    label: Longs
    """The label of each kind of released rows."""
    covers: Booleans
    """Whether each label (first axis) may stand for each value."""


@dataclass(frozen=True, eq=False)
class Amounts:
    """So many rows of a kind of released rows are rows of a kind of original rows."""

    shown: Longs
    original: Longs
    rows: Longs


def numbers(columns: Sequence[Longs]) -> Longs:
    """One number for rows that are equal in all columns, in the order of the first column, then of the second, and so on."""
    return np.unique(_keys(columns), return_inverse=True)[1].reshape(-1)


def _keys(columns: Sequence[Longs]) -> Longs:
    """One whole number for each row, equal where rows are, and in their order."""
    key, room = np.zeros(len(columns[0]), dtype=np.int64), 1
    for column in columns:
        size = int(column.max(initial=0)) + 1
        if room * size >= MOST_KEY:
            values, key = np.unique(key, return_inverse=True)
            key, room = key.reshape(-1).astype(np.int64), max(1, len(values))
        key, room = key * size + column, room * size
    return key


def kinds_of(block: Longs, columns: Sequence[Longs]) -> RowKinds:
    number = numbers([block, *columns])
    order = np.argsort(number, kind="stable")
    size = np.bincount(number)
    start = np.concatenate([[0], np.cumsum(size)])
    first = order[start[:-1]]
    return RowKinds(block[first], first, size, order, start)


def cover(columns: Sequence[KindColumn], shown: RowKinds, originals: RowKinds) -> Amounts | None:
    """Amounts that use up the released rows and no original row twice; None if there are none. What may be any row of its block gets no amount."""
    settled = _settled(columns, shown, originals)
    if settled is None:
        return None
    taken = np.bincount(settled.original, settled.rows, len(originals.size)).astype(np.int64)
    capacity = originals.size - taken
    if (capacity < 0).any():
        return None
    supply = shown.size.copy()
    supply[settled.shown] = 0
    rest, there = np.flatnonzero(supply), np.flatnonzero(capacity)
    tails, heads = _edges(columns, shown, rest, originals, there)
    in_block = np.bincount(originals.block[there], minlength=int(shown.block.max()) + 1)
    any_row = np.bincount(tails, minlength=len(supply)) == in_block[shown.block]  # it takes what the others leave
    supply[any_row] = 0
    tails, heads = tails[~any_row[tails]], heads[~any_row[tails]]
    if (np.bincount(tails, capacity[heads], len(supply)) < supply).any():
        return None
    flow = _flow(tails, heads, supply, capacity)
    if flow is None:
        return None
    both = zip((settled.shown, settled.original, settled.rows), (flow.shown, flow.original, flow.rows), strict=True)
    return Amounts(*(np.concatenate(pair) for pair in both))


def _settled(columns: Sequence[KindColumn], shown: RowKinds, originals: RowKinds) -> Amounts | None:
    """The released kinds that show one value in each column; None if no original row has these values."""
    one = np.flatnonzero(np.logical_and.reduce([(c.covers.sum(axis=1) == 1)[c.label] for c in columns]))
    n = len(originals.size)
    values = [np.concatenate([c.place, c.covers.argmax(axis=1)[c.label[one]]]) for c in columns]
    number = numbers([np.concatenate([originals.block, shown.block[one]]), *values])
    original = np.full(int(number.max(initial=0)) + 1, -1, dtype=np.int64)
    original[number[:n]] = np.arange(n)
    found = original[number[n:]]
    return None if (found < 0).any() else Amounts(one, found, shown.size[one])


# ---- who covers whom ----


@dataclass(frozen=True, eq=False)
class _Tree:
    """Kinds of original rows, block by block, then value by value: a node at depth d is what kinds have in common in their block and d columns."""

    place: list[Longs]
    """The block, then the value, of each node, depth by depth."""
    next: list[Longs]
    """The first node below each node, depth by depth, and one number more."""
    kinds: Longs
    """The kind at each node of the last depth."""

    @staticmethod
    def of(kinds: Longs, keys: Sequence[Longs]) -> _Tree:
        kinds = kinds[np.argsort(_keys([key[kinds] for key in keys]), kind="stable")]
        begins, place = [], []
        changed = np.arange(len(kinds)) == 0
        for key in keys:
            value = key[kinds]
            changed[1:] |= value[1:] != value[:-1]
            begins.append(np.flatnonzero(changed))
            place.append(value[begins[-1]])
        below = [np.append(np.searchsorted(after, here), len(after)) for here, after in pairwise(begins)]
        return _Tree(place, below, kinds)


@dataclass(frozen=True, eq=False)
class _Front:
    """Released kinds on their way down the tree: each stands at a node whose values it covers, perhaps at several."""

    depth: int
    who: Longs
    node: Longs

    def halves(self) -> tuple[_Front, _Front]:
        middle = len(self.who) // 2
        first, second = slice(middle), slice(middle, None)
        return _Front(self.depth, self.who[first], self.node[first]), _Front(self.depth, self.who[second], self.node[second])


def _edges(columns: Sequence[KindColumn], shown: RowKinds, rest: Longs, originals: RowKinds, there: Longs) -> tuple[Longs, Longs]:
    """Which of some original kinds each of some released kinds covers."""
    tails, heads, n_edges = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)], 0
    for some, order in _alike(columns, rest, there):
        told = [columns[j] for j in order]
        tree = _Tree.of(there, [originals.block, *(c.place for c in told)])
        at = np.searchsorted(tree.place[0], shown.block[some])
        found = np.flatnonzero(np.append(tree.place[0], -1)[at] == shown.block[some])
        for front in _descend(told, tree, _Front(0, some[found], at[found])):
            tails.append(front.who)
            heads.append(tree.kinds[front.node])
            n_edges += len(front.who)
            if n_edges > MOST_EDGES:
                raise TooLarge
    return np.concatenate(tails), np.concatenate(heads)


def _alike(columns: Sequence[KindColumn], rest: Longs, there: Longs) -> Iterator[tuple[Longs, list[int]]]:
    """Released kinds that are told by the same columns, and these columns: first those that leave the fewest original kinds."""
    if not len(rest) or not len(there):
        return
    common = [np.bincount(c.place[there], minlength=c.covers.shape[1]) / len(there) for c in columns]
    share = np.stack([(c.covers @ values)[c.label[rest]] for c, values in zip(columns, common, strict=True)])
    few = len(rest) * len(there) < FEW_PAIRS
    telling = np.sort(np.argsort(share, axis=0, kind="stable")[: 0 if few else FIRST], axis=0)
    pattern = numbers([np.zeros(len(rest), np.int64), *telling])
    order = np.argsort(pattern, kind="stable")
    for some in np.split(order, np.cumsum(np.bincount(pattern))[:-1]):
        first = telling[:, some[0]].tolist()
        mean = share[:, some].mean(axis=1)
        yield rest[some], sorted(range(len(columns)), key=lambda j: (j not in first, mean[j]))


def _descend(columns: Sequence[KindColumn], tree: _Tree, start: _Front) -> Iterator[_Front]:
    """Where released kinds arrive; so many at a time that little memory is needed."""
    fronts, work = [start], 0
    while fronts:
        front = fronts.pop()
        if front.depth == len(columns):
            yield front
            continue
        column, below = columns[front.depth], tree.next[front.depth]
        width = below[front.node + 1] - below[front.node]
        if (n := int(width.sum())) > CHUNK and len(width) > 1:
            fronts += reversed(front.halves())
            continue
        work += n
        if work > MOST_WORK:
            raise TooLarge
        who, node = np.repeat(front.who, width), np.repeat(below[front.node], width) + ramp(width)
        fits = column.covers[column.label[who], tree.place[front.depth + 1][node]]
        fronts.append(_Front(front.depth + 1, who[fits], node[fits]))


def ramp(sizes: Longs) -> Longs:
    """0, 1, … for each size, one after the other."""
    return np.arange(int(sizes.sum())) - np.repeat(np.cumsum(sizes) - sizes, sizes)


# ---- how many rows go where ----


def _flow(tails: Longs, heads: Longs, supply: Longs, capacity: Longs) -> Amounts | None:
    """How many rows of each kind go to each kind of original rows; None if not all can."""
    from scipy.sparse import coo_array  # half a second, which nobody waits for who compares row by row
    from scipy.sparse.csgraph import maximum_flow

    n, m = len(supply), len(capacity)
    source, sink = n + m, n + m + 1
    give, take = np.flatnonzero(supply), np.flatnonzero(capacity)
    tail = np.concatenate([tails, np.full(len(give), source), n + take]).astype(np.int32)
    head = np.concatenate([n + heads, give, np.full(len(take), sink)]).astype(np.int32)
    amount = np.concatenate([np.minimum(supply[tails], capacity[heads]), supply[give], capacity[take]]).astype(np.int32)
    found = maximum_flow(coo_array((amount, (tail, head)), shape=(n + m + 2, n + m + 2)).tocsr(), source, sink)
    if found.flow_value < int(supply.sum()):
        return None
    flow = found.flow.tocoo()
    used = (flow.data > 0) & (flow.row < n)
    return Amounts(flow.row[used].astype(np.int64), flow.col[used].astype(np.int64) - n, flow.data[used].astype(np.int64))


def spread(amounts: Amounts, shown: RowKinds, originals: RowKinds) -> Longs:
    """An original row for each released row; rows that got no amount take those of their block that are left."""
    chosen = np.full(len(shown.order), -1, dtype=np.int64)
    given = shown.order[_places(amounts.shown, amounts.rows, shown.start)]
    taken = originals.order[_places(amounts.original, amounts.rows, originals.start)]
    chosen[given] = taken
    free = np.ones(len(originals.order), dtype=bool)
    free[taken] = False
    block_of, block_from = np.repeat(shown.block, shown.size), np.repeat(originals.block, originals.size)
    is_open, is_left = chosen[shown.order] < 0, free[originals.order]
    first = np.searchsorted(block_from[is_left], block_of[is_open], "left")
    rank = np.arange(int(is_open.sum())) - np.searchsorted(block_of[is_open], block_of[is_open], "left")
    chosen[shown.order[is_open]] = originals.order[is_left][first + rank]
    return chosen


def _places(kind: Longs, rows: Longs, start: Longs) -> Longs:
    """Where the rows of each amount stand among all rows kind by kind; no place is given twice."""
    order = np.argsort(kind, kind="stable")
    sorted_kind, before = kind[order], np.cumsum(rows[order]) - rows[order]
    offset = before - before[np.searchsorted(sorted_kind, sorted_kind, "left")]
    begin = np.empty(len(kind), dtype=np.int64)
    begin[order] = start[sorted_kind] + offset
    return np.repeat(begin, rows) + ramp(rows)
