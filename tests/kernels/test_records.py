"""Records of delimited text, taken apart field by field."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.kernels import fill_records, measure_records
from tests.naive import records as naive

CELLS = st.none() | st.text(st.sampled_from('ab ,\r\n"é'), max_size=5)


def fields_of(text: str, n_fields: int) -> tuple[list[list[str | None]], list[int]]:
    """All records of a text, and the line on which each begins."""
    data = text.encode()
    fields, lines = fill_records(data, ",", measure_records(data, ",", n_fields=n_fields))
    columns = [
        [
            bytes(f.data[f.offset[i] : f.offset[i + 1]]).decode() if f.valid[i // 8] >> i % 8 & 1 else None
            for i in range(len(f.offset) - 1)
        ]
        for f in fields
    ]
    return [list(row) for row in zip(*columns, strict=True)], lines.tolist()


@given(st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=20), st.sampled_from(["\n", "\r\n", "\r"]))
def test_fields_and_lines_are_those_of_the_naive_reader(rows: list[tuple[str | None, ...]], end: str) -> None:
    quoted = [["" if cell is None else '"' + cell.replace('"', '""') + '"' for cell in row] for row in rows]
    text = "".join(",".join(row) + end for row in quoted)
    expected = naive.records(text, ",")
    assert fields_of(text, 2) == ([row for _, row in expected], [line for line, _ in expected])


def test_the_first_record_says_how_many_fields_there_are() -> None:
    found = measure_records(b"a,b,c\n1,2,3\n", ",", most=1)
    assert (found.n_fields, found.n_records, found.stop, found.line) == (3, 1, 6, 2)


def test_records_with_another_number_of_fields_are_noted_with_their_lines() -> None:
    found = measure_records(b"1,2\n3\n4,5,6\n", ",", n_fields=2)
    assert found.odd == ((2, 1), (3, 3))


def test_a_quote_that_never_ends_and_text_after_a_quote_are_found_with_their_lines() -> None:
    assert measure_records(b'1,2\n3,"4\n', ",", n_fields=2).unclosed == 2
    assert measure_records(b'1,2\n3,"4"5\n', ",", n_fields=2).stray == 2
    over = measure_records(b'1,2\n3,"4\n5,6\n7,"8"\n', ",", n_fields=2)
    assert (over.stray_from, over.stray) == (2, 4)


def test_only_even_records_are_taken_apart() -> None:
    text = b"1,2\n3\n"
    with pytest.raises(ValueError):
        fill_records(text, ",", measure_records(text, ",", n_fields=2))
    with pytest.raises(ValueError):
        fill_records(text, ",", measure_records(text, ",", most=1))
    with pytest.raises(ValueError):
        fill_records(b"10,20\n", ",", measure_records(b"1,2\n", ",", n_fields=2))
    with pytest.raises(IndexError):
        measure_records(text, ",", start=7)
