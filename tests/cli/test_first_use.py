"""What a new user runs into: each of these was met by one."""

from __future__ import annotations

import json
import stat

import polars as pl
import pytest

import shoal as library
from tests.cli.conftest import MARKER
from tests.columns.hospital import stays

QI = ("--qi", "age", "--qi", "zip", "--qi", "job")


def test_a_policy_that_asks_for_diversity_of_nothing_is_refused(shoal, people, tmp_path):
    policy = tmp_path / "p.toml"
    for line in ("l_diversity = 3", "t_closeness = 0.2"):
        policy.write_text(f'k = 4\n{line}\n[columns.age]\nrole = "quasi-identifier"\n')
        answer = shoal("anonymize", people, "-o", tmp_path / "o.csv", "--policy", policy)
        assert answer.status == 2
        assert "line 2" in answer.err
        assert "sensitive" in answer.err


@pytest.mark.parametrize("command", ["anonymize", "verify", "measure", "assess", "suggest"])
def test_a_file_without_a_header_does_not_print_a_row(shoal, tmp_path, command):
    table = tmp_path / "nohead.csv"
    table.write_text("".join(f"{MARKER},{i % 3},nurse,{81000 + i % 2}\n" for i in range(20)))
    calls = {
        "anonymize": ("anonymize", table, "-o", tmp_path / "o.csv", "--qi", "age"),
        "verify": ("verify", table, table, "-k", 2, "--qi", "age"),
        "measure": ("measure", table, table, "--qi", "age"),
        "assess": ("assess", table),
        "suggest": ("hierarchy", "suggest", table, "-o", tmp_path / "h"),
    }
    answer = shoal(*calls[command])
    assert answer.status == 2
    assert "header" in answer.err
    assert MARKER not in answer.out + answer.err


def test_a_star_stands_for_missing_cells_too(shoal, tmp_path):
    table = tmp_path / "gaps.csv"
    rows = [f"{20 + i % 13}" for i in range(40)] + [""] * 8
    table.write_text("age,sex\n" + "".join(f"{age},{'f' if i % 2 else 'm'}\n" for i, age in enumerate(rows)))
    asked = ("--qi", "age", "--qi", "sex")
    assert shoal("anonymize", table, "-o", tmp_path / "o.csv", "-k", 4, *asked, "--record", tmp_path / "m.json").status == 0
    record = json.loads((tmp_path / "m.json").read_text())
    said = json.loads(shoal("measure", table, tmp_path / "o.csv", *asked, "--json").out)
    for name, value in record["measures"].items():
        assert said["measures"][name]["total"] == pytest.approx(value["total"], abs=1e-6), name


def test_where_all_may_be_withheld_one_group_stays(shoal, people, tmp_path):
    answer = shoal("anonymize", people, "-o", tmp_path / "o.csv", "-k", 4, *QI, "--withhold", 1)
    assert answer.status == 0
    assert len((tmp_path / "o.csv").read_text().splitlines()) >= 1 + 4


def test_a_release_with_withheld_rows_is_compared_in_order(shoal, people, tmp_path):
    out = tmp_path / "o.csv"
    assert shoal("anonymize", people, "-o", out, "-k", 3, *QI, "--withhold", 0.1).status == 0
    answer = shoal("verify", people, out, "-k", 3, *QI)
    assert answer.status == 0
    assert "covers its original one" in answer.out
    assert "NOT PROTECTED: ill, note" in answer.out


def test_files_for_the_owner_can_be_read_by_nobody_else(shoal, people, tmp_path):
    assert shoal("anonymize", people, "-o", tmp_path / "o.csv", "-k", 4, *QI, "--proof", tmp_path / "p.bin").status == 0
    assert (
        shoal(
            "cluster", people, "-o", tmp_path / "c.csv", "--method", "gather", "-r", 5, "--qi", "age", "--members", tmp_path / "m.csv"
        ).status
        == 0
    )
    for name in ("p.bin", "m.csv"):
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600


def test_a_forgotten_name_is_not_released_without_a_word(shoal, tmp_path):
    """A column that names people and has no role stops the run, unless it is kept on purpose."""
    table = tmp_path / "t.csv"
    table.write_text("name,age\n" + "".join(f"Person {i},{20 + i % 5}\n" for i in range(40)))
    answer = shoal("anonymize", table, "-o", tmp_path / "o.csv", "-k", 4, "--qi", "age")
    assert answer.status == 2
    assert "'name'" in answer.err
    for way in ("--identifier", "--qi", "--keep", "keep=['name']"):
        assert way in answer.err
    assert not (tmp_path / "o.csv").exists()
    assert shoal("anonymize", table, "-o", tmp_path / "o.csv", "-k", 4, "--qi", "age", "--keep", "name").status == 0
    assert "Person 7" in (tmp_path / "o.csv").read_text()


def test_marks_of_missing_cells_are_missing(shoal, tmp_path):
    """NA and * are not values, if the user says so; the release leaves those cells empty and verify reads it with the same flags."""
    table = tmp_path / "t.csv"
    table.write_text("age,job\n" + "".join(f"{20 + i % 15 if i % 9 else 'NA'},{'cook' if i % 7 else '*'}\n" for i in range(90)))
    flags = ("-k", 3, "--qi", "age", "--qi", "job", "--missing-value", "NA", "--missing-value", "*")
    answer = shoal("anonymize", table, "-o", tmp_path / "o.csv", *flags)
    assert (answer.status, "intervals of" in answer.out) == (0, True)
    assert "NA" not in (tmp_path / "o.csv").read_text()
    assert shoal("verify", table, tmp_path / "o.csv", *flags).status == 0


def test_one_stray_word_among_numbers_is_told_with_its_line(shoal, tmp_path):
    table = tmp_path / "t.csv"
    table.write_text("age\n" + "".join(f"{20 + i % 15}\n" for i in range(60)) + f"{MARKER}\n" * 4)
    answer = shoal("anonymize", table, "-o", tmp_path / "o.csv", "-k", 4, "--qi", "age")
    assert answer.status == 0
    assert "1 of 16 values are not numbers like the rest (lines 62" in answer.out
    assert MARKER not in answer.out


def test_codes_are_no_numbers_to_a_clustering(shoal, tmp_path):
    table = tmp_path / "t.csv"
    table.write_text("zip,age\n" + "".join(f"0{1000 + i % 7},{20 + i % 9}\n" for i in range(40)))
    assert shoal("cluster", table, "-o", tmp_path / "c.csv", "--method", "gather", "-r", 5, "--qi", "zip", "--qi", "age").status == 0
    shown = set(pl.read_csv(tmp_path / "c.csv", infer_schema=False)["zip"])
    assert all(text.startswith("0") and len(text) == 5 for text in shown)


def test_centres_that_are_people_are_announced(shoal, people, tmp_path):
    answer = shoal("cluster", people, "-o", tmp_path / "c.csv", "--method", "gather", "-r", 5, "--centers", "input", "--qi", "age")
    assert answer.status == 0
    assert "CENTRES ARE REAL ROWS" in answer.out


def test_one_text_for_a_list_of_columns_is_explained():
    with pytest.raises(library.PolicyError, match="Give a list"):
        library.anonymize(pl.DataFrame({"age": ["1", "2"]}), k=2, quasi_identifiers="age")


def test_a_delimiter_and_an_encoding_can_be_given(shoal, tmp_path):
    table = tmp_path / "t.csv"
    table.write_bytes("größe|ort\n".encode("cp850") + b"".join(f"{i % 4}|x\n".encode("cp850") for i in range(12)))
    answer = shoal("anonymize", table, "-o", tmp_path / "o.csv", "-k", 3, "--qi", "größe", "--delimiter", "|", "--encoding", "cp850")
    assert answer.status == 0, answer.err


def test_a_mistyped_command_gets_a_hint(shoal):
    answer = shoal("anonymise", "x.csv")
    assert answer.status == 2
    assert "Did you mean 'anonymize'" in answer.err


def test_a_mark_among_numbers_is_asked_about(shoal, tmp_path):
    """The flag to paste is in the note."""
    table = tmp_path / "t.csv"
    table.write_text("age\n" + "".join(f"{20 + i % 15}\n" for i in range(60)) + "NA\n" * 4)
    answer = shoal("anonymize", table, "-o", tmp_path / "o.csv", "-k", 4, "--qi", "age")
    assert answer.status == 0
    assert "--missing-value NA" in " ".join(answer.out.split())


def test_several_rows_of_one_patient_are_said_before_everything_else(shoal, tmp_path):
    """``init`` and the two commands it prints, unchanged, made groups of fewer than five patients that were called 5-anonymous."""
    (table := tmp_path / "stays.csv").write_text(stays().write_csv())
    said = shoal("init", table, "-o", tmp_path / "p.toml").out
    assert said.startswith("SEVERAL ROWS OF ONE PERSON? 'PatNr' has 150 different values")
    asked = ("--policy", tmp_path / "p.toml", "--effort", 0.1)
    answer = shoal(
        "anonymize", table, "-o", tmp_path / "r.csv", *asked, "--record", tmp_path / "m.json", "--owner-report", tmp_path / "o.html"
    )
    assert answer.status == 0
    assert json.loads((tmp_path / "m.json").read_text())["people"]["fewest"] >= 5
    assert shoal("verify", table, tmp_path / "r.csv", "--policy", tmp_path / "p.toml").status == 0


def test_a_summary_and_an_assessment_begin_with_rows_of_one_patient(shoal, tmp_path):
    (table := tmp_path / "stays.csv").write_text(stays().drop("Bemerkung").write_csv())
    asked = ("--qi", "PLZ", "--qi", "Geschlecht")
    dropped = ("--identifier", "Name", "--identifier", "PatNr", "--sensitive", "Diagnose", "-k", 5, "--effort", 0.1)
    lines = shoal("anonymize", table, "-o", tmp_path / "r.csv", *asked, *dropped).out.splitlines()
    assert lines[:2] == ["5-anonymous in PLZ, Geschlecht. Released as they are: Diagnose, Geburtsdatum, Aufnahme, Ort, Gewicht.", lines[1]]
    assert lines[3].startswith("  K COUNTS ROWS: 'PatNr' has 150 different values in ")
    assert shoal("assess", table, *asked).out.startswith("ROWS ARE COUNTED, NOT PEOPLE: 'PatNr' has 150 different values")
    assert "PatNr' has" not in shoal("assess", table, *asked, "--person", "PatNr").out
    assert shoal("assess", table).out.startswith("SEVERAL ROWS OF ONE PERSON? 'PatNr' has 150 different values")
