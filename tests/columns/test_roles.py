"""Roles are suggested with reasons, from names and counts."""

from __future__ import annotations

import polars as pl
import pytest

from shoal import io
from shoal.columns.roles import overview, suggest_roles
from shoal.demo import files


def test_the_demos_columns():
    found = {s.column: s for s in suggest_roles(io.read(files().table))}
    assert {name for name, s in found.items() if s.role == "identifier"} == {"name", "record"}
    assert {name for name, s in found.items() if s.role == "sensitive"} == {"diagnosis"}
    assert {"age", "sex", "postcode", "job", "nationality", "admitted"} <= {
        name for name, s in found.items() if s.role == "quasi-identifier"
    }
    assert all(s.reasons for s in found.values())


@pytest.mark.parametrize(
    ("name", "role"),
    [("dateOfBirth", "quasi-identifier"), ("ZIP_CODE", "quasi-identifier"), ("e-mail", "identifier"), ("SSN", "identifier"),
     ("annual_income", "sensitive"), ("ICD10", "sensitive"), ("maritalStatus", "quasi-identifier")],
)  # fmt: skip
def test_names_speak(name, role):
    table = io.read(pl.DataFrame({name: [str(i % 7) for i in range(100)]}))
    assert suggest_roles(table)[0].role == role


def test_counts_speak_where_names_do_not():
    frame = pl.DataFrame({"x": range(100), "y": [i % 4 for i in range(100)], "z": ["same"] * 100, "w": [None] * 99 + ["v"]})
    found = {s.column: s for s in overview(io.read(frame))}
    assert found["x"].role == "identifier"
    assert found["y"].role == "ask"
    assert found["y"].question
    assert found["z"].role == "insensitive"
    assert (found["w"].n_values, found["w"].n_missing, found["w"].n_alone) == (1, 99, 1)
    assert list(found) == ["x", "y", "z", "w"]


def test_no_value_is_in_a_reason():
    frame = pl.DataFrame({"town": ["ZebraMarker77", *["a", "b"] * 30]})
    assert "ZebraMarker77" not in str(overview(io.read(frame)))
