"""What the name of a column says."""

from __future__ import annotations

import polars as pl
import pytest

from shoal import io
from shoal.columns import names
from shoal.columns.names import Stems
from shoal.columns.roles import suggest_roles


@pytest.mark.parametrize(
    ("name", "role"),
    [("dateOfBirth", "quasi-identifier"), ("ZIP_CODE", "quasi-identifier"), ("e-mail", "identifier"),
    ("SSN", "identifier"),
     ("annual_income", "sensitive"), ("ICD10", "sensitive"), ("maritalStatus", "quasi-identifier")],
)  # fmt: skip
def test_a_columns_name_tells_its_role(name, role):
    table = io.read(pl.DataFrame({name: [str(i % 7) for i in range(100)]}))
    assert suggest_roles(table)[0].role == role


@pytest.mark.parametrize(
    "name",
    ["residence", "reside", "discharge", "learning", "Spain", "studied", "sport", "hospital", "labor_force", "grade",
    "taxi_zone", "countryside", "side",
     "age_at_diagnosis", "year.of.death", "days_to_relapse", "place_of_death", "diagnosisYear", "victim_age", "partner",
     "force", "context",
     "age_donor", "sex.patient.hiv", "operator", "investigator"],
)  # fmt: skip
def test_what_outsiders_may_know_is_not_sensitive_because_of_a_part_of_its_name(name):
    """A sensitive column is released as it is. ``discharge`` is no ``charge``, and the age at a diagnosis is an age."""
    table = io.read(pl.DataFrame({name: [str(i % 7) for i in range(100)]}))
    assert suggest_roles(table)[0].role in ("quasi-identifier", "ask")


@pytest.mark.parametrize(
    "name",
    [
        "cause_of_death",
        "household_income",
        "lwage",
        "diagnosis_code",
        "type.of.cancer",
        "exam_score",
        "satisfaction_with_life",
        "SBP",
        "arrests_2yrs",
        "GCS.15.2hours",
    ],
)
def test_a_finding_an_income_a_mark_and_an_answer_are_sensitive(name):
    table = io.read(pl.DataFrame({name: [str(i % 7) for i in range(100)]}))
    assert suggest_roles(table)[0].role == "sensitive"


@pytest.mark.parametrize(
    "name",
    ["PatNr", "PATNR", "Pat.-Nr.", "pat_id", "PNr", "KdNr", "Kunden-Nr", "MitglNr", "Vers.Nr", "MitarbNr", "Pers.-Nr.",
    "StudNr", "MatrNr", "patient_no", "ptnum", "N° patient",
     "num_client", "numero_paciente", "código_del_cliente", "cod_paz", "codice paziente", "klantnr", "patnummer",
     "nr_aluno", "Fallnummer"],
)  # fmt: skip
def test_a_person_and_a_number_are_a_number_of_a_person(name):
    """As people shorten them, in the languages of the lists:

    ``PatNr`` was released as it is, though ``Patientennummer`` was not.
    """
    table = io.read(pl.DataFrame({name: [str(1000 + 3 * (i // 2)) for i in range(200)]}))
    assert [s.role for s in suggest_roles(table)] == ["identifier"]


@pytest.mark.parametrize(
    "name",
    [
        "num_patients",
        "n_persons",
        "Hausnr",
        "Zimmer-Nr",
        "Fallzahl",
        "no_of_cases",
        "Anzahl Kunden",
        "nb_clients",
        "Patient",
        "visit_no",
    ],
)
def test_a_number_of_people_is_no_number_of_a_person(name):
    assert not names.is_person_and_number(name)


@pytest.mark.parametrize(
    "word", ["bigcity", "city", "citizen", "name", "names", "username", "a", "", "ageage", "postcode"]
)
def test_stems_are_found_as_if_each_were_tried(word: str) -> None:
    stems = ("name$", "city", "cit", "age", "code", "names", "user", "postcode", "ity")
    tried = [
        at
        for at, stem in enumerate(stems)
        if (
            word == stem[:-1]
            if stem.endswith("$")
            else word.startswith(stem) or (len(stem) >= 4 and word.endswith(stem))
        )
    ]
    assert sorted(set(Stems.of(stems).all(word))) == tried
