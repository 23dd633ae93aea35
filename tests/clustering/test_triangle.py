"""Distances that are no metric."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import shoal

FRAME = pl.DataFrame({"age": [1, 2, 3, 8, 9, 10], "cost": [1, 1, 1, 1, 1, 9], "ill": list("abcabc")})


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ((0, 1, np.nan), "not finite"),
        ((0, 1, -1.0), "negative"),
        ((0, 1, 2.0), "other way round"),
        ((1, 1, 1.0), "row 1 to itself"),
    ],
)
def test_distances_that_are_not_a_metric_are_refused(change: tuple[int, int, float], words: str) -> None:
    d = np.abs(np.arange(4.0)[:, None] - np.arange(4.0)[None, :])
    d[change[0], change[1]] = change[2]
    with pytest.raises(shoal.DataError, match=words):
        shoal.cluster(distances=d, r=2)


def test_a_broken_triangle_is_named() -> None:
    d = np.array([[0.0, 1, 5], [1, 0, 1], [5, 1, 0]])
    with pytest.raises(shoal.DataError, match="from row 0 to row 2 it is 5, but 2 by way of row 1"):
        shoal.cluster(distances=d, r=2)
    big = np.abs(np.arange(300.0)[:, None] - np.arange(300.0)[None, :]) ** 2
    with pytest.raises(shoal.DataError, match="triangle inequality"):
        shoal.cluster(distances=big, r=2)
    with pytest.raises(shoal.DataError, match="triangle inequality"):
        shoal.cluster(FRAME, r=2, quasi_identifiers=["age"], metric=lambda a, b: float((a["age"] - b["age"]) ** 2))
    with pytest.raises(shoal.DataError, match="square"):
        shoal.cluster(distances=[[0, 1]], r=1)
    with pytest.raises(shoal.DataError, match="numbers"):
        shoal.cluster(distances=[["a"]], r=1)
