"""``shoal read`` as a person runs it."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import polars as pl
import pytest


@pytest.fixture
def released(shoal, people: Path, tmp_path: Path) -> Path:
    out = tmp_path / "release.csv"
    assert shoal("anonymize", people, "-o", out, "-k", 4, "--qi", "age,zip,job", "--time-limit", 1, "--quiet").status == 0
    return out


def test_it_prints_counts_means_and_tables(shoal, released: Path):
    answer = shoal(
        "read",
        released,
        "--qi",
        "age,zip,job",
        "--count",
        "age=25..34 job=nurse",
        "--count",
        "ill=flu|cold",
        "--mean",
        "age",
        "--median",
        "age",
        "--table",
        "job,ill",
    )
    assert answer.status == 0
    assert "count age=25..34 job=nurse: " in answer.out
    assert "95 %" in answer.out
    assert "certainly between 30 and 30" in answer.out  # the column ill is released as it is
    assert "mean age: " in answer.out
    assert "median age: " in answer.out
    assert "nurse" in answer.out


def test_without_questions_it_says_what_there_is(shoal, released: Path):
    answer = shoal("read", released)
    assert answer.status == 0
    assert "60 rows" in answer.out
    assert "exact" in answer.out


def test_answers_come_as_json_on_demand(shoal, released: Path):
    found = json.loads(shoal("read", released, "--count", "job=cook", "--json").out)
    estimate = found["estimates"]["count job=cook"]
    assert estimate["at_least"] <= 20 <= estimate["at_most"]
    assert found["rows"] == 60


def test_a_typed_table_is_written_for_the_analyst_alone(shoal, released: Path, tmp_path: Path):
    out = tmp_path / "typed.parquet"
    assert shoal("read", released, "-o", out, "--imputations", 3, "--seed", 7).status == 0
    frame = pl.read_parquet(out)
    assert frame.height == 180
    assert frame["age"].dtype.is_integer()
    assert stat.S_IMODE(out.stat().st_mode) == 0o600


def test_it_never_writes_over_the_release(shoal, released: Path):
    before = released.read_bytes()
    assert shoal("read", released, "-o", released).status == 2
    assert released.read_bytes() == before


@pytest.mark.parametrize("condition", ["height=3", "age", "age='30", "job=30..39"])
def test_wrong_conditions_exit_with_2(shoal, released: Path, condition: str):
    answer = shoal("read", released, "--count", condition)
    assert answer.status == 2
    assert answer.out == ""
    assert len(answer.err.splitlines()) <= 4


@pytest.fixture
def german(tmp_path: Path) -> Path:
    """A release as a German spreadsheet has it: semicolons, decimal commas, postal codes with zeros in front."""
    path = tmp_path / "release.csv"
    rows = ["01067;60,5;m", "01067;60,5;m", "*;*;w", "*;*;w", "08056;79,9;m", "08056;46,5;m"]
    path.write_text("PLZ;Gewicht;sex\n" + "\n".join(rows) + "\n")
    return path


def test_a_drawn_table_is_written_as_the_release_is_and_it_says_so(shoal, german, tmp_path):
    out = tmp_path / "typed.csv"
    answer = shoal("read", german, "-o", out)
    assert f"Wrote {out}: 6 rows" in answer.out
    assert out.read_text().splitlines()[:2] == ["PLZ;PLZ_exact;Gewicht;Gewicht_exact;sex", "01067;true;60.5;true;m"]
    again = shoal("read", german, "-o", out)
    assert again.status == 2
    assert "--force" in again.err
    assert shoal("read", german, "-o", out, "--force", "--json").out.startswith("{")


def test_codes_keep_their_zeros_in_tables(shoal, german):
    answer = shoal("read", german, "--table", "PLZ")
    assert [line.split()[0] for line in answer.out.splitlines() if line.startswith("0")] == ["01067", "08056"]


def test_a_decimal_comma_is_understood_in_a_condition(shoal, german):
    answer = shoal("read", german, "--count", "Gewicht=60,0..79,9")
    assert answer.status == 0, answer.err
    assert "certainly between 3 and" in answer.out


def test_conditions_that_the_shell_cut_apart_are_told_to_be_quoted(shoal, released: Path):
    answer = shoal("read", released, "--count", "age=30..39", "job=nurse")
    assert answer.status == 2
    assert "--count 'age=30..39 sex=f'" in answer.err
    assert "quotes" not in shoal("read", released, "another.csv").err
