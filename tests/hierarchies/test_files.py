"""Hierarchy files: found, read, refused with line numbers."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.errors import HierarchyError
from shoal.hierarchies import from_file
from shoal.hierarchies.encode import encode
from shoal.hierarchies.files import find, read_lines, read_rows, read_tree, text_of


def written(folder: Path, content: str | bytes, name: str = "job.csv") -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize("mark", [";", ",", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_any_delimiter_line_end_and_byte_order_mark_is_read(tmp_path: Path, mark: str, end: str, bom: str) -> None:
    rows = [["nurse", "health", "*"], ["clerk", "office", "*"]]
    path = written(tmp_path, bom + end.join(mark.join(row) for row in rows) + end)
    assert read_rows(path) == rows


def test_quotes_are_read_and_empty_lines_skipped(tmp_path: Path) -> None:
    path = written(tmp_path, '"a; b";x;*\n\n"two\nlines";x;*\nc;y;*\n')
    rows, lines = read_lines(path)
    assert rows == [["a; b", "x", "*"], ["two\nlines", "x", "*"], ["c", "y", "*"]]
    assert lines == [1, 3, 5]


def test_a_comma_inside_labels_is_no_delimiter_where_there_are_semicolons(tmp_path: Path) -> None:
    assert read_rows(written(tmp_path, "20;[20, 30);*\n"))[0] == ["20", "[20, 30)", "*"]


def test_a_root_is_added_above_several_labels(tmp_path: Path) -> None:
    assert read_rows(written(tmp_path, "a;x\nb;y\n")) == [["a", "x", "*"], ["b", "y", "*"]]
    assert read_rows(written(tmp_path, "a\nb\n")) == [["a", "*"], ["b", "*"]]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "job.csv: The hierarchy is empty"),
        ("a;x;*\nb;*\n", r"job.csv: 1 of 2 lines does not have the 3 fields of the first one \(line 2\)"),
        ("a;x;*\nb;x;*\na;y;*\n", r"job.csv: A value is listed twice \(lines 1 and 3\)"),
        (
            "a;x;p;*\n\nb;x;q;*\n",
            r"job.csv: 'x' on level 1 has two parents on level 2: 'p' \(line 1\) and 'q' \(line 3\)",
        ),
        (b"\xff\xfea\x00;\x00", "is not UTF-8"),
        ('a;"x;*\nb;y;*\n', "quotation marks"),
    ],
)
def test_bad_files_are_refused_with_their_line(tmp_path: Path, content: str | bytes, message: str) -> None:
    path = written(tmp_path, content)
    with pytest.raises(HierarchyError, match=message):
        read_rows(path)
    with pytest.raises(HierarchyError, match=message):
        encode("job", ["a", "b"], False, from_file(path))


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(HierarchyError, match="There is no hierarchy file"):
        read_rows(tmp_path / "no.csv")
    with pytest.raises(HierarchyError, match="cannot be read"):
        read_rows(tmp_path)


def test_a_file_is_found_by_its_columns_name(tmp_path: Path) -> None:
    assert find(tmp_path, "age") is None
    written(tmp_path, "1;*\n", "adult_hierarchy_age.csv")
    written(tmp_path, "1;*\n", "old_hierarchy_average.csv")
    assert find(tmp_path, "age") == tmp_path / "adult_hierarchy_age.csv"
    written(tmp_path, "1;*\n", "age.csv")
    with pytest.raises(HierarchyError, match=r"2 hierarchies for it \(adult_hierarchy_age.csv, age.csv\)"):
        find(tmp_path, "age")
    with pytest.raises(HierarchyError, match="no folder"):
        find(tmp_path / "no", "age")


@given(
    rows=st.lists(
        st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1), min_size=1, unique=True
    )
)
def test_what_is_written_reads_back(tmp_path_factory: pytest.TempPathFactory, rows: list[str]) -> None:
    path = tmp_path_factory.mktemp("h") / "x.csv"
    made = [[value, f"g{len(value)}", "*"] for value in rows]
    path.write_bytes(text_of(made).encode())
    assert read_rows(path) == made


def test_a_label_is_a_name(tmp_path: Path) -> None:
    """'40-44' may stand for 41 to 45: what counts is which lines carry it."""
    path = written(tmp_path, "".join(f"{i};{'40-44' if i <= 45 else '45-49'};*\n" for i in range(41, 51)))
    tree = read_tree(path)
    assert [tree.labels[i] for i in tree.leaves_below(tree.labels.index("40-44"))] == ["41", "42", "43", "44", "45"]
