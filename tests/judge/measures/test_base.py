"""The second definition of every measure agrees with the first, on the labels of random hierarchies."""

from __future__ import annotations

import random

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal import hierarchies, measures, registry
from shoal.hierarchies.encode import encode
from shoal.judge.lexicon import Lexicon
from shoal.judge.measures.base import definition_of
from shoal.measures.base import Measure
from shoal.release.texts import from_encoded
from tests.measures.columns import as_sets, random_rows


@pytest.mark.parametrize("name", measures.CATALOG)
@given(seed=st.integers(0, 10**9), n_leaves=st.integers(1, 7), height=st.integers(1, 4), data=st.data())
def test_a_label_costs_what_the_solver_says(name: str, seed: int, n_leaves: int, height: int, data: st.DataObject) -> None:
    measure: Measure = registry.find(measures.CATALOG, name)
    rows = random_rows(random.Random(seed), n_leaves, height)
    counts = data.draw(st.lists(st.integers(1, 9), min_size=n_leaves, max_size=n_leaves))
    values = [row[0] for row in rows]
    made = encode("c", values, False, hierarchies.levels(rows))
    column = Lexicon(pl.Series("value", values), np.array(counts), from_encoded(made))
    code_of = dict(zip(values, made.code_of, strict=True))
    count = np.zeros(made.tree.n_leaves, dtype=np.int64)
    for text, n in zip(values, counts, strict=True):
        count[code_of[text]] = n
    senses = [column.everything(), *(column.block(*at) for places in column.named.values() for at in places)]
    sets = [sorted(code_of[column.leaves[int(place)]] for place in column.leaves_of(sense)) for sense in senses]
    second = definition_of(name)
    said = [second.recount(sense, column) for sense in senses]
    assert said == pytest.approx(measure.set_price(made.tree, count, as_sets(sets)).tolist(), abs=1e-9)
    if measure.offset is not None and second.recount_offset is not None:
        taken = dict(zip(column.leaves, second.recount_offset(column.count, column), strict=True))
        assert [taken[text] for text in values] == pytest.approx([measure.offset(made.tree, count)[code_of[text]] for text in values])


class Watched(Lexicon):
    """A column that counts how often somebody goes through all its values."""

    looked = 0

    @property
    def count(self) -> np.ndarray:  # type: ignore[override]
        self.looked += 1
        return self._count

    @count.setter
    def count(self, count: np.ndarray) -> None:
        self._count = count


@pytest.mark.parametrize("name", measures.CATALOG)
def test_a_column_of_many_values_is_not_gone_through_for_each_of_them(name: str) -> None:
    """Else a column of 100,000 values, such as exact incomes, takes minutes."""
    measure = definition_of(name)
    values = [str(i) for i in range(300)]
    made = encode("c", values, False, hierarchies.intervals(5, 50))
    column = Watched(pl.Series("value", values), np.arange(1, 301), from_encoded(made))
    senses = [column.block(*at) for places in column.named.values() for at in places]
    assert len(senses) > 60
    column.looked = 0
    for sense in senses:
        measure.recount(sense, column)
    if measure.recount_offset is not None:
        measure.recount_offset(column.count, column)
    assert column.looked <= 10
