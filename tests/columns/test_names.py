"""What the name of a column says."""

from __future__ import annotations

import polars as pl
import pytest

from shoal import io
from shoal.columns.roles import suggest_roles


@pytest.mark.parametrize(
    ("name", "role"),
    [("dateOfBirth", "quasi-identifier"), ("ZIP_CODE", "quasi-identifier"), ("e-mail", "identifier"), ("SSN", "identifier"),
     ("annual_income", "sensitive"), ("ICD10", "sensitive"), ("maritalStatus", "quasi-identifier")],
)  # fmt: skip
def test_a_columns_name_tells_its_role(name, role):
    table = io.read(pl.DataFrame({name: [str(i % 7) for i in range(100)]}))
    assert suggest_roles(table)[0].role == role
