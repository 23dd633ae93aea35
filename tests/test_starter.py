"""The first step: from a table that nobody has seen to a verified release in three commands."""

from __future__ import annotations

import random
import tomllib
from pathlib import Path

import polars as pl
import pytest

import shoal
from shoal.errors import DataError, PolicyError
from shoal.policy.policy import Policy
from tests.cli.conftest import MARKER
from tests.columns.people import PEOPLE

DRAW = random.Random(3)


def people(n: int = 120) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "name": [f"{DRAW.choice(PEOPLE)} {chr(65 + i % 26)}{i}" for i in range(n)],
            "born": [f"{1 + i % 28:02d}.{1 + i % 12:02d}.{1950 + i % 40}" for i in range(n)],
            "income": [f"{1000 + 77 * (i % 50)},50" if i % 11 else "NA" for i in range(n)],
            "health": [["good", "fair", "poor"][i % 3] for i in range(n)],
            "xq": [str((i * 7) % 31 / 8) for i in range(n)],
            "notes": [f"{MARKER} said something on day {i} of it" for i in range(n)],
            "all": ["same"] * n,
        }
    )


def test_the_policy_says_everything_and_can_be_read(tmp_path: Path) -> None:
    people().write_csv(tmp_path / "t.csv")
    text = shoal.init(tmp_path / "t.csv", tmp_path / "p.toml")
    assert (tmp_path / "p.toml").read_text() == text
    content = tomllib.loads(text)
    roles = {name: column["role"] for name, column in content["columns"].items()}
    assert roles == {
        "name": "identifier", "born": "quasi-identifier", "income": "sensitive", "health": "sensitive", "xq": "identifier", "notes": "identifier",
        "all": "insensitive",
    }  # fmt: skip
    assert content["missing_values"] == ["NA"]
    assert "dates" in content["columns"]["born"]["hierarchy"]
    assert text.count("# QUESTION") == 2
    assert Policy.read(tmp_path / "p.toml").k == 5


def test_no_cell_of_a_person_is_in_it(tmp_path: Path) -> None:
    text = shoal.init(people())
    assert MARKER not in text
    assert not any(name in text for name in PEOPLE)


def test_a_table_of_which_nothing_is_known_is_protected_and_not_dropped() -> None:
    content = tomllib.loads(shoal.init(pl.DataFrame({"p": ["a", "b", "c"] * 20, "q": [str(i % 7) for i in range(60)]})))
    assert {column["role"] for column in content["columns"].values()} == {"quasi-identifier"}


def test_suggestions_show_themselves() -> None:
    found = shoal.suggest(people())
    assert "please decide" in found._repr_html_()
    assert "QUESTION" not in repr(found)
    assert "name" in found.named("identifier")
    assert MARKER not in repr(found) + found._repr_html_()


def test_a_header_that_is_a_row_is_not_shown() -> None:
    with pytest.raises(DataError, match="does the file have one"):
        shoal.suggest(pl.DataFrame({"anna": ["anna", "tom"], "12": ["12", "13"]}))


def test_an_identifier_without_a_role_is_refused_in_python_too() -> None:
    """Full names went out without a word."""
    with pytest.raises(PolicyError, match=r"'name'.*keep=\['name'\]"):
        shoal.anonymize(people(), k=3, quasi_identifiers=["born"])
    with pytest.warns(shoal.errors.ShoalWarning):
        kept = shoal.anonymize(people(), k=3, quasi_identifiers=["born"], keep=["name"])
    assert "name" in kept.table.columns
    with pytest.raises(PolicyError, match="named both"):
        shoal.anonymize(people(), k=3, quasi_identifiers=["born"], keep=["born"])


def test_missing_values_are_a_setting_of_the_policy(tmp_path: Path) -> None:
    (tmp_path / "p.toml").write_text('missing_values = ["NA", "?"]\n[columns.income]\nrole = "quasi-identifier"\n')
    policy = Policy.read(tmp_path / "p.toml")
    assert policy.missing_values == ("NA", "?")
    (tmp_path / "q.toml").write_text(policy.toml())
    assert Policy.read(tmp_path / "q.toml") == policy
    for wrong in ('missing_values = "NA"', "missing_values = [1]"):
        (tmp_path / "p.toml").write_text(wrong)
        with pytest.raises(PolicyError, match="list of texts"):
            Policy.read(tmp_path / "p.toml")


@pytest.mark.parametrize("seed", range(12))
def test_a_marker_planted_in_any_kind_of_column_shows_nowhere(seed: int) -> None:
    """One person's cell among numbers, dates, ranges, codes or texts is in no suggestion, policy or refusal."""
    draw = random.Random(seed)
    kinds = (
        lambda i: str(draw.randrange(1000)), lambda i: draw.choice("abcdef"), lambda i: f"u{i}x{draw.random()}", lambda i: f"2020-{1 + i % 12:02d}-{1 + i % 28:02d}",
        lambda i: draw.choice(["<18", "18-24", "25-34", "65+"]), lambda i: f"word {i} and many more words here", lambda i: f"A{draw.randrange(100, 999)}",
    )  # fmt: skip
    names = draw.sample(["age", "name", "zip", "id", "x", "income", "date", "job", "diagnosis", "lat", "phone", "sex"], 5)
    cells = {
        name: [draw.choice(kinds)(i) for i in range(100)] if draw.random() < 0.2 else list(map(draw.choice(kinds), range(100)))
        for name in names
    }
    for column in cells.values():
        column[draw.randrange(100)] = MARKER
    frame = pl.DataFrame(cells)
    said = [repr(shoal.suggest(frame)), shoal.suggest(frame)._repr_html_(), str(shoal.suggest(frame).to_dicts()), shoal.init(frame)]
    try:
        shoal.anonymize(frame, k=3, quasi_identifiers=[names[0]])
    except PolicyError as error:
        said.append(str(error))
    assert not any(MARKER in text for text in said)


def test_an_identifier_that_repeats_asks_whether_rows_are_of_one_person(tmp_path):
    """Several rows of one person: k counts people unless the owner says that each row is a different person."""
    table = pl.DataFrame({"patient_id": [f"a{i // 3:04d}" for i in range(90)], "age": [str(20 + i // 3 % 50) for i in range(90)]})
    text = shoal.init(table)
    assert "# QUESTION: 'patient_id' has 30 different values in 90 rows. Does it say who a row is about?\n" in text
    assert '\nperson = "patient_id"\n' in text
    (path := tmp_path / "policy.toml").write_text(text)
    release = shoal.anonymize(table, policy=path, effort=0.1)
    assert release.record["people"]["fewest"] >= 5
    once = table.unique("patient_id", keep="first")
    assert "person =" not in shoal.init(once)


def test_a_forename_is_not_proposed_as_the_person(tmp_path):
    """A forename is many people's; a full name may be one person's."""
    first, last = ["Anna", "Maria", "Paul", "Peter", "Laura"] * 4, ["Smith", "Jones", "Lee", "Klein"]
    frame = pl.DataFrame(
        {
            "forename": first * 6,
            "name": [f"{f} {last[i % 4]}" for i, f in enumerate(first * 6)],
            "age": [str(20 + i % 30) for i in range(120)],
        }
    )
    text = shoal.init(frame)
    assert '# person = "name"' in text
    assert '# person = "forename"' not in text
