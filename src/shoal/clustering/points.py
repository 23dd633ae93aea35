"""Rows as points: equal rows are one point whose weight is their number."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.space import Space

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Points:
    """The distinct points of a table in their metric space, and the point of each row."""

    space: Space
    of_row: Ints
    """The point of each row, in the numbering of ``space``."""

    @property
    def n_rows(self) -> int:
        return len(self.of_row)

    @cached_property
    def rows(self) -> Longs:
        """The rows, those of point 0 first; those of point p are ``rows[first[p] : first[p + 1]]``, in their order."""
        return np.argsort(self.of_row, kind="stable")

    @cached_property
    def first(self) -> Longs:
        return np.concatenate([[0], np.cumsum(np.bincount(self.of_row, minlength=self.space.n))])

    @cached_property
    def a_row(self) -> Longs:
        """The first row that lies on each point."""
        return self.rows[self.first[:-1]]

    def label_rows(self, point: Ints, cluster: Ints, count: Longs) -> Ints:
        """Give ``count`` rows of each ``point`` to ``cluster``; the counts of a point add up to its weight."""
        turn = np.argsort(point, kind="stable")
        label = np.empty(self.n_rows, dtype=np.int32)
        label[self.rows] = np.repeat(cluster[turn], count[turn])
        return label


def points_of(space: Space, given_point: Ints) -> Points:
    """Rows that lie on points as they were given to the space."""
    place = np.empty(space.n, dtype=np.int32)
    place[space.order] = np.arange(space.n, dtype=np.int32)
    return Points(space, place[given_point])


@dataclass(frozen=True, eq=False)
class Found:
    """A clustering of the rows, before anything is published."""

    label: Ints
    """The cluster of each row; −1 for an outlier."""
    centre: Ints
    """The point at the centre of each cluster."""
    rows: Longs | None = None
    """Where a row may be in several clusters: the row that each label is about. None: each row has one label."""

    @property
    def n_clusters(self) -> int:
        return len(self.centre)

    def sizes(self) -> Longs:
        return np.bincount(self.label[self.label >= 0], minlength=self.n_clusters).astype(np.int64)

    def radii(self, points: Points) -> Floats:
        """The distance of each centre to the farthest row of its cluster."""
        kept = np.flatnonzero(self.label >= 0)
        label = self.label[kept]
        row = kept if self.rows is None else self.rows[kept]
        out = np.zeros(self.n_clusters)
        np.maximum.at(out, label, points.space.distances(points.of_row[row], self.centre[label]))
        return out

    def radius(self, points: Points) -> float:
        """The largest radius."""
        return float(self.radii(points).max()) if self.n_clusters else 0.0

    def without_gaps(self) -> Found:
        """The same clusters, those without rows left out."""
        used = np.flatnonzero(self.sizes())
        number = np.full(self.n_clusters + 1, -1, dtype=np.int32)
        number[used] = np.arange(len(used), dtype=np.int32)
        return Found(number[self.label], self.centre[used], self.rows)
