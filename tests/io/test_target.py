"""What tells rows from others as they pass."""

from __future__ import annotations

import polars as pl
import pytest

from shoal.errors import NotAnonymous
from shoal.io import csv_sha256
from shoal.io.target import RowHash, check_told, told_of, without_categories

FRAME = pl.DataFrame({"a": ["x", None, "", 'q"'], "b": [0.5, None, -0.0, 3.0]})


def test_the_hash_of_stretches_is_that_of_the_whole() -> None:
    told = RowHash()
    for piece in FRAME.iter_slices(2):
        assert told.add(piece) is piece
    assert told.hexdigest() == csv_sha256(FRAME) == told_of(iter([FRAME]))


@pytest.mark.parametrize(
    "other", [FRAME[:3], pl.concat([FRAME, FRAME[:1]]), FRAME[::-1], FRAME.with_columns(a=pl.lit("x")), FRAME.rename({"a": "c"})]
)
def test_other_rows_are_found_out(other: pl.DataFrame) -> None:
    check_told(iter([FRAME[:1], FRAME[1:]]), told_of(iter([FRAME])))
    with pytest.raises(NotAnonymous, match="other rows"):
        check_told(iter([other]), told_of(iter([FRAME])))


@pytest.mark.parametrize("cells", [[[1, 2], None, []], [b"x", None, b"\xff"], [{"a": 1.5}, None, {"a": None}]])
def test_cells_without_a_text_are_told_apart_too(cells: list[object]) -> None:
    frame = pl.DataFrame({"a": ["x", "y", "z"], "odd": cells})
    check_told(frame.iter_slices(1), told_of([frame]))
    with pytest.raises(NotAnonymous, match="other rows"):
        check_told(iter([frame.with_columns(pl.col("odd").reverse())]), told_of([frame]))


def test_categories_are_texts_also_inside_lists() -> None:
    enum = pl.Enum(["a", "Zaphod"])
    for dtype, plain in ((enum, pl.String), (pl.List(enum), pl.List(pl.String)), (pl.Struct({"x": enum}), pl.Struct({"x": pl.String}))):
        cells = {pl.List: [["a"]], pl.Struct: [{"x": "a"}]}.get(dtype.base_type(), ["a"])
        assert without_categories(pl.Series(cells, dtype=dtype)).dtype == plain
