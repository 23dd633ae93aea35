"""Points of a metric space, in a vantage-point tree: distances, neighbours, balls, covers.

The points of a :class:`Space` are numbered in the order of its tree; ``order[p]`` is the number under which point p was
given.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.native import TOO_LARGE, check, doubles, ffi, ints, lib, longs, numbers, octets

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

CATEGORY: int = lib.SHOAL_CODE_CATEGORY
TABLE: int = lib.SHOAL_CODE_TABLE
TREE: int = lib.SHOAL_CODE_TREE
COMBINE = numbers("shoal_combine")
LEAF = 12
"""So many points of the tree are compared one by one."""


def _no_floats() -> Floats:
    return np.empty(0)


def _no_ints() -> Ints:
    return np.empty(0, dtype=np.int32)


def _no_longs() -> Longs:
    return np.empty(0, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Coordinates:
    """Where n points lie: columns of numbers, of places on the globe and of codes; or a matrix of all distances."""

    n: int
    numbers: Floats = field(default_factory=_no_floats)
    """Shape (n, a); NaN for a missing cell."""
    number_scale: Floats = field(default_factory=_no_floats)
    number_far: Floats = field(default_factory=_no_floats)
    """How far a missing cell is from any other."""
    places: Floats = field(default_factory=_no_floats)
    """Shape (n, 3 b): points on the unit sphere."""
    place_scale: Floats = field(default_factory=_no_floats)
    place_far: Floats = field(default_factory=_no_floats)
    codes: Ints = field(default_factory=_no_ints)
    """Shape (n, c)."""
    code_kind: Ints = field(default_factory=_no_ints)
    code_scale: Floats = field(default_factory=_no_floats)
    code_start: Longs = field(default_factory=_no_longs)
    code_size: Ints = field(default_factory=_no_ints)
    tables: Floats = field(default_factory=_no_floats)
    parents: Ints = field(default_factory=_no_ints)
    heights: Floats = field(default_factory=_no_floats)
    combine: str = "sum"
    matrix: Floats | None = None

    def check(self) -> None:
        """Check that the arrays fit each other, because the kernels do not."""
        a, b, c = len(self.number_scale), len(self.place_scale), len(self.code_kind)
        fits = self.numbers.size == self.n * a == self.n * len(self.number_far)
        fits &= self.places.size == 3 * self.n * b == 3 * self.n * len(self.place_far)
        fits &= (
            self.codes.size == self.n * c and len(self.code_scale) == len(self.code_start) == len(self.code_size) == c
        )
        fits &= self.matrix is None or self.matrix.shape == (self.n, self.n)
        if not fits or not 0 < self.n < 2**31:
            raise ValueError("the coordinates do not fit the number of points")
        codes = self.codes.reshape(self.n, c)
        for j in range(c):
            size, start = int(self.code_size[j]), int(self.code_start[j])
            if codes[:, j].min() < 0 or codes[:, j].max() >= size:
                raise IndexError("a code is out of range")
            if self.code_kind[j] == TABLE and start + size * size > len(self.tables):
                raise IndexError("a table of distances is too short")
            if self.code_kind[j] == TREE:
                _check_tree(self.parents[start:])

    def take(self, order: Ints) -> Coordinates:
        """The same points in another order."""
        n = self.n
        return Coordinates(
            n,
            np.ascontiguousarray(self.numbers.reshape(n, -1)[order]),
            self.number_scale,
            self.number_far,
            np.ascontiguousarray(self.places.reshape(n, -1)[order]),
            self.place_scale,
            self.place_far,
            np.ascontiguousarray(self.codes.reshape(n, -1)[order]),
            self.code_kind,
            self.code_scale,
            self.code_start,
            self.code_size,
            self.tables,
            self.parents,
            self.heights,
            self.combine,
            None if self.matrix is None else np.ascontiguousarray(self.matrix[np.ix_(order, order)]),
        )


def _check_tree(parents: Ints) -> None:
    roots = np.flatnonzero(parents == np.arange(len(parents)))
    if not len(roots) or (parents[: roots[0]] <= np.arange(roots[0])).any() or (parents[: roots[0]] > roots[0]).any():
        raise ValueError("a tree's parents must have larger numbers than their children, and the root must come last")


@dataclass(frozen=True, eq=False)
class Lists:
    """A list of points for each of several centres, end to end, with their distances."""

    first: Longs
    at: Ints
    d: Floats

    def __len__(self) -> int:
        return len(self.first) - 1

    def owner(self) -> Ints:
        """Which list each entry belongs to."""
        return np.repeat(np.arange(len(self), dtype=np.int32), np.diff(self.first))


class Load:
    """What points and nodes still weigh; ``pointer`` is for the kernels."""

    def __init__(self, point: Longs, node: Longs) -> None:
        self.point, self.node = point, node
        self.pointer = ffi.new("shoal_load *", (longs(point), longs(node)))


def points(which: Ints) -> Any:
    """Some points, as the kernels take them."""
    return ffi.new("shoal_points *", (ints(which), len(which)))[0]


class Space:
    """Weighted points with their tree."""

    def __init__(self, coordinates: Coordinates, weight: Longs) -> None:
        coordinates.check()
        if len(weight) != coordinates.n or (weight < 1).any():
            raise ValueError("each point needs a weight of at least 1")
        n = coordinates.n
        leaf = n if coordinates.matrix is not None else LEAF
        room = 2 * n + 1
        self.order = np.empty(n, dtype=np.int32)
        self._tree = {name: np.empty(room, dtype=np.int32) for name in ("start", "end", "left", "right", "up")}
        self._bounds = np.empty((room, 4), dtype=np.float64)
        self.leaf_of = np.empty(n, dtype=np.int32)
        self._kept: list[Any] = []
        n_nodes = check(lib.shoal_space_build_tree(self._struct(coordinates, 0), leaf), "the tree")
        self.n = n
        self.coordinates = coordinates.take(self.order)
        self.weight = np.ascontiguousarray(weight[self.order], dtype=np.int64)
        self.total = int(self.weight.sum())
        self.pointer = self._struct(self.coordinates, n_nodes)
        self.node_weight = np.empty(n_nodes, dtype=np.int64)
        lib.shoal_space_node_weights(self.pointer, longs(self.weight), longs(self.node_weight))

    def _struct(self, at: Coordinates, n_nodes: int) -> Any:
        made = ffi.new("shoal_space *")
        made.n, made.combine, made.tree.n_nodes = at.n, COMBINE[at.combine], n_nodes
        made.n_numbers, made.n_places, made.n_codes = len(at.number_scale), len(at.place_scale), len(at.code_kind)
        made.only_categories = at.combine == "sum" and bool((at.code_kind == CATEGORY).all())
        floats = (
            "numbers",
            "number_scale",
            "number_far",
            "places",
            "place_scale",
            "place_far",
            "code_scale",
            "tables",
            "heights",
        )
        for name in floats:
            self._keep(made, name, doubles(getattr(at, name).reshape(-1)))
        for name in ("codes", "code_kind", "code_size", "parents"):
            self._keep(made, name, ints(getattr(at, name).reshape(-1)))
        self._keep(made, "code_start", longs(at.code_start))
        if at.matrix is not None:
            self._keep(made, "matrix", doubles(at.matrix.reshape(-1)))
        for name, array in {**self._tree, "order": self.order, "leaf_of": self.leaf_of}.items():
            self._keep(made.tree, name, ints(array))
        self._keep(made.tree, "bounds", doubles(self._bounds.reshape(-1)))
        return made

    def _keep(self, made: Any, name: str, view: Any) -> None:
        self._kept.append(view)
        setattr(made, name, view)

    def fresh(self, weight: Longs | None = None) -> tuple[Longs, Longs]:
        """Weights of points and nodes to be used up; a weight of 0 is a point that is not there."""
        if weight is None:
            return self.weight.copy(), self.node_weight.copy()
        w = np.ascontiguousarray(weight, dtype=np.int64).copy()
        if len(w) != self.n or (w < 0).any():
            raise ValueError("one weight per point, none below 0")
        nodes = np.empty_like(self.node_weight)
        lib.shoal_space_node_weights(self.pointer, longs(w), longs(nodes))
        return w, nodes

    def load(self, weight: Longs | None = None) -> Load:
        """The same as the kernels take it, to be used up."""
        return Load(*self.fresh(weight))

    def distances(self, a: Ints | int, b: Ints | int) -> Floats:
        """The distance of each a to each b, pair by pair."""
        left, right = np.broadcast_arrays(np.asarray(a, dtype=np.int32), np.asarray(b, dtype=np.int32))
        shape = left.shape
        left, right = (np.ascontiguousarray(x).reshape(-1) for x in (left, right))
        self._in_range(left, right)
        out = np.empty(len(left))
        lib.shoal_space_distances(self.pointer, ints(left), ints(right), len(left), doubles(out))
        return out.reshape(shape)

    def _in_range(self, *points: Ints) -> None:
        for p in points:
            if len(p) and (p.min() < 0 or p.max() >= self.n):
                raise IndexError("a point is out of range")

    def rth_distance(self, r: int, which: Ints | None = None, weight: Longs | None = None) -> Floats:
        """The radius of the smallest ball around each point that weighs at least r; infinite if all points weigh
        less.
        """
        some = np.arange(self.n, dtype=np.int32) if which is None else which
        self._in_range(some)
        out, load = np.empty(len(some)), self.load(weight)
        check(
            lib.shoal_space_rth_distance(self.pointer, load.pointer, points(some), max(r, 1), doubles(out)),
            "the distances",
        )
        return out

    def nearest(self, many: int, which: Ints | None = None, weight: Longs | None = None) -> tuple[Ints, Floats]:
        """The nearest points of each, nearest first, the point itself among them; −1 where there are no more."""
        some = np.arange(self.n, dtype=np.int32) if which is None else np.ascontiguousarray(which, dtype=np.int32)
        self._in_range(some)
        load = self.load(weight)
        at, d = np.empty((len(some), many), dtype=np.int32), np.empty((len(some), many))
        check(
            lib.shoal_space_nearest(self.pointer, load.pointer, points(some), many, ints(at), doubles(d)),
            "the nearest points",
        )
        return at, d

    def balls(self, centres: Ints, radius: Floats | float, weight: Longs | None = None) -> Lists:
        """The points of positive weight within a radius of each centre."""
        centres = np.ascontiguousarray(centres, dtype=np.int32)
        self._in_range(centres)
        reach = np.ascontiguousarray(np.broadcast_to(np.asarray(radius, dtype=np.float64), centres.shape))
        first, load = np.zeros(len(centres) + 1, dtype=np.int64), self.load(weight)
        with found() as out:
            listed = lib.shoal_space_balls(
                self.pointer, load.pointer, points(centres), doubles(reach), longs(first), out
            )
            check(listed, "the balls")
            return Lists(first, *listed_in(out))

    def counts(self, radius: Floats | float, which: Ints | None = None, stop: int = 2**62) -> Longs:
        """The weight within a radius of each point; counting ends at ``stop``."""
        some = np.arange(self.n, dtype=np.int32) if which is None else which
        self._in_range(some)
        reach = np.ascontiguousarray(np.broadcast_to(np.asarray(radius, dtype=np.float64), some.shape))
        out, load = np.empty(len(some), dtype=np.int64), Load(self.weight, self.node_weight)
        lib.shoal_space_counts(self.pointer, load.pointer, points(some), doubles(reach), stop, longs(out))
        return out

    def cheapest_ball(self, t: Floats) -> tuple[Floats, Ints]:
        """For each point the least max(distance to c, t(c)) over all centres c, and such a c."""
        if len(t) != self.n:
            raise ValueError("one radius per point")
        value, which = np.empty(self.n), np.empty(self.n, dtype=np.int32)
        check(
            lib.shoal_space_cheapest_ball(self.pointer, doubles(np.ascontiguousarray(t)), doubles(value), ints(which)),
            "the balls",
        )
        return value, which

    def peel(self, t: Floats, reach: float, r: int, most: int) -> Bools | None:
        """Which points go until all others have weight r among themselves within reach; None if more than ``most``
        weight would go.
        """
        if len(t) != self.n:
            raise ValueError("one radius per point")
        load, gone = self.load(), np.zeros(self.n, dtype=np.uint8)
        removed = lib.shoal_space_peel(self.pointer, load.pointer, doubles(t), reach, r, most, octets(gone))
        if removed == TOO_LARGE:
            return None
        check(removed, "removing points")
        return gone.astype(np.bool_)

    def mark(
        self, reach: float, least: int = 1, order: Ints | None = None, weight: Longs | None = None
    ) -> tuple[Ints, Ints]:
        """Greedy balls: centres in the given order, each taking all untaken points within reach if they weigh
        ``least``.

        Returns the centres and, for each point, the number of the centre that took it, or −1.
        """
        turn = np.arange(self.n, dtype=np.int32) if order is None else np.ascontiguousarray(order, dtype=np.int32)
        self._in_range(turn)
        load, taken_by = self.load(weight), np.full(self.n, -1, dtype=np.int32)
        centres = np.empty(len(turn), dtype=np.int32)
        made = lib.shoal_space_mark(
            self.pointer, load.pointer, points(turn), reach, least, ints(taken_by), ints(centres)
        )
        return centres[: check(made, "the centres")].copy(), taken_by

    def farthest_first(self, most: int) -> tuple[Ints, Floats, Ints, Floats]:
        """Up to ``most`` centres, each the farthest from those before it.

        Returns them, how far each was from the others, and each point's nearest centre (its number) with the distance.
        """
        most = min(most, self.n)
        centres, apart = np.empty(most, dtype=np.int32), np.empty(most)
        nearest, d = np.zeros(self.n, dtype=np.int32), np.empty(self.n)
        n = lib.shoal_space_farthest_first(self.pointer, most, ints(centres), doubles(apart), ints(nearest), doubles(d))
        return centres[:n].copy(), apart[:n].copy(), nearest, d

    def cover(self, reach: float, wide: float, most: int, weight: Longs) -> Ints:
        """Up to ``most`` centres: each time the point with most untaken weight within reach takes everything within
        ``wide``.
        """
        load = self.load(weight)
        centres = np.empty(min(most, self.n), dtype=np.int32)
        enough = int(load.point.sum()) or 1
        made = lib.shoal_space_cover(self.pointer, load.pointer, reach, wide, len(centres), enough, ints(centres))
        return centres[: check(made, "the cover")].copy()

    def distances_between(self, low: float, high: float, most: int) -> tuple[Floats, bool]:
        """The distances above ``low`` and below ``high``, sorted, each once, and whether that is all; it stops at about
        ``most`` pairs.
        """
        with found() as out:
            check(lib.shoal_space_between(self.pointer, low, high, most, out), "the distances")
            return np.unique(listed_in(out)[1]), int(out.n) < most


@contextmanager
def found() -> Iterator[Any]:
    """A list of points that a kernel fills."""
    out = ffi.new("shoal_list *")
    try:
        yield out
    finally:
        lib.shoal_list_free(out)


def listed_in(out: Any) -> tuple[Ints, Floats]:
    """The points of such a list, and the number that stands with each."""
    n = int(out.n)
    if not n:
        return np.empty(0, dtype=np.int32), np.empty(0)
    return np.frombuffer(ffi.buffer(out.at, 4 * n), dtype=np.int32).copy(), np.frombuffer(
        ffi.buffer(out.d, 8 * n)
    ).copy()
