"""Tables in memory, as a case of the plan."""

from __future__ import annotations

import numpy as np
import polars as pl

from shoal.engines.memory import MEMORY, InMemory
from shoal.table import Table

TABLE = pl.DataFrame({"age": ["1", "2", "2", None], "notes": [[1], [2], [2], [3]]})


def test_it_takes_whatever_no_other_engine_wants() -> None:
    assert MEMORY.takes(None)  # type: ignore[arg-type]


def test_values_are_texts_with_counts_and_columns_without_texts_are_left_out() -> None:
    (age,) = InMemory(Table(TABLE)).values(["age", "notes"])
    assert age.values.to_list() == ["1", "2"]
    assert age.counts().tolist() == [1, 2]


def test_folding_remembers_the_kind_of_each_row() -> None:
    rows = InMemory(Table(TABLE))
    folded = rows.fold(["age"])
    assert folded.rows.sum() == 4
    assert np.array_equal(folded.coded["age"].codes[rows.kind_of_row], [0, 1, 1, -1])
