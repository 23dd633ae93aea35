"""Cells of at least r rows with a small sum of size times radius."""

from __future__ import annotations

import numpy as np

from shoal.kernels.native import doubles, ffi, ints, lib, longs
from shoal.kernels.space import Floats, Ints, Lists, Longs, Space


def greedy_cells(space: Space, y: Floats, setup: Floats, r: int, weight: Longs, least: float) -> tuple[Ints, Lists]:
    """Again and again the r nearest rows left around the centre where their prices go furthest, while they are worth ``least``.

    Returns the centres, and for each the points taken with the number of their rows (as ``d``).
    """
    if len(y) != space.n or len(setup) != space.n or r < 1:
        raise ValueError("a price and a set-up cost for each point, and r of at least 1")
    w, nodes = space.fresh(weight)
    room = int(w.sum()) // r + 1
    centre, first = np.empty(room, dtype=np.int32), np.zeros(room + 1, dtype=np.int64)
    taken = ffi.new("shoal_list *")
    try:
        n = lib.shoal_space_cells_greedy(
            space.pointer,
            longs(w),
            longs(nodes),
            ints(space.leaf_of),
            doubles(np.ascontiguousarray(y)),
            doubles(np.ascontiguousarray(setup)),
            r,
            least,
            ints(centre),
            longs(first),
            taken,
        )
        if n < 0:
            raise MemoryError
        m = int(taken.n)
        at = np.frombuffer(ffi.buffer(taken.at, 4 * m), dtype=np.int32).copy() if m else np.empty(0, dtype=np.int32)
        count = np.frombuffer(ffi.buffer(taken.d, 8 * m), dtype=np.float64).copy() if m else np.empty(0)
    finally:
        lib.shoal_space_list_free(taken)
    return centre[:n].copy(), Lists(first[: n + 1].copy(), at, count)


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

    ``near`` holds some nearest points of each point; up to ``room_outside`` further rows may be left out (label −1). Some
    cells of the answer may be empty.
    """
    n = len(of_row)
    if len(label) != n or len(first_row) != space.n + 1 or len(rows) != n or len(setup) != space.n or near.shape[0] != space.n:
        raise ValueError("the arrays do not fit the rows and points")
    if n and (label.max() >= len(centre) or label.min() < -1 or of_row.min() < 0 or of_row.max() >= space.n):
        raise IndexError("a label or a point is out of range")
    if near.size and near.max() >= space.n:
        raise IndexError("a point is out of range")
    most = max(len(centre), n // max(r, 1)) + 2
    label = np.ascontiguousarray(label, dtype=np.int32).copy()
    centres = np.zeros(most, dtype=np.int32)
    centres[: len(centre)] = centre
    answer = lib.shoal_space_cells_improve(
        space.pointer,
        ints(of_row),
        n,
        ints(np.ascontiguousarray(near).reshape(-1)),
        near.shape[1],
        longs(first_row),
        longs(rows),
        doubles(np.ascontiguousarray(setup)),
        r,
        room_outside,
        rounds,
        ints(label),
        ints(centres),
        len(centre),
        most,
    )
    if answer < 0:
        raise MemoryError
    return label, centres[:answer].copy()
