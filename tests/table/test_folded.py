"""Folding keeps every value, every count, and says where rows are."""

from __future__ import annotations

from collections import Counter

import numpy as np
import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from shoal.table import Table
from shoal.table.folded import fold_table

CELLS = st.sampled_from(["a", "b", None])


@given(st.lists(st.tuples(CELLS, CELLS, CELLS), min_size=1, max_size=30))
def test_kinds_are_the_different_rows_with_their_numbers(rows: list[tuple[str | None, ...]]) -> None:
    frame = pl.DataFrame(rows, schema={"x": pl.String, "y": pl.String, "z": pl.String}, orient="row")
    folded, kind_of_row = fold_table(Table(frame), ["x", "z"])
    texts = [
        [None if code < 0 else column.values[int(code)] for code in column.codes] for column in folded.coded.values()
    ]
    kinds = list(zip(*texts, strict=True))
    wanted = Counter((x, z) for x, _, z in rows)
    assert dict(zip(kinds, folded.rows.tolist(), strict=True)) == dict(wanted)
    assert [kinds[kind] for kind in kind_of_row] == [(x, z) for x, _, z in rows]
    for name, column in folded.coded.items():
        whole = Table(frame).coded(name)
        assert column.counts().tolist() == whole.counts().tolist()
        assert column.n_missing == whole.n_missing
    assert folded.columns == ("x", "y", "z")
    assert folded.n_rows == len(rows)


def test_it_names_the_lines_of_some_values() -> None:
    table = Table(pl.DataFrame({"x": ["a", "b", None, "a"]}), lines=np.array([2, 3, 5, 9]))
    folded, _ = fold_table(table, ["x"])
    assert folded.where("x", [0]) == "lines 2, 9"
    assert folded.where("x", [-1]) == "line 5"
