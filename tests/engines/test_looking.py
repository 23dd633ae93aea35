"""Before the search, the columns are looked at: rows of one person, and names inside texts, are said by every engine."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import shoal
from shoal.errors import PolicyError, ShoalWarning
from tests.columns.hospital import stays

ASKED = {"k": 5, "quasi_identifiers": ["PLZ", "Geschlecht"], "sensitive": ["Diagnose"], "effort": 0.1, "missing_values": ["NA", "k.A."]}
REST = ["Geburtsdatum", "Aufnahme", "Ort", "Gewicht"]


def test_a_release_of_several_rows_of_one_person_says_that_k_counts_rows() -> None:
    """5-anonymous and verified it was called, and most groups had fewer than five patients."""
    with pytest.warns(ShoalWarning, match="K COUNTS ROWS: 'PatNr' has 150 different values"):
        release = shoal.anonymize(stays(), identifiers=["Name", "PatNr", "Bemerkung", *REST], **ASKED)
    assert [found["column"] for found in release.record["several_rows"]] == ["PatNr"]
    assert "several_rows" not in release.manifest


@pytest.mark.filterwarnings("error::shoal.ShoalWarning")
def test_it_is_not_said_where_people_are_counted() -> None:
    release = shoal.anonymize(stays(), person="PatNr", identifiers=["Name", "Bemerkung", *REST], keep_order=False, **ASKED)
    assert not release.record["several_rows"]


@pytest.mark.filterwarnings("error::shoal.ShoalWarning")
def test_it_is_not_said_of_namesakes_of_a_quasi_identifier_or_of_a_person_with_one_row() -> None:
    one = stays().unique("PatNr", keep="first", maintain_order=True)
    shoal.anonymize(one, identifiers=["Name", "PatNr", "Bemerkung", *REST], keep_order=False, **ASKED)


def test_a_remark_that_names_people_is_refused_unless_it_is_kept() -> None:
    frame = stays().drop(REST)
    with pytest.raises(PolicyError, match=r"'Bemerkung' \(it contains values of 'Name'\)"):
        shoal.anonymize(frame, person="PatNr", identifiers=["Name"], **ASKED)
    with pytest.warns(ShoalWarning, match="NAMES INSIDE: 'Bemerkung' contains values of 'Name'"):
        shoal.anonymize(frame, person="PatNr", identifiers=["Name"], keep=["Bemerkung"], **ASKED)


def test_the_owners_report_says_it_first_and_the_published_one_does_not() -> None:
    with pytest.warns(ShoalWarning):
        release = shoal.anonymize(stays(), identifiers=["Name", "PatNr", "Bemerkung", *REST], **ASKED)
    from shoal.report.model import owner_model
    from shoal.report.plain import look_first
    from shoal.report.public import public_model

    assert look_first(owner_model(release))[0][0] == "K COUNTS ROWS: 'PatNr' repeats."
    assert not any("PatNr" in words for pair in look_first(public_model(release)) for words in pair)


def test_a_number_that_nobody_named_is_refused_with_the_answer_that_it_is_the_person() -> None:
    with pytest.raises(PolicyError, match=r"--person 'xq'"):
        shoal.anonymize(stays("xq").drop("Bemerkung", *REST), identifiers=["Name"], **ASKED)


def test_files_that_are_read_in_stretches_say_the_same(tmp_path: Path) -> None:
    pytest.importorskip("duckdb")
    (path := tmp_path / "stays.csv").write_text(stays().drop(*REST).write_csv())
    with pytest.warns(ShoalWarning, match="K COUNTS ROWS: 'PatNr' has 150 different values"):
        made = shoal.publish(path, tmp_path / "release.csv", engine="files", identifiers=["Name", "PatNr", "Bemerkung"], **ASKED)
    assert made.record["several_rows"][0]["n_values"] == 150
    assert pl.read_csv(tmp_path / "release.csv").height == stays().height
