"""Whether distances are a metric: checked completely where that is cheap, else on samples; the rows that break it are
named.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from shoal.clustering.points import Floats
from shoal.errors import DataError
from shoal.kernels.space import Space

WHOLE = 160
"""Up to so many rows every triangle is looked at."""
SAMPLES = 200_000
TOLERANCE = 1e-9

Where = Callable[[int], str]


def _row(i: int) -> str:
    return f"row {i}"


def check_matrix(d: Floats, where: Where = _row) -> None:
    """Raise a :class:`DataError` that names the rows that break a metric's rules. Rows are counted from 0."""
    if d.ndim != 2 or d.shape[0] != d.shape[1] or len(d) == 0:
        raise DataError(
            "distances must be a square array with a row and a column for each row of the table; its shape is "
            f"{d.shape}."
        )
    for wrong, what in (
        (~np.isfinite(d), "is not finite"),
        (d < 0, "is negative"),
        (np.abs(d - d.T) > TOLERANCE * (1 + np.abs(d)), "differs from the distance the other way round"),
        (np.eye(len(d), dtype=np.bool_) & (d != 0), "to itself is not 0"),
    ):
        if wrong.any():
            i, j = (int(x) for x in np.argwhere(wrong)[0])
            pair = f"of {where(i)}" if i == j else f"of {where(i)} and {where(j)}"
            raise DataError(
                f"This is not a metric: the distance {pair} {what} ({int(wrong.sum())} such). Correct the distances."
            )
    n = len(d)
    if n <= WHOLE:
        for k in range(n):
            _refuse(d, d[:, k : k + 1] + d[k : k + 1, :], k, where)
        return
    rng = np.random.default_rng(0)
    a, b, c = (rng.integers(0, n, SAMPLES) for _ in range(3))
    _name(d[a, b], d[a, c] + d[c, b], np.column_stack([a, b, c]), where)


def _refuse(d: Floats, by: Floats, k: int, where: Where) -> None:
    wrong = d > by + TOLERANCE * (1 + d)
    if wrong.any():
        i, j = (int(x) for x in np.argwhere(wrong)[0])
        _raise(i, j, k, float(d[i, j]), float(by[i, j]), where)


def _name(direct: Floats, by: Floats, triples: np.ndarray, where: Where) -> None:
    wrong = np.flatnonzero(direct > by + TOLERANCE * (1 + direct))
    if len(wrong):
        i, j, k = (int(x) for x in triples[wrong[0]])
        _raise(i, j, k, float(direct[wrong[0]]), float(by[wrong[0]]), where)


def _raise(i: int, j: int, k: int, direct: float, by: float, where: Where) -> None:
    raise DataError(
        f"This is not a metric: from {where(i)} to {where(j)} it is {direct:.6g}, but {by:.6g} by way of {where(k)}. "
        "The triangle inequality must hold, or no guarantee does."
    )


def check_sample(space: Space, where: Where) -> None:
    """Triangles of random points of a space made of columns."""
    rng = np.random.default_rng(0)
    n = min(SAMPLES // 10, 40 * space.n)
    i, j, k = (rng.integers(0, space.n, n).astype(np.int32) for _ in range(3))
    _name(space.distances(i, j), space.distances(i, k) + space.distances(k, j), np.column_stack([i, j, k]), where)
