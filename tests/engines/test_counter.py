"""Counting texts in the embedded database."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from shoal.engines import row_keys
from shoal.engines.counter import Counter
from shoal.errors import DataError, WriteError


def frames(*parts: list[tuple[str | None, str | None]]) -> Iterator[pl.DataFrame]:
    for part in parts:
        yield pl.DataFrame(part, schema={"c0": pl.String, "c1": pl.String}, orient="row")


@pytest.fixture
def counter(tmp_path: Path) -> Counter:
    return Counter(tmp_path, 0)


def test_rows_are_counted_over_all_frames_and_null_is_not_the_empty_text(counter: Counter) -> None:
    counted = counter.fold(frames([("a", None), ("a", "")], [("a", None), ("b", "x\0y")]), 2)
    assert sorted(counted.rows(), key=repr) == sorted([("a", None, 2), ("a", "", 1), ("b", "x\0y", 1)], key=repr)


def test_no_frame_at_all_is_no_row(counter: Counter) -> None:
    assert counter.fold(frames(), 2).height == 0


@pytest.mark.parametrize("error", [DataError("ours"), KeyboardInterrupt(), OSError(28, "full")])
def test_an_error_of_the_rows_comes_through_as_it_is(error: BaseException, counter: Counter) -> None:
    def broken() -> Iterator[pl.DataFrame]:
        yield from frames([("a", "b")])
        raise error

    with pytest.raises(type(error)) as caught:
        counter.fold(broken(), 2)
    assert caught.value is error


def test_errors_of_the_database_hold_no_cell(counter: Counter) -> None:
    with pytest.raises((DataError, WriteError)) as caught:
        list(counter.query(frames([("secret", "s")]), "SELECT CAST(c0 AS INTEGER) FROM rows"))
    assert "secret" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


def test_more_rows_than_memory_are_spilled(counter: Counter, tmp_path: Path) -> None:
    """A million different rows of 100 bytes and more in 256 MB, of which nothing stays in the folder."""
    rng = np.random.default_rng(0)

    def many() -> Iterator[pl.DataFrame]:
        for _ in range(20):
            cells = pl.Series(rng.integers(0, 2**62, 50_000)).cast(pl.String)
            yield pl.DataFrame({"c0": cells + "x" * 60, "c1": cells})

    assert counter.fold(many(), 2)["n"].sum() == 1_000_000
    assert [p for p in tmp_path.iterdir() if p.is_file()] == []


def test_rows_that_were_counted_here_and_rows_that_the_database_counts_are_added_up(
    counter: Counter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database goes on where memory ends, in the middle of the rows: each row is counted once."""
    monkeypatch.setattr(row_keys, "MOST_VALUES", 3)
    counter.memory = 1 << 30
    first = [("a", "x"), ("b", None), ("a", "x")]
    second = [("a", "x"), *((f"new {i}", "y") for i in range(5))]
    counted = counter.fold(frames(first, second, first), 2)
    expected = [("a", "x", 5), ("b", None, 2), *((f"new {i}", "y", 1) for i in range(5))]
    assert sorted(counted.rows(), key=repr) == sorted(expected, key=repr)


def test_the_database_is_not_loaded_for_few_rows() -> None:
    """It takes 40 MB, which a run over a million rows does not need."""
    code = (
        "import sys, pathlib, polars as pl\n"
        "from shoal.engines.counter import Counter\n"
        "frame = pl.DataFrame({'c0': ['a', 'b', 'a']})\n"
        "print(Counter(pathlib.Path('.'), 1 << 30).fold(iter([frame]), 1).height, 'duckdb' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split() == ["2", "False"]


def test_that_it_is_not_installed_is_said_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before the search, although it may be needed only after it: to sort rows."""
    monkeypatch.setattr("shoal.engines.counter.find_spec", lambda name: None)
    with pytest.raises(DataError, match=r"pip install 'shoal\[files\]'"):
        Counter(tmp_path, 1 << 30)
