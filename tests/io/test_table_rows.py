"""What all databases share whose rows pass in stretches."""

from __future__ import annotations

import polars as pl
import pytest

from shoal.errors import DataError, NotAnonymous
from shoal.io.releases import csv_sha256
from shoal.io.table_rows import RowHash, check_plain, check_told, told_of

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


def test_cells_without_a_text_are_refused() -> None:
    check_plain(FRAME, "it")
    for cells in ([[1, 2]], [b"x"]):
        with pytest.raises(DataError, match=r"column 'odd' .* --engine memory"):
            check_plain(pl.DataFrame({"a": ["x"], "odd": cells}), "it")
