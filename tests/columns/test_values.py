"""What the values say of a role."""

from __future__ import annotations

import polars as pl
import pytest

from shoal import io
from shoal.columns.roles import overview
from shoal.columns.values import told_by


@pytest.mark.parametrize(
    ("values", "role", "about"),
    [
        (["male", "female"], "quasi-identifier", "who somebody is"),
        (["Married", "Single", "Widowed", "Other"], "quasi-identifier", "family"),
        (["Agree", "Disagree", "Strongly agree"], "sensitive", "opinions"),
        (["alive", "dead", "censored"], "sensitive", "health"),
    ],
)
def test_the_values_tell_a_role_where_the_name_says_nothing(values, role, about):
    [found] = overview(io.read(pl.DataFrame({"v3": values * 20})))
    assert (found.role, found.reasons[0]) == (role, f"its values: {about}")


def test_values_that_outsiders_may_know_count_more_than_a_name():
    [found] = overview(io.read(pl.DataFrame({"health_status": ["married", "single", "divorced"] * 20})))
    assert found.role == "quasi-identifier"


@pytest.mark.parametrize(
    "values", [["yes", "no"], ["male", "green", "seven"], ["agree"], ["a", "b", "c"], [str(i) for i in range(100)]]
)
def test_values_that_say_nothing_tell_no_role(values):
    assert told_by(pl.Series(values)) is None
