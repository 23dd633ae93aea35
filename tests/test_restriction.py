"""The restricted forms from Python: the fewest cells, and the fewest columns."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.errors import DataError, PolicyError
from tests.naive.optima import optima
from tests.tables import make_problem


def table_of(rng: np.random.Generator, n: int, q: int, k: int) -> pl.DataFrame:
    cells = np.ones((n, q), dtype=int)
    for j in range(q):
        cells[rng.choice(n, k, replace=False), j] = 0
    return pl.DataFrame({f"c{j}": cells[:, j].astype(str).tolist() for j in range(q)})


def fewest_columns(frame: pl.DataFrame, k: int) -> int:
    names = frame.columns
    return min(
        len(names) - len(kept)
        for size in range(len(names) + 1)
        for kept in combinations(names, size)
        if not kept or frame.group_by(kept).len()["len"].min() >= k
    )


@pytest.mark.parametrize("k", [2, 3])
def test_the_fewest_cells_and_the_fewest_columns_are_suppressed(k: int) -> None:
    rng = np.random.default_rng(k)
    frames = [table_of(rng, int(rng.integers(k + 1, 9)), int(rng.integers(1, 5)), k) for _ in range(12)]
    least = optima([make_problem(frame.rows(), k) for frame in frames])
    for frame, best in zip(frames, least.tolist(), strict=True):
        assert shoal.restricted(frame, k).loss == pytest.approx(best)
        release = shoal.restricted(frame, k, suppress="columns").frame
        assert sum((release[name] == "*").all() for name in release.columns) == fewest_columns(frame, k)


def test_another_table_is_refused_and_the_message_says_why() -> None:
    frame = pl.DataFrame({"a": ["0", "0", "1", "1"], "b": ["1", "0", "1", "1"]})
    with pytest.raises(DataError, match=r"'b'.*1 and 3 rows.*exactly 2"):
        shoal.restricted(frame)
    with pytest.raises(DataError, match="3 values"):
        shoal.restricted(frame.with_columns(b=pl.Series(["1", "0", None, "1"])))
    with pytest.raises(PolicyError, match="cells, columns"):
        shoal.restricted(frame, suppress="rows")
