"""Roles are suggested with reasons, from names and counts."""

from __future__ import annotations

import polars as pl
import pytest

from shoal import io
from shoal.columns.roles import overview, suggest_roles
from shoal.demo import files
from tests.columns.people import PEOPLE


def test_the_demos_columns_get_the_right_roles():
    found = {s.column: s for s in suggest_roles(io.read(files().table))}
    assert {name for name, s in found.items() if s.role == "identifier"} == {"name", "record"}
    assert {name for name, s in found.items() if s.role == "sensitive"} == {"diagnosis"}
    assert {"age", "sex", "postcode", "job", "nationality", "admitted"} <= {
        name for name, s in found.items() if s.role == "quasi-identifier"
    }
    assert all(s.reasons for s in found.values())


def test_counts_speak_where_names_do_not():
    frame = pl.DataFrame(
        {
            "x": range(100),
            "y": [i % 4 for i in range(100)],
            "z": ["same"] * 100,
            "v": [round((i % 40) / 7, 2) for i in range(100)],
            "w": [None] * 99 + ["v"],
        }
    )
    found = {s.column: s for s in overview(io.read(frame))}
    assert found["x"].role == "identifier"
    assert found["y"].role == "quasi-identifier"
    assert "protected to be safe" in found["y"].reasons[0]
    assert found["v"].role == "ask"
    assert found["v"].question
    assert found["z"].role == "insensitive"
    assert (found["w"].n_values, found["w"].n_missing, found["w"].n_alone) == (1, 99, 1)
    assert list(found) == ["x", "y", "z", "v", "w"]


def test_no_value_is_in_a_reason():
    frame = pl.DataFrame({"town": ["ZebraMarker77", *["a", "b"] * 30]})
    assert "ZebraMarker77" not in str(overview(io.read(frame)))


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("forename", [f"{PEOPLE[i % 16]}{'' if i % 3 else chr(97 + i % 26)}" for i in range(300)]),
        ("lat", [str(51 + i / 1000) for i in range(300)]),
        ("long", [str(-0.5 + i / 1000) for i in range(300)]),
        ("neighborhood", [f"Place {i % 87}" for i in range(300)]),
        ("other_info", [f"salary is paid every {i} weeks or so" for i in range(300)]),
        ("current_title", [f"Engineer {i % 70} of things" for i in range(300)]),
        ("retirement_income", [str(1000 + 37 * i) for i in range(300)]),
        ("timestamp", [f"8/{1 + i % 28}/20 1{i % 10}:57" for i in range(300)]),
        ("xyz", [str(i % 3) for i in range(300)]),
        ("remarks", [f"{i} times" for i in range(300)]),
    ],
)
def test_nothing_that_tells_people_apart_is_insensitive(name, values):
    """Forenames, places, free text, titles, incomes and moments were suggested to be released as they are."""
    [found] = overview(io.read(pl.DataFrame({name: values})))
    assert found.role != "insensitive"
    assert found.role != "ask" or found.question


@pytest.mark.parametrize("name", ["Survived", "outcome", "died", "result"])
def test_an_outcome_is_no_quasi_identifier(name):
    """The other way round."""
    [found] = overview(io.read(pl.DataFrame({name: ["yes", "no"] * 50})))
    assert found.role == "sensitive"


def test_copies_are_said_and_share_a_role():
    """A code of a column that outsiders know is known to them too."""
    frame = pl.DataFrame({"sex": ["f", "m", "m", "f"] * 50, "xq": ["2", "1", "1", "2"] * 50})
    found = {s.column: s for s in overview(io.read(frame))}
    assert found["xq"].role == found["sex"].role == "quasi-identifier"
    assert "say the same" in found["sex"].relations[0]


def test_a_column_of_lists_is_asked_and_stops_nothing():
    """One list or struct column stopped everything."""
    frame = pl.DataFrame({"age": [30, 40] * 20, "seen": [[1, 2], [3]] * 20, "pair": [{"a": 1}] * 40})
    found = {s.column: s for s in suggest_roles(io.read(frame))}
    assert (found["seen"].role, found["seen"].kind, found["pair"].role) == ("ask", "nested", "ask")
    assert found["age"].role == "quasi-identifier"


def test_nothing_is_sensitive_because_of_the_columns_beside_it():
    """A sensitive column is released as it is, so an unknown name in a table about health is protected or asked
    about.
    """
    frame = pl.DataFrame(
        {
            **{name: ["yes", "no", "no"] * 40 for name in ("diabetes", "asthma", "stroke", "hiv", "cancer")},
            "zq": ["1", "2", "1"] * 40,
            "wv": [str(i % 30 + 0.5) for i in range(120)],
        }
    )
    found = {s.column: s for s in overview(io.read(frame))}
    assert found["diabetes"].role == "sensitive"
    assert found["zq"].role == "quasi-identifier"
    assert found["wv"].role == "ask"
    assert found["wv"].question


@pytest.mark.parametrize("name", ["status", "event", "grade", "response", "note", "Remarks"])
def test_a_word_that_leaves_open_what_it_is_about_is_asked(name):
    """The status of a marriage or of a tumour; a year at school or a mark."""
    [found] = overview(io.read(pl.DataFrame({name: ["1", "2", "3"] * 40})))
    assert found.role == "ask"
    assert found.question


def test_the_day_of_a_death_is_known_and_the_death_itself_an_outcome():
    frame = pl.DataFrame({"death": [str(8000 + 13 * i % 170) for i in range(300)], "died": ["0", "1", "1"] * 100})
    found = {s.column: s.role for s in overview(io.read(frame))}
    assert found == {"death": "quasi-identifier", "died": "sensitive"}


def test_what_says_the_same_as_a_clear_column_has_its_role():
    frame = pl.DataFrame(
        {"final": [str(i % 37) for i in range(200)], "zq": [str(round((i % 37) / 7 - 2, 4)) for i in range(200)]}
    )
    found = {s.column: s for s in overview(io.read(frame))}
    assert (found["zq"].role, found["zq"].question) == ("sensitive", None)
    assert found["zq"].reasons[0] == "it says the same as 'final'"


def test_dates_in_several_forms_are_known_to_outsiders_and_questioned():
    days = [form for i in range(1, 29) for form in (f"2019-03-{i:02}", f"{i}/03/2019", f"Mar {i}, 2019")]
    [found] = overview(io.read(pl.DataFrame({"zq": days})))
    assert found.role == "quasi-identifier"
    assert "several ways" in str(found.question)
