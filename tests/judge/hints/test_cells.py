"""The rows that are looked at for hints, and how their cells are read."""

from __future__ import annotations

import datetime as dt

import numpy as np
import polars as pl
import pytest

from shoal.judge.hints.cells import BASE, MORE, MOST, bare, draw, texts_of, unreleased
from tests.judge.hints.drawn import drawn, hidden

N = 40_000


def test_all_rows_of_a_small_table_are_looked_at_and_few_of_a_large_one():
    assert sorted(draw([], [], 100, 0)[0].tolist()) == list(range(100))
    assert len(draw([], [], N, 0)[0]) == BASE


def test_rows_that_are_rare_and_matter_are_looked_at_too():
    """A few hidden cells, and a few cells that are there."""
    flag = np.zeros(N, dtype=bool)
    flag[:MORE] = True
    sparse = pl.Series("x", [None] * (N - 50) + ["a"] * 50)
    rows, _ = draw([sparse], [flag], N, 0)
    assert set(range(MORE)) <= set(rows.tolist())
    assert set(range(N - 50, N)) <= set(rows.tolist())
    assert len(rows) <= MOST


def test_repeats_of_a_column_of_codes_are_looked_at_together():
    codes = pl.Series("x", [f"{i // 2 if i < N // 5 else i:08}" for i in range(N)])
    rows, repeats = draw([codes], [], N, 0)
    assert repeats["x"] == pytest.approx(0.2, abs=0.001)
    pairs = {row // 2 for row in rows.tolist() if row < N // 5}
    assert sum(2 * pair in rows and 2 * pair + 1 in rows for pair in pairs) >= MORE


def test_the_same_release_is_looked_at_in_the_same_rows():
    assert np.array_equal(draw([], [], N, 7)[0], draw([], [], N, 7)[0])
    assert not np.array_equal(draw([], [], N, 7)[0], draw([], [], N, 8)[0])


def test_numbers_and_dates_are_placed_by_their_size_and_other_texts_by_their_letters():
    assert drawn(["9", "10", None, "9.0"]).place.tolist() == [0, 1, -1, 0]
    assert drawn(["1.234,5", "999,5"]).place.tolist() == [1, 0]
    assert drawn(["02.01.1990", "01.02.1990", "03.01.1989"]).place.tolist() == [1, 2, 0]
    assert drawn(["b", "a", "c"]).place.tolist() == [1, 0, 2]


def test_digits_of_other_scripts_are_digits():
    assert drawn(["\u0663\u0664", "\uff11\uff12"]).number.tolist() == [34, 12]


def test_a_cell_is_hidden_if_it_shows_something_else():
    assert hidden(["34", "35", None, "36"], ["34.0", "[30, 40)", "*", "36"]).is_hidden.tolist() == [False, True, False, False]
    assert unreleased(drawn(["a", None])).is_hidden.tolist() == [True, False]


def test_any_type_has_texts():
    assert texts_of(pl.Series([[1, 2], None])).to_list() == ["[1, 2]", None]
    assert texts_of(pl.Series([b"a"])).to_list() == ["b'a'"]


def test_a_bare_text_has_neither_case_nor_marks():
    assert bare("Straße 81-243 ") == "strasse81243"


def test_of_cells_that_mostly_differ_parts_are_looked_at_too():
    numbers = drawn([f"{i:04}x{i % 2}" for i in range(100)])
    parts = [piece.texts[11] for piece in numbers.pieces]
    assert parts[:2] == ["1", "x1"]
    assert {"1", "11", "1x"} <= set(parts)
    assert drawn(["a", "b"] * 50).pieces == []
    assert [piece.texts.to_list()[:2] for piece in drawn(["a", None] * 50).pieces] == [["false", "true"]]


def test_a_duration_is_a_number():
    cells = pl.Series([dt.timedelta(days=3), None])
    assert texts_of(cells).to_list() == ["259200000000", None]
