"""The dual ascent of cellular clustering."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.kernels.native import check, doubles, ffi, ints, lib
from shoal.kernels.space import Floats, Ints, Space


@dataclass(frozen=True, eq=False)
class Ascent:
    """What the ascent found."""

    alpha: Floats
    """What each point offers in the end."""
    witness: Ints
    """The number of the cluster that connected each point; −1 for a point that none did."""
    centre: Ints
    """The centre of each cluster that was paid for, in the order of time."""
    radius: Floats


def ascend(
    space: Space,
    t: Floats,
    setup: Floats,
    share: float,
    outliers: int = 0,
    limit: float = np.inf,
    widest: float | None = None,
) -> Ascent:
    """Raise all offers until clusters are paid and connect all but ``outliers`` rows.

    A cluster (v, d) with d at least ``t[v]`` costs ``setup[v] + share * d``; those that cost more than ``limit`` stay
    shut.
    """
    if len(t) != space.n or len(setup) != space.n or (setup < 0).any() or share < 0:
        raise ValueError("a radius and a set-up cost of at least 0 for each point")
    if widest is None:
        widest = 2 * float(space.distances(0, np.arange(space.n, dtype=np.int32)).max())
    load = space.load()
    t, setup = np.ascontiguousarray(t), np.ascontiguousarray(setup)
    alpha, witness = np.empty(space.n), np.empty(space.n, dtype=np.int32)
    centre, radius = np.empty(space.n, dtype=np.int32), np.empty(space.n)
    out = (doubles(alpha), ints(witness), ints(centre), doubles(radius))
    ask = ffi.new("shoal_ascent *", (doubles(t), doubles(setup), share, outliers, limit, widest, *out))
    n = check(lib.shoal_space_ascent(space.pointer, load.pointer, ask), "the ascent")
    return Ascent(alpha, witness, centre[:n].copy(), radius[:n].copy())
