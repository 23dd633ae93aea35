"""From a row's texts to its kind."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.clock import Clock
from shoal.encode import encode_folded
from shoal.engines.driver import choose
from shoal.engines.memory import InMemory
from shoal.engines.recipe import KindFinder, Recipe
from shoal.errors import DataError
from shoal.policy.given import make_policy
from shoal.table import Table
from shoal.table.folded import fold_table
from shoal.text.cells import as_text


@given(st.lists(st.tuples(st.sampled_from(["a", "b", "", None]), st.integers(0, 5), st.sampled_from([None, 0.5, -0.0, 0.0])), min_size=1))
def test_every_row_is_found_where_it_was_folded(rows: list[tuple[object, ...]]) -> None:
    table = Table(pl.DataFrame(rows, schema={"x": pl.String, "y": pl.Int64, "z": pl.Float64}, orient="row"))
    folded, kind_of_row = fold_table(table, ["x", "y", "z"])
    finder = KindFinder(list(folded.coded.values()))
    assert np.array_equal(finder.find([as_text(table.frame[name]) for name in "xyz"]), kind_of_row)


def test_numbers_of_more_than_63_bits_are_cut() -> None:
    rng = np.random.default_rng(0)
    frame = pl.DataFrame({f"c{j}": [str(v) for v in rng.integers(0, 500, 900)] for j in range(12)})
    folded, kind_of_row = fold_table(Table(frame), frame.columns)
    finder = KindFinder(list(folded.coded.values()))
    assert finder.cuts
    assert np.array_equal(finder.find(list(frame.iter_columns())), kind_of_row)


@pytest.mark.parametrize("row", [("a", "y"), ("b", "x"), ("c", "x"), (None, "x")])
def test_a_row_that_was_not_there_when_it_was_folded_is_an_error_without_its_cells(row: tuple[str | None, str]) -> None:
    """The input changed between two passes."""
    table = Table(pl.DataFrame({"p": ["a", "b"], "q": ["x", "y"]}))
    finder = KindFinder(list(fold_table(table, ["p", "q"])[0].coded.values()))
    with pytest.raises(DataError, match="changed while it was read") as caught:
        finder.find([pl.Series([row[0]], dtype=pl.String), pl.Series([row[1]])])
    assert not any(repr(cell) in str(caught.value) for cell in row)


@pytest.mark.parametrize("stretch", [1, 7, 1000])
@pytest.mark.parametrize("withhold", [0.0, 0.1])
def test_rows_that_are_dealt_in_stretches_are_those_of_the_whole_table(stretch: int, withhold: float) -> None:
    rng = np.random.default_rng(2)
    frame = pl.DataFrame(
        {
            "age": [str(v) for v in rng.integers(20, 30, 150)],
            "town": rng.choice(["A", "B"], 150),
            "name": [f"n{i}" for i in range(150)],
            "x": range(150),
        }
    )
    table = Table(frame)
    policy = make_policy(None, k=4, quasi_identifiers=["age", "town"], identifiers=["name"], keep=["x"], withhold=withhold)
    rows = InMemory(table)
    folded = rows.fold(["age", "town"])
    encoding = encode_folded(folded, policy)
    story = choose(encoding, policy, Clock())
    recipe = Recipe(folded, encoding, story.solution, frozenset({"name"}))
    rows.apply(recipe)
    deal = recipe.dealer()
    parts = [deal(frame[at : at + stretch]) for at in range(0, frame.height, stretch)]
    assert pl.concat([released for released, _ in parts]).equals(rows.frame)
    assert np.array_equal(np.flatnonzero(np.concatenate([kept for _, kept in parts])), rows.kept)
    with pytest.raises(DataError, match="changed while it was read"):
        deal(frame[:1])  # once more than there are
