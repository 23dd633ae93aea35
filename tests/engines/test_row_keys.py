"""Rows counted as numbers: the same counts as by a plain dictionary, and a plain no where there is no room."""

from __future__ import annotations

from collections import Counter as Counts

import numpy as np
import polars as pl
import pytest

from shoal.engines import row_keys
from shoal.engines.row_keys import RowKeys

ROOM = 1 << 30
Row = tuple[str | None, ...]


def frame(rows: list[Row], width: int) -> pl.DataFrame:
    return pl.DataFrame(rows, schema={f"c{j}": pl.String for j in range(width)}, orient="row")


def counted(keys: RowKeys) -> dict[Row, int]:
    return {row[:-1]: row[-1] for row in keys.rows().rows()}


@pytest.mark.parametrize("pending", [1, 7, 1 << 18])
def test_counts_are_those_of_a_dictionary(pending: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Values keep turning up, so that columns need more bits again and again; null, the empty text and NUL are different values."""
    monkeypatch.setattr(row_keys, "PENDING", pending)
    rng = np.random.default_rng(3)
    keys, expected = RowKeys(3, ROOM), Counts[Row]()
    for part in range(12):
        texts = [None, "", "x\0y", "x", *(f"value {i}" for i in range(3 ** (part // 2)))]
        rows: list[Row] = [tuple(texts[int(i)] for i in rng.integers(0, len(texts), 3)) for _ in range(200)]
        assert keys.add(frame(rows, 3))
        expected.update(rows)
    assert counted(keys) == dict(expected)


def test_no_rows_and_rows_of_nothing() -> None:
    keys = RowKeys(2, ROOM)
    assert keys.rows().height == 0
    assert keys.add(frame([], 2))
    assert keys.add(frame([(None, None)] * 3, 2))
    assert counted(keys) == {(None, None): 3}


def test_63_bits_suffice_and_64_do_not() -> None:
    wide = [tuple("x" for _ in range(63))]
    assert RowKeys(63, ROOM).add(frame(wide, 63))
    assert not RowKeys(64, ROOM).add(frame([(*wide[0], "x")], 64))


def test_every_bit_of_the_number_is_used() -> None:
    """63 columns of one value or none: rows that differ in the first column alone, or in the last alone, are different rows."""
    base: list[str | None] = [None] * 63
    rows = [tuple(base), ("x", *base[1:]), (*base[:-1], "x"), tuple("x" for _ in base)]
    keys = RowKeys(63, ROOM)
    assert keys.add(frame([*rows, *rows], 63))
    assert counted(keys) == dict.fromkeys(rows, 2)


def test_what_does_not_fit_is_not_counted_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever counts goes on elsewhere with these very rows: none may be in both counts."""
    monkeypatch.setattr(row_keys, "MOST_VALUES", 4)
    keys = RowKeys(1, ROOM)
    assert keys.add(frame([("a",), ("b",)], 1))
    assert not keys.add(frame([("a",), ("c",), ("d",), ("e",)], 1))
    assert counted(keys) == {("a",): 1, ("b",): 1}
    full = RowKeys(1, 100)
    assert not full.add(frame([(str(i),) for i in range(1000)], 1))
