"""The same options in every command that reads a table."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

ROWS = [("30", "Köln"), ("30", "Köln"), ("41", "Köln"), ("41", "Köln"), ("30", "Bonn"), ("30", "Bonn"), ("NA", "Bonn"), ("NA", "Bonn")]
HOW = ("--delimiter", "^", "--encoding", "cp850")


@pytest.fixture
def odd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A table whose delimiter and encoding cannot be found out."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "odd.csv"
    path.write_bytes("".join(f"{age}^{town}^{i % 2}\n" for i, (age, town) in enumerate([("age", "town"), *ROWS])).encode("cp850"))
    path.write_bytes(path.read_bytes().replace(b"age^town^0", b"age^town^ill"))
    return path


@pytest.mark.parametrize(
    "command",
    [
        ("init", "odd.csv"),
        ("assess", "odd.csv", "--qi", "age,town"),
        ("explore", "odd.csv", "--qi", "age,town", "-k", "2"),
        ("anonymize", "odd.csv", "-o", "r.csv", "-k", "2", "--qi", "age,town"),
        ("verify", "odd.csv", "odd.csv", "-k", "2", "--qi", "age,town", "--release-encoding", "cp850"),
        ("measure", "odd.csv", "odd.csv", "--qi", "age,town", "--release-encoding", "cp850"),
        ("read", "odd.csv", "--qi", "age,town", "--count", "town=Köln"),
        ("cluster", "odd.csv", "-o", "c.csv", "-r", "2", "--qi", "town"),
        ("hierarchy", "suggest", "odd.csv", "-o", "h"),
        ("hierarchy", "show", "--table", "odd.csv", "--column", "town"),
    ],
    ids=lambda command: " ".join(command[:2]),
)
def test_a_file_with_an_odd_delimiter_and_encoding_is_read_by_every_command(shoal, odd, command):
    answer = shoal(*command, *HOW)
    assert answer.status == 0, answer.err


def test_the_files_of_hierarchies_are_checked_against_such_a_table(shoal, odd):
    assert shoal("hierarchy", "suggest", "odd.csv", "-o", "h", "--column", "town", *HOW).status == 0
    assert shoal("hierarchy", "check", "odd.csv", "h", *HOW).status == 0
    assert shoal("hierarchy", "complete", "odd.csv", "h", *HOW).status == 0
    assert shoal("hierarchy", "monotone", "h/town.csv", "--table", "odd.csv", "-o", "m.csv", *HOW).status == 0


def test_a_release_has_the_delimiter_of_its_original_and_its_own_encoding(shoal, odd):
    """A release is written in UTF-8, with the input's delimiter: the two options of the original are enough."""
    assert shoal("anonymize", "odd.csv", "-o", "r.csv", "-k", 2, "--qi", "age,town", *HOW).status == 0
    for command in (("verify", "-k", 2), ("measure",)):
        answer = shoal(*command, "odd.csv", "r.csv", "--qi", "age,town", *HOW)
        assert answer.status == 0, answer.err


def test_a_release_may_have_a_delimiter_of_its_own(shoal, odd):
    assert shoal("anonymize", "odd.csv", "-o", "r.csv", "-k", 2, "--qi", "age,town", "--output-delimiter", "\\t", *HOW).status == 0
    answer = shoal("verify", "-k", 2, "odd.csv", "r.csv", "--qi", "age,town", "--release-delimiter", "\\t", *HOW)
    assert answer.status == 0, answer.err


def test_what_is_counted_before_is_what_a_run_counts_before(shoal, odd):
    """Marks of missing cells, by flags or by a policy: the table is assessed as it is anonymized."""
    Path("p.toml").write_text(
        'k = 2\nmissing_values = ["NA", "41"]\n'
        + "".join(f'[columns.{name}]\nrole = "{role}"\n' for name, role in (("age", "quasi-identifier"), ("town", "sensitive")))
    )
    flags = ("--qi", "age", "--sensitive", "town", "--missing-value", "NA", "--missing-value", "41")
    by_flags = json.loads(shoal("assess", "odd.csv", *flags, "--json", *HOW).out)
    by_policy = json.loads(shoal("assess", "odd.csv", "--policy", "p.toml", "--json", *HOW).out)
    assert by_flags == by_policy
    assert shoal("anonymize", "odd.csv", "-o", "r.csv", "--policy", "p.toml", "--owner-report", "o.json", *HOW).status == 0
    before = json.loads(Path("o.json").read_text())["risk"]["before"]
    assert (by_policy["n_groups"], by_policy["n_unique"]) == (before["n_groups"], before["n_unique"]) == (2, 0)


def test_marks_of_missing_cells_in_a_release_are_read_as_missing(shoal, odd):
    answer = shoal("read", "odd.csv", "--qi", "town", "--mean", "age", "--missing-value", "NA", *HOW)
    assert answer.status == 0, answer.err
    assert "33.7" in answer.out
    assert shoal("read", "odd.csv", "--qi", "town", "--mean", "age", *HOW).status == 2


def test_a_column_that_is_not_there_is_reported_before_anything_else(shoal, people):
    """A slip in a name leaves columns without a role; these are not what is wrong."""
    text = people.read_text().splitlines()
    people.write_text("\n".join([f"{text[0]},name", *(f"{line},Ada Person{i}" for i, line in enumerate(text[1:]))]) + "\n")
    for command in (("anonymize", people, "-o", people.with_name("r.csv")), ("explore", people, "--quiet"), ("assess", people)):
        answer = shoal(*command, "--qi", "Age")
        assert answer.status == 2
        assert "has no column 'Age'" in answer.err
        assert "Did you mean 'age'?" in answer.err


@pytest.mark.parametrize("option", ["--qi", "--identifier", "--sensitive", "--keep"])
def test_options_that_take_columns_say_that_commas_are_allowed(shoal, option):
    words = " ".join(shoal("anonymize", "--help").out.split())
    assert "several with commas" in words.partition(f"{option} COL")[2].partition(" --")[0]


def test_a_name_with_a_comma_stands_in_quotes(shoal, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text('"Name, first",sex\n' + "".join(f"{'AB'[i % 2]},{'mf'[i % 2]}\n" for i in range(10)))
    answer = shoal("assess", path, "--qi", '"Name, first",sex', "--json")
    assert json.loads(answer.out)["quasi_identifiers"] == ["Name, first", "sex"]
