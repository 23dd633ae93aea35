"""Cells of at least r rows with a small sum of size times radius."""

from __future__ import annotations

import numpy as np

from shoal.kernels.native import check, doubles, ffi, ints, lib, longs
from shoal.kernels.space import Floats, Ints, Lists, Longs, Space, found, listed_in


def greedy_cells(space: Space, y: Floats, setup: Floats, r: int, weight: Longs, least: float) -> tuple[Ints, Lists]:
    """Make cells one after the other: the r nearest rows left around the centre whose prices pay most of the cell's
    cost, while that is ``least`` or more.

    Returns the centres, and for each the points taken with the number of their rows (as ``d``).
    """
    if len(y) != space.n or len(setup) != space.n or r < 1:
        raise ValueError("a price and a set-up cost for each point, and r of at least 1")
    load = space.load(weight)
    room = int(load.point.sum()) // r + 1
    centre, first = np.empty(room, dtype=np.int32), np.zeros(room + 1, dtype=np.int64)
    y, setup = np.ascontiguousarray(y), np.ascontiguousarray(setup)
    ask = ffi.new("shoal_greedy_cells *", (doubles(y), doubles(setup), r, least, ints(centre), longs(first)))
    with found() as taken:
        n = check(lib.shoal_space_cells_greedy(space.pointer, load.pointer, ask, taken), "the cells")
        return centre[:n].copy(), Lists(first[: n + 1].copy(), *listed_in(taken))


def improve_cells(
    space: Space,
    of_row: Ints,
    near: Ints,
    first_row: Longs,
    rows: Longs,
    setup: Floats,
    r: int,
    room_outside: int,
    label: Ints,
    centre: Ints,
    rounds: int,
) -> tuple[Ints, Ints]:
    """Local search from a clustering whose cells have at least r rows: labels and centres that cost no more.

    ``near`` holds some nearest points of each point; up to ``room_outside`` further rows may be left out (label −1).
    Some cells of the answer may be empty.
    """
    n = len(of_row)
    if (
        len(label) != n
        or len(first_row) != space.n + 1
        or len(rows) != n
        or len(setup) != space.n
        or near.shape[0] != space.n
    ):
        raise ValueError("the arrays do not fit the rows and points")
    if n and (label.max() >= len(centre) or label.min() < -1 or of_row.min() < 0 or of_row.max() >= space.n):
        raise IndexError("a label or a point is out of range")
    if near.size and near.max() >= space.n:
        raise IndexError("a point is out of range")
    most = max(len(centre), n // max(r, 1)) + 2
    label = np.ascontiguousarray(label, dtype=np.int32).copy()
    centres = np.zeros(most, dtype=np.int32)
    centres[: len(centre)] = centre
    near, setup = np.ascontiguousarray(near), np.ascontiguousarray(setup)
    asked = {
        "of_row": ints(of_row),
        "n_rows": n,
        "near": ints(near),
        "many": near.shape[1],
        "first_row": longs(first_row),
        "rows": longs(rows),
        "setup": doubles(setup),
        "r": r,
        "room_outside": room_outside,
        "rounds": rounds,
        "label": ints(label),
        "centre": ints(centres),
        "n_cells": len(centre),
        "most_cells": most,
    }
    made = check(lib.shoal_space_cells_improve(space.pointer, ffi.new("shoal_improve_cells *", asked)), "the cells")
    return label, centres[:made].copy()
