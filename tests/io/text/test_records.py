"""Delimited text: every cell as it stood, every row with its line."""

from __future__ import annotations

import io
import tempfile

import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from shoal.errors import DataError
from shoal.io import read
from shoal.io.sources.text import TextSource
from shoal.io.text import records as csv
from shoal.table import Table
from tests.io.verified import write
from tests.naive import records as naive

MARKER = "Zaphod"
TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=6)
TRICKY = st.text(st.sampled_from("ab \",;\t|\r\n'=é🐟"), max_size=6)


def parse(data: bytes, name: str, delimiter: str | None = None) -> Table:
    """The table in a text, by the name that it has in messages."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        with TextSource(file.name, delimiter, name=name) as source:
            return source.held()


def rows_of(text: str | bytes, **options: str) -> list[tuple[str | None, ...]]:
    return parse(text if isinstance(text, bytes) else text.encode(), "f.csv", **options).frame.rows()


@st.composite
def tables(draw, cell):
    names = draw(st.lists(cell.filter(lambda name: name.strip() and not name.startswith("\ufeff")), min_size=1, max_size=4, unique=True))
    rows = draw(st.lists(st.tuples(*[st.none() | cell for _ in names]), min_size=1, max_size=6))
    return pl.DataFrame(rows, schema=dict.fromkeys(names, pl.String), orient="row")


@given(tables(TEXT | TRICKY), st.sampled_from(",;\t|"))
@example(pl.DataFrame({"a": [None, None]}, schema={"a": pl.String}), ",")
@example(pl.DataFrame({"a": ["", None, "\r", "\n", '"', " x "]}), ",")
def test_any_table_of_texts_comes_back_as_it_was(tmp_path_factory, frame, delimiter):
    """But for NUL characters, which no table holds, and a header whose first name begins with a byte-order mark."""
    path = tmp_path_factory.mktemp("round") / "t.csv"
    write(frame, path, delimiter=delimiter)
    back = read(path, delimiter=delimiter)
    assert back.frame.equals(frame)


@given(tables(TRICKY), st.sampled_from(["\n", "\r\n", "\r"]))
def test_reading_agrees_with_its_naive_twin(frame, line_end):
    out = io.StringIO()
    quoted = [[None if c is None else '"' + c.replace('"', '""') + '"' for c in row] for row in [tuple(frame.columns), *frame.rows()]]
    out.write("".join(",".join(c or "" for c in row) + line_end for row in quoted))
    text = out.getvalue()
    table = parse(text.encode(), "f.csv", ",")
    expected = naive.records(text, ",")
    assert [list(row) for row in table.frame.rows()] == [row for _, row in expected[1:]]
    assert [table.line_of(i) for i in range(table.n_rows)] == [line for line, _ in expected[1:]]


def test_cells_stay_texts_as_they_stood():
    assert rows_of("zip,n\n007,1e3\n 7 ,TRUE\n") == [("007", "1e3"), (" 7 ", "TRUE")]


def test_an_empty_cell_is_missing_and_an_empty_quoted_one_is_not():
    assert rows_of('a,b,c\n,"",x\n') == [(None, "", "x")]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_any_line_end_is_taken(end):
    table = parse(end.join(["a,b", "1,2", "3,4"]).encode(), "f.csv")
    assert table.frame.rows() == [("1", "2"), ("3", "4")]
    assert [table.line_of(0), table.line_of(1)] == [2, 3]


def test_quoted_cells_hold_delimiters_quotes_and_line_ends():
    table = parse(b'a,b\n"x, ""y""\r\nz",1\n2,3\n', "f.csv")
    assert table.frame.rows() == [('x, "y"\r\nz', "1"), ("2", "3")]
    assert table.where([0, 1]) == "lines 2, 4"


def test_quotes_inside_an_unquoted_cell_are_text():
    assert rows_of('a,b\n5" pipe,x\n') == [('5" pipe', "x")]


def test_a_last_line_without_an_end_and_a_last_empty_cell():
    assert rows_of("a,b\n1,") == [("1", None)]
    assert rows_of("a,b\n1,2") == [("1", "2")]


def test_empty_lines_are_skipped_and_counted_in_line_numbers():
    table = parse(b"\n\na,b\n\n1,2\n\n\n3,4\n\n", "f.csv")
    assert table.frame.rows() == [("1", "2"), ("3", "4")]
    assert table.where([0, 1]) == "lines 5, 8"
    assert table.notes == ("4 empty lines of 'f.csv' were skipped.",)


def test_in_one_column_an_empty_line_is_a_missing_cell():
    assert rows_of("a\n1\n\n2\n") == [("1",), (None,), ("2",)]


@pytest.mark.parametrize("mark", list(csv.DELIMITERS))
def test_delimiters_are_found_out(mark):
    text = mark.join(["name", "city", "price"]) + "\n" + mark.join(['"a,b;c|d\te"', "Köln", "1"]) + "\n"
    assert rows_of(text) == [("a,b;c|d\te", "Köln", "1")]


def test_decimal_commas_do_not_make_a_comma_the_delimiter():
    assert rows_of("a;b, rounded\n1,5;2,5\n3,5;4,5\n") == [("1,5", "2,5"), ("3,5", "4,5")]


@given(st.integers(2, 4), st.lists(st.text("ab ,;|\t", max_size=5), min_size=4, max_size=24), st.sampled_from(list(csv.DELIMITERS)))
def test_the_writers_delimiter_is_found_out_whatever_the_cells_hold(tmp_path_factory, q, cells, mark):
    columns = {f"c{j}": cells[j :: len(cells) // q][: len(cells) // q] for j in range(q)}
    n = min(map(len, columns.values()))
    frame = pl.DataFrame({name: column[:n] for name, column in columns.items()})
    path = tmp_path_factory.mktemp("found") / "t.csv"
    write(frame, path, delimiter=mark)
    assert read(path).frame.equals(frame)


def test_a_first_line_may_announce_the_delimiter():
    table = parse(b"sep=;\r\na;b,c\r\n1;2,3\r\n", "f.csv")
    assert table.columns == ["a", "b,c"]
    assert table.where([0]) == "line 3"


def test_a_delimiter_that_is_given_is_taken():
    assert rows_of("a;b\n1;2\n", delimiter=",") == [("1;2",)]
    assert rows_of("a b\n1 2\n", delimiter=" ") == [("1", "2")]
    with pytest.raises(DataError, match="one character"):
        rows_of("a\n1\n", delimiter="::")


def test_one_row_and_one_column_are_a_table():
    table = parse(b"a\nx\n", "f.csv")
    assert table.frame.rows() == [("x",)]
    assert table.columns == ["a"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'f.csv' is empty"),
        ("\r\n\n", "'f.csv' is empty"),
        ("a,b\n", "has a header and no rows"),
        (f"a,b\n{MARKER}\n1,2\n3,{MARKER},5\n", "2 of 3 rows do not have the header's 2 cells: line 2 has 1, line 4 has 3"),
        ("a,b\n" + f"{MARKER}\n" * 30, "30 of 30 rows .* line 6 has 1 and 25 more lines differ"),
        ("a,b,a,b\n1,2,3,4\n", "line 1: columns 1, 3, columns 2, 4 of the header share a name"),
        (",b,\n1,2,3\n", "line 1: columns 1, 3 have no name in the header"),
        ("a,b\n1,2\n3," + f'"{MARKER}\n\n', "line 3: a quoted cell begins here and never ends"),
        ("a,b\n1,2\n" + f'"{MARKER}"x,2\n', "line 3: text follows a closing quote"),
        ("a\n" + f'"{MARKER}', "line 2: a quoted cell begins here and never ends"),
    ],
)
def test_bad_text_is_refused_by_line_and_without_cells(text, message):
    with pytest.raises(DataError, match=message) as caught:
        rows_of(text)
    assert MARKER not in str(caught.value)
    assert caught.value.__cause__ is None


def test_a_quote_that_was_left_open_is_told_with_the_line_where_its_cell_begins(tmp_path):
    """The next quote of the file closes it, lines later, and there is nothing to see there."""
    path = tmp_path / "t.csv"
    path.write_text('a,b\n1,2\n3,"4\n5,6\n7,"8"\n')
    with pytest.raises(DataError, match="line 3: a quoted cell begins here, and text follows the quote that ends it in line 5"):
        read(path)
