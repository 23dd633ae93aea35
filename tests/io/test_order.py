"""The order of the released rows tells nothing that the rows do not."""

import random

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.io.order import arranged

FRAME = pl.DataFrame(
    {
        "age": ["[20, 30)", "*", None, "[20, 30)", "[20, 30)"],
        "n": [2.0, float("nan"), -0.0, 0.0, None],
        "kind": pl.Series(["b", "a", "b", None, "a"], dtype=pl.Categorical),
        "list": [[2], [1], None, [1], [2]],
    }
)


def test_whatever_the_order_was_the_result_is_the_same():
    """An attacker who knows the order of the original learns nothing from that of the release."""
    made = {repr(arranged(FRAME[order]).rows()) for order in ([0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [2, 4, 0, 1, 3])}
    assert len(made) == 1


@given(st.lists(st.tuples(st.sampled_from(["a", "b", "", None]), st.sampled_from([1, 2, None])), min_size=1, max_size=12), st.randoms())
def test_the_rows_stay_and_are_sorted_by_the_first_column_then_the_next(rows: list[tuple[str | None, int | None]], chance: random.Random):
    frame = pl.DataFrame(rows, schema={"t": pl.String, "n": pl.Int64}, orient="row")
    mixed = frame[chance.sample(range(len(rows)), len(rows))]
    missing_last = sorted(rows, key=lambda row: [(cell is None, cell if cell is not None else 0) for cell in row])
    assert arranged(mixed).rows() == missing_last


def test_cells_that_a_reader_can_tell_apart_never_tie():
    zeros = pl.DataFrame({"x": [0.0, -0.0, float("nan"), None]})
    forward, backward = (arranged(f)["x"].to_list() for f in (zeros, zeros.reverse()))
    assert repr(forward) == repr(backward)


@pytest.mark.parametrize("empty", [pl.DataFrame({"a": []}), pl.DataFrame({"a": [None, None]})])
def test_tables_without_rows_or_values_stay_as_they_are(empty: pl.DataFrame):
    assert arranged(empty).equals(empty)


def test_many_columns_of_many_values_do_not_overflow():
    rng = random.Random(3)
    rows = [[rng.randrange(1000) for _ in range(12)] for _ in range(300)]
    frame = pl.DataFrame(rows, schema=[f"c{i}" for i in range(12)], orient="row")
    assert arranged(frame).rows() == sorted(map(tuple, rows))
