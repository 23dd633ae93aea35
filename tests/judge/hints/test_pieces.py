"""Parts of cells: characters at one place, how a text is written, and what lies inside lists and structs."""

from __future__ import annotations

import polars as pl

from shoal.judge.hints.pieces import MOST_LEAVES, leaves_of, pieces_of, presence


def test_a_text_is_taken_apart_by_place_by_shape_and_by_marks():
    first, second = zip(*(piece.to_list() for piece in pieces_of(pl.Series(["Ab-12", "cD 34"]))), strict=True)
    assert first == ("A", "Ab", "2", "12", "Aa-00", "-", "b", "b-", "-", "-1", "1", "12")
    assert second[4:6] == ("aA 00", " ")


def test_places_are_counted_where_texts_are_equally_long():
    uneven = [len(list(pieces_of(pl.Series(cells)))) for cells in (["abcd", "ab", "abcde"], ["abcd"] * 3, [""] * 2)]
    assert uneven == [6, 10, 6]


def test_what_is_not_there_is_told_from_what_is_empty():
    assert presence(pl.Series(["", None, "a"])).to_list() == ["false", "true", "false"]


def test_lists_and_structs_become_plain_columns():
    cells = pl.Series([{"a": 1, "b": [3, 4]}, {"a": 2, "b": []}])
    assert [leaf.to_list() for leaf in leaves_of(cells)][:4] == [[1, 2], [2, 0], [3, None], [4, None]]
    assert len(leaves_of(pl.Series([{f"f{i}": i for i in range(100)}]))) == MOST_LEAVES
    assert leaves_of(pl.Series([[7, 8]], dtype=pl.Array(pl.Int64, 2)))[1].to_list() == [7]
