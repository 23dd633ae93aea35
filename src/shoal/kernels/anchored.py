"""The walk over closed sets, each found from its dearest tuple: for columns of any kind, and any number of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.boxes import Boxes, as_c
from shoal.kernels.columns import Columns
from shoal.kernels.flag import Flag, pointer_of
from shoal.kernels.native import check, doubles, ffi, ints, lib, longs
from shoal.kernels.threads import n_threads


@dataclass(frozen=True, eq=False)
class Walked:
    """What a walk found."""

    tightness: NDArray[np.float64]
    """How tight each tuple's tightest set is, of those that were walked."""
    walked: NDArray[np.float64]
    """From each tuple, the tightness above which all sets were walked."""
    lowered: NDArray[np.float64]
    """What is left of each tuple's price: all of it, except where the walk from it took too much work."""
    floor: NDArray[np.float64]
    """For each tuple, the tightness above which all sets that hold it were walked."""
    boxes: Boxes
    """The sets that were kept; their nodes are not given."""
    work: int
    n_later: int
    """How many tuples took more than their share of work."""


def anchored_sets(
    space: Columns,
    codes: NDArray[np.int32],
    weight: NDArray[np.int64],
    k: int,
    prices: NDArray[np.float64],
    least: float,
    keep: float = np.inf,
    reach: float = 0.7,
    most_kept: int = 0,
    most_each: int = 2**62,
    most_later: int = 0,
    step: float = 0.05,
    threads: int | None = None,
    own: NDArray[np.float64] | None = None,
    stop: Flag | None = None,
    most_walk: int = 0,
) -> Walked:
    """How tight the tightest set of at least k rows is for each tuple: the k highest prices in it over k times its own
    price.

    Where tuples have parts of their own, prices come without them, and tightness is that of
    :func:`shoal.kernels.tight_boxes`.

    Sets below ``least`` are left out, and a tuple without one above it gets ``least``. Sets of tightness at least
    ``keep`` are listed with their tuples down to ``reach`` times the k-th highest price. From one tuple no more than
    ``most_each`` cells are looked at, or more as long as all together are within ``most_walk``; those for which that is
    too little share ``most_later``. InterruptedError once ``stop`` is set.
    """
    _check(space, codes, weight, prices, own, least)
    tightness, walked, floor = (np.full(len(codes), least) for _ in range(3))
    lowered = np.ones(len(codes))
    asked = {
        "n": len(codes),
        "codes": ints(codes),
        "weight": longs(weight),
        "k": k,
        "y": doubles(prices),
        "own": ffi.NULL if own is None else doubles(own),
        "least": least,
        "keep": keep,
        "reach": reach,
        "most_kept": most_kept,
        "most_each": most_each,
        "most_walk": most_walk,
        "most_later": most_later,
        "step": step,
        "n_threads": threads or n_threads(),
        "stop": pointer_of(stop),
        "answer": doubles(tightness),
        "walked": doubles(walked),
        "lowered": doubles(lowered),
        "floor": doubles(floor),
    }
    ask = ffi.new("shoal_anchored_ask *", asked)
    boxes = _walk(space, ask)
    return Walked(tightness, walked, lowered, floor, boxes, int(ask.work), int(ask.n_later))


def _check(
    space: Columns,
    codes: NDArray[np.int32],
    weight: NDArray[np.int64],
    prices: NDArray[np.float64],
    own: NDArray[np.float64] | None,
    least: float,
) -> None:
    if (
        len(prices) != len(codes)
        or (own is not None and len(own) != len(codes))
        or len(weight) != len(codes)
        or codes.shape[1] != space.n_columns
    ):
        raise ValueError("one price and one weight per tuple, one column of codes per column")
    if codes.size == 0 or least <= 0:
        raise ValueError("there is nothing to walk")
    if (codes < 0).any() or (codes.max(axis=0) >= np.array(space.n_leaves)).any():
        raise IndexError("a code is outside of its column")
    if any(space.pointer.column[j].kind == lib.SHOAL_CELL_LONG for j in range(space.n_columns)):
        raise ValueError("a subset of more than 64 leaves has no prices here")


def _walk(space: Columns, ask: Any) -> Boxes:
    """Walk, and copy the sets that were kept."""
    found = ffi.new("shoal_found **")
    try:
        check(lib.shoal_anchored(space.pointer, ask, found), "a walk over the sets")
        entries = ffi.new("int64_t *")
        n = lib.shoal_found_boxes(found[0], entries)
        boxes = Boxes(
            np.empty((n, 0), dtype=np.int32),
            np.empty(n),
            np.empty(n),
            np.zeros(n + 1, dtype=np.int64),
            np.empty(entries[0], dtype=np.int32),
        )
        lib.shoal_found_copy(found[0], doubles(boxes.tightness), as_c(boxes.price, boxes.start, boxes.tuples))
        return boxes
    finally:
        lib.shoal_found_free(found[0])
