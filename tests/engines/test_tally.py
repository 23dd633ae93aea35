"""Counts of the original as its rows pass, held in memory or put aside."""

from __future__ import annotations

import stat
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from shoal.engines import tally
from shoal.engines.counter import Counter
from shoal.engines.tally import Tally
from shoal.errors import WriteError


def made(folder: Path, n: int = 900) -> tuple[Tally, pl.DataFrame]:
    """A tally of rows that came in stretches, and the rows with whether they are released."""
    rng = np.random.default_rng(5)
    rows = pl.DataFrame(
        {"age": rng.integers(0, 90, n), "ill": [None if v == 0 else f"i{v}" for v in rng.integers(0, 9, n)], "n": ["x"] * n}
    )
    kept = rng.random(n) < 0.9
    found = Tally(["age", "ill"], ["age"], folder, Counter(folder, 1 << 28))
    for at in range(0, n, 100):
        found.add(rows[at : at + 100], kept[at : at + 100])
    return found, rows.with_columns(pl.Series("kept", kept))


def expected(rows: pl.DataFrame) -> list[tuple[object, ...]]:
    counted = rows.group_by(pl.col("age").cast(pl.String), "ill", "kept").len()
    return sorted(counted.rows(), key=repr)


@pytest.mark.parametrize("held", [10**6, 150, 20])
def test_rows_are_counted_once_each_wherever_the_counts_lie(held: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tally, "HELD", held)
    found, rows = made(tmp_path)
    counted = found.counted()
    assert counted.columns == ["c0", "c1", "kept", "n"]
    assert sorted(counted.rows(), key=repr) == expected(rows)
    aside = list(tmp_path.glob(".tally*"))
    assert bool(aside) == (held < 10**6)
    assert all(stat.S_IMODE(path.stat().st_mode) == 0o600 for path in aside)


def test_a_table_without_rows_has_no_counts(tmp_path: Path) -> None:
    found = Tally(["age"], ["age"], tmp_path, Counter(tmp_path, 1 << 28)).counted()
    assert found.height == 0
    assert found.columns == ["c0", "kept", "n"]


def test_a_folder_that_takes_no_file_is_an_error_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tally, "HELD", 20)
    with pytest.raises(WriteError, match="no room left"):
        made(tmp_path / "gone")
