"""``shoal hierarchy``: suggest, check, complete, show, monotone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from shoal.hierarchies.files import read_rows
from tests.cli.conftest import MARKER, Answer
from tests.columns.hospital import stays

Shoal = Callable[..., Answer]


@pytest.fixture
def staff(tmp_path: Path) -> Path:
    """Forty rows: an age, a day, a place, a job of which three kinds are rare, a name that never repeats, an empty column."""
    lines = ["age;seen;zip;job;name;empty"]
    for i in range(40):
        job = ["nurse", "clerk", "cook"][i % 3] if i < 37 else f"rare{i}"
        lines.append(
            f"{20 + i};2024-{1 + i % 12:02d}-{1 + i % 28:02d};{80000 + 37 * i};{job};person {MARKER} {chr(65 + i // 26)}{chr(65 + i % 26)};"
        )
    path = tmp_path / "staff.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture
def folder(shoal: Shoal, staff: Path, tmp_path: Path) -> Path:
    assert shoal("hierarchy", "suggest", staff, "-o", tmp_path / "h").status == 0
    return tmp_path / "h"


def test_suggest_writes_a_file_for_each_column(shoal: Shoal, staff: Path, tmp_path: Path) -> None:
    answer = shoal("hierarchy", "suggest", staff, "-o", tmp_path / "new" / "h")
    assert (answer.status, answer.err) == (0, "")
    assert "age: intervals of" in answer.out
    assert "seen: dates by month, quarter" in answer.out
    assert "zip: prefixes of" in answer.out
    assert "job: 3 values as one group" in answer.out
    assert (
        "name: its name, and its values are texts, so it looks like an identifier (ask for it with --column), nothing written" in answer.out
    )
    assert "empty: no values, nothing written" in answer.out
    assert sorted(p.name for p in (tmp_path / "new" / "h").iterdir()) == ["age.csv", "job.csv", "seen.csv", "zip.csv"]
    assert MARKER not in answer.out


def test_what_suggest_wrote_is_usable(shoal: Shoal, staff: Path, folder: Path) -> None:
    assert shoal("hierarchy", "check", staff, folder).status == 0


def test_suggest_only_some_columns(shoal: Shoal, staff: Path, tmp_path: Path) -> None:
    assert shoal("hierarchy", "suggest", staff, "--column", "name", "--column", "age", "-o", tmp_path / "h").status == 0
    assert sorted(p.name for p in (tmp_path / "h").iterdir()) == ["age.csv", "name.csv"]


def test_suggest_overwrites_nothing_by_itself(shoal: Shoal, staff: Path, folder: Path) -> None:
    (folder / "job.csv").write_text("mine;*\n")
    answer = shoal("hierarchy", "suggest", staff, "-o", folder)
    assert answer.status == 2
    assert "is there already" in answer.err
    assert (folder / "job.csv").read_text() == "mine;*\n"
    assert shoal("hierarchy", "suggest", staff, "-o", folder, "--force").status == 0


def test_suggest_refuses_a_column_that_cannot_name_a_file(shoal: Shoal, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a/b,c\n1,2\n3,4\n")
    answer = shoal("hierarchy", "suggest", tmp_path / "t.csv", "-o", tmp_path / "h")
    assert answer.status == 2
    assert "cannot name a file" in answer.err
    assert not (tmp_path / "h").exists()


def test_suggest_refuses_a_star_with_its_line(shoal: Shoal, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(f"job\n{MARKER}\n*\n*\n")
    answer = shoal("hierarchy", "suggest", tmp_path / "t.csv", "-o", tmp_path / "h")
    assert answer.status == 2
    assert "Column 'job': 1 of 2 values looks like * (lines 3, 4)" in answer.err
    assert MARKER not in answer.out + answer.err


def test_a_column_that_is_not_there_is_refused(shoal: Shoal, staff: Path, folder: Path, tmp_path: Path) -> None:
    for command in (["suggest", staff, "-o", tmp_path / "x"], ["check", staff, folder], ["complete", staff, folder]):
        answer = shoal("hierarchy", *command, "--column", "colour")
        assert answer.status == 2
        assert "colour" in answer.err


class TestCheck:
    def test_lines_are_named_and_values_are_not(self, shoal: Shoal, tmp_path: Path) -> None:
        (tmp_path / "t.csv").write_text(f"job\nnurse\n{MARKER}\n{MARKER}\nclerk\n{MARKER}2\n")
        (tmp_path / "job.csv").write_text("nurse;health;*\nclerk;office;*\n")
        answer = shoal("hierarchy", "check", tmp_path / "t.csv", tmp_path)
        assert answer.status == 2
        assert "Column 'job': 2 of 4 values are not in its hierarchy (lines 3, 4, 6)" in answer.out
        assert MARKER not in answer.out + answer.err

    def test_every_column_is_reported(self, shoal: Shoal, staff: Path, folder: Path) -> None:
        (folder / "age.csv").write_text("20;x;*\n20;x;*\n")
        (folder / "zip.csv").write_text("1;*\n")
        answer = shoal("hierarchy", "check", staff, folder)
        assert answer.status == 2
        assert "age.csv: A value is listed twice (lines 1 and 2)" in answer.out
        assert "Column 'zip': 40 of 40 values are not in its hierarchy" in answer.out
        assert "seen: all 40 values are in seen.csv" in answer.out

    def test_a_folder_without_hierarchies_is_refused(self, shoal: Shoal, staff: Path, tmp_path: Path) -> None:
        (tmp_path / "none").mkdir()
        answer = shoal("hierarchy", "check", staff, tmp_path / "none")
        assert answer.status == 2
        assert "has no hierarchy for any column" in answer.err
        assert shoal("hierarchy", "check", staff, tmp_path / "not there").status == 2


class TestComplete:
    def test_numbers_get_their_intervals_and_words_the_root(self, shoal: Shoal, staff: Path, folder: Path) -> None:
        whole = {name: sorted(read_rows(folder / f"{name}.csv")) for name in ("age", "job", "zip")}
        for name, rows in whole.items():
            text = "".join(";".join(row) + "\n" for row in rows if row[0] not in ("30", "31", "nurse", "80000"))
            (folder / f"{name}.csv").write_text(text)
        assert shoal("hierarchy", "check", staff, folder).status == 2
        answer = shoal("hierarchy", "complete", staff, folder)
        assert answer.status == 0
        assert "age: 2 values added (" in answer.out
        assert "by intervals of" in answer.out
        assert "job: 1 value added (1 below '*')" in answer.out
        assert "seen: nothing is missing" in answer.out
        assert shoal("hierarchy", "check", staff, folder).status == 0
        assert sorted(read_rows(folder / "age.csv")) == whole["age"]
        assert sorted(read_rows(folder / "zip.csv")) == whole["zip"]

    def test_completed_files_go_to_another_folder_on_demand(self, shoal: Shoal, staff: Path, folder: Path, tmp_path: Path) -> None:
        (folder / "job.csv").write_text("nurse;health;*\n")
        assert shoal("hierarchy", "complete", staff, folder, "-o", tmp_path / "new").status == 0
        assert (folder / "job.csv").read_text() == "nurse;health;*\n"
        assert shoal("hierarchy", "check", staff, tmp_path / "new").status == 0

    def test_a_value_called_like_a_group_goes_into_it(self, shoal: Shoal, tmp_path: Path) -> None:
        (tmp_path / "t.csv").write_text("job\nnurse\nhealth\n")
        (tmp_path / "job.csv").write_text("nurse;health;*\ndoctor;health;*\nclerk;office;*\n")
        assert "job: 1 value added (1 below 'health')" in shoal("hierarchy", "complete", tmp_path / "t.csv", tmp_path).out
        assert read_rows(tmp_path / "job.csv")[-1] == ["health", "health", "*"]
        assert shoal("hierarchy", "check", tmp_path / "t.csv", tmp_path).status == 0

    def test_a_star_is_refused_and_the_file_stays(self, shoal: Shoal, tmp_path: Path) -> None:
        (tmp_path / "t.csv").write_text(f"job\nnurse\n*\n{MARKER}\n")
        (tmp_path / "job.csv").write_text("nurse;health;*\n")
        answer = shoal("hierarchy", "complete", tmp_path / "t.csv", tmp_path)
        assert answer.status == 2
        assert "1 of 3 values looks like * (line 3)" in answer.err
        assert MARKER not in answer.err
        assert (tmp_path / "job.csv").read_text() == "nurse;health;*\n"


class TestShow:
    def test_the_tree_is_drawn_with_counts(self, shoal: Shoal, tmp_path: Path) -> None:
        (tmp_path / "job.csv").write_text("nurse;health;*\ndoctor;health;*\nclerk;office;*\n")
        answer = shoal("hierarchy", "show", tmp_path / "job.csv")
        assert answer.out == "*  3 values\n├─ health  2 values\n│  ├─ nurse\n│  └─ doctor\n└─ clerk\n"

    def test_rows_are_counted_only_if_a_table_is_given(self, shoal: Shoal, tmp_path: Path) -> None:
        (tmp_path / "t.csv").write_text("job,x\nnurse,1\nnurse,1\n,1\nclerk,1\n")
        (tmp_path / "us_hierarchy_job.csv").write_text("nurse;health;*\ndoctor;health;*\nclerk;office;*\n")
        answer = shoal("hierarchy", "show", tmp_path / "us_hierarchy_job.csv", "--table", tmp_path / "t.csv")
        assert "*  4 values  4 rows" in answer.out
        assert "health  2 values  2 rows" in answer.out
        assert "(missing)  1 row" in answer.out

    def test_a_file_that_is_not_there_is_refused(self, shoal: Shoal, tmp_path: Path) -> None:
        answer = shoal("hierarchy", "show", tmp_path / "no.csv")
        assert answer.status == 2
        assert "There is no hierarchy file" in answer.err


def test_a_hierarchy_is_made_monotone_on_demand(shoal: Shoal, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("c\n" + "0\n1\n" + "2\n" * 50)
    (tmp_path / "c.csv").write_text("0;low;*\n1;low;*\n2;2;*\n")
    answer = shoal("hierarchy", "monotone", tmp_path / "c.csv", "--table", tmp_path / "t.csv", "-o", tmp_path / "m.csv")
    assert answer.status == 0
    assert answer.out.startswith("1 node taken out, 4 left")
    assert read_rows(tmp_path / "m.csv") == [["0", "0", "*"], ["1", "1", "*"], ["2", "2", "*"]]


def test_a_folder_that_cannot_be_made_is_refused(shoal: Shoal, staff: Path) -> None:
    answer = shoal("hierarchy", "suggest", staff, "-o", staff / "h")
    assert answer.status == 2
    assert "cannot be made" in answer.err


def test_what_a_column_gets_by_itself_is_shown_with_counts(shoal: Shoal, staff: Path) -> None:
    answer = shoal("hierarchy", "show", "--table", staff, "--column", "age", "--depth", 1)
    assert answer.status == 0
    assert answer.out.startswith("age: intervals of")
    assert "[20, 40)" in answer.out
    assert "20" in answer.out
    assert shoal("hierarchy", "show").status == 2
    assert shoal("hierarchy", "show", "--table", staff).status == 2


def test_marks_of_missing_cells_get_no_place_in_a_hierarchy(shoal: Shoal, tmp_path: Path) -> None:
    """* stopped the suggestion of all columns."""
    (tmp_path / "t.csv").write_text("age;job\n" + "".join(f"{20 + i};{'*' if i % 5 else 'cook'}\n" for i in range(40)))
    flags = ("--missing-value", "*")
    assert shoal("hierarchy", "suggest", tmp_path / "t.csv", "-o", tmp_path / "h").status == 2
    assert shoal("hierarchy", "suggest", tmp_path / "t.csv", "-o", tmp_path / "h", *flags).status == 0
    assert (tmp_path / "h" / "job.csv").read_text() == "cook;*\n"
    assert shoal("hierarchy", "check", tmp_path / "t.csv", tmp_path / "h", *flags).status == 0
    assert shoal("hierarchy", "complete", tmp_path / "t.csv", tmp_path / "h", *flags).status == 0


def test_suggest_writes_no_names_numbers_or_remarks_and_for_the_owner_alone(shoal: Shoal, tmp_path: Path) -> None:
    """Numbers of patients and remarks with their names lay in files that everybody could read."""
    (table := tmp_path / "stays.csv").write_text(stays("xq").write_csv())
    said = shoal("hierarchy", "suggest", table, "-o", tmp_path / "h").out
    written = {path.stem: path.stat().st_mode & 0o777 for path in (tmp_path / "h").iterdir()}
    assert not {"Name", "xq", "Bemerkung"} & set(written)
    assert {"PLZ", "Geschlecht", "Gewicht"} <= set(written)
    assert set(written.values()) == {0o600}
    assert "Bemerkung: it contains values of 'Name', so it looks like free text (ask for it with --column), nothing written" in said
    assert "so it looks like an identifier" in said
    assert f"These files hold values of {table}: only you can read them." in said


def test_a_completed_file_is_its_owners_unless_it_was_there(shoal: Shoal, staff: Path, folder: Path, tmp_path: Path) -> None:
    """What is added to it are values of the table as well."""
    lines = (folder / "job.csv").read_text().splitlines()
    (folder / "job.csv").write_text("\n".join(lines[1:]) + "\n")
    (folder / "job.csv").chmod(0o640)
    assert shoal("hierarchy", "complete", staff, folder, "--column", "job", "-o", tmp_path / "new").status == 0
    assert (tmp_path / "new" / "job.csv").stat().st_mode & 0o777 == 0o600
    assert shoal("hierarchy", "complete", staff, folder, "--column", "job").status == 0
    assert (folder / "job.csv").stat().st_mode & 0o777 == 0o640
