"""What all sources share. Their laws, for every format, are in tests/contract/test_sources.py."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl
import pytest

from shoal.errors import DataError
from shoal.io.source import CHANGED, FileSource, Source, Stretch, file_sha256


class Lines(Source):
    """Rows on these lines, in stretches of two."""

    name, columns = "lines", ("a",)  # type: ignore[assignment]

    def __init__(self, lines: list[int]) -> None:
        self.lines = lines

    def _read(self, names: Sequence[str] | None, most: int | None) -> Iterator[Stretch]:
        for first in range(0, len(self.lines), 2):
            part = self.lines[first : first + 2]
            yield Stretch(pl.DataFrame({"a": part}), first, np.array(part))


def test_stretches_are_joined_and_lines_are_a_range_where_they_can_be() -> None:
    assert Lines([2, 3, 4, 5, 6]).held().lines == range(2, 7)
    table = Lines([2, 3, 5, 9]).held()
    assert [table.line_of(row) for row in range(4)] == table.frame["a"].to_list() == [2, 3, 5, 9]


def test_the_first_rows_end_within_a_stretch() -> None:
    parts = list(Lines([2, 3, 4, 5, 6]).stretches(most=3))
    assert [(part.frame["a"].to_list(), part.lines.tolist() if part.lines is not None else None) for part in parts] == [
        ([2, 3], [2, 3]),
        ([4], [4]),
    ]


class Plain(FileSource):
    columns = ("a",)  # type: ignore[assignment]

    def _read(self, names: Sequence[str] | None, most: int | None) -> Iterator[Stretch]:
        yield Stretch(pl.DataFrame({"a": [path.read_text() for path in self.files]}), 0)
        raise DataError("its own words")


def test_an_error_of_a_file_that_was_changed_is_that_it_was_changed(tmp_path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "t"
    path.write_text("one")
    source = Plain("t", [path])
    assert source.sha256() == file_sha256(path)
    with pytest.raises(DataError, match="its own words"):
        list(source.stretches())
    path.write_text("other")
    for act in (source.sha256, source.check_unchanged, lambda: list(source.stretches())):
        with pytest.raises(DataError) as caught:
            act()
        assert str(caught.value) == CHANGED.format("t")
