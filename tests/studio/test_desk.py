"""What lies on the desk becomes the policy that was asked for."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

import shoal
from shoal.policy.policy import Policy
from tests.studio.conftest import Visitor

TABLE = "age,job,ill,name\n" + "".join(f"{20 + i % 30},{'abcd'[i % 4]},{'xyz'[i % 3]},p{i}\n" for i in range(120))
ROLES = {"age": "quasi-identifier", "job": "quasi-identifier", "ill": "sensitive", "name": "identifier"}


def test_every_setting_is_in_the_policy(visitor: Visitor):
    visitor.load("people.csv", TABLE.encode())
    visitor.give_roles(**ROLES)
    visitor.client.post("/hierarchies/0", data={"kind": "intervals", "parameters": "5, 15"})
    visitor.client.post("/hierarchies/1", data={"kind": "any_subset"})
    visitor.client.post("/hierarchies/1/weight", data={"weight": "2.5"})
    visitor.run(
        k="3", measure="lm", withhold="2.5", missing="suppress", seed="7", stop_at_ratio="10", time_limit="30",
        **{"require entropy-l-diversity": "1.5", "require t-closeness": "0.9"},
    )  # fmt: skip
    asked = tomllib.loads(visitor.desk.runs[0].policy.toml())
    assert asked["columns"] == {
        "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [5, 15]}},
        "job": {"role": "quasi-identifier", "hierarchy": {"any_subset": True}, "weight": 2.5},
        "ill": {"role": "sensitive", "l_diversity": {"entropy": 1.5}, "t_closeness": 0.9},
        "name": {"role": "identifier"},
    }
    told = {key: asked[key] for key in asked if key != "columns"}
    assert told == {
        "k": 3, "measure": "lm", "algorithm": "mondrian", "withhold": 0.025, "missing": "suppress", "seed": 7,
        "stop_at_ratio": 1.1, "time_limit": 30.0, "keep_order": False,
    }  # fmt: skip


def test_rows_leave_for_nothing_or_at_a_price(visitor: Visitor):
    visitor.load("people.csv", TABLE.encode())
    visitor.give_roles(**ROLES)
    both = visitor.client.post("/runs", data={"k": "3", "withhold": "2.5", "deletion": "yes"})
    assert "choose one of them" in both.text
    assert not visitor.desk.runs
    visitor.run(k="3", deletion="yes")
    assert tomllib.loads(visitor.desk.runs[0].policy.toml())["deletion"] is True


def test_the_policy_repeats_the_run(visitor: Visitor, tmp_path: Path):
    visitor.load("people.csv", TABLE.encode())
    visitor.give_roles(**ROLES)
    tree = "/hierarchies/1/tree"
    nodes = {child["label"]: child["node"] for child in visitor.client.get(tree).json()["nodes"]["0"]["children"]}
    made = visitor.client.post(tree, json={"change": "group", "nodes": [nodes["a"], nodes["b"]], "label": "a or b"})
    assert made.status_code == 200
    visitor.run(k="6")
    (tmp_path / "policy.toml").write_bytes(visitor.file(1, "policy.toml").content)
    (tmp_path / "people.csv").write_text(TABLE)
    again = shoal.anonymize(tmp_path / "people.csv", policy=Policy.read(tmp_path / "policy.toml"))
    again.write(tmp_path / "again.csv")
    assert (tmp_path / "again.csv").read_bytes() == visitor.file(1, "release.csv").content
    assert again.manifest["release_sha256"] == visitor.file(1, "manifest.json").json()["release_sha256"]


def test_a_column_set_aside_on_purpose_is_not_called_unprotected(visitor: Visitor):
    visitor.load("people.csv", TABLE.encode())
    visitor.give_roles(age="quasi-identifier", job="insensitive", name="identifier")
    visitor.run()
    assert visitor.file(1, "manifest.json").json()["unprotected"] == []


def test_a_run_waits_for_a_column_that_nobody_gave_a_role(visitor: Visitor):
    """No column is released as it is because it was forgotten."""
    visitor.load("people.csv", TABLE.encode())
    visitor.client.post("/columns", data={"role-0": "quasi-identifier", "role-3": "identifier"})
    answer = visitor.client.post("/runs", data={"k": "5", "algorithm": "mondrian"})
    assert answer.status_code == 400
    assert "waits for" in answer.text
    assert visitor.desk.runs == []


@pytest.mark.parametrize(
    ("kind", "parameters"),
    [("intervals", "x"), ("prefixes", "1.5"), ("dates", "month, fortnight"), ("nonsense", ""), ("dates", "month")],
)
def test_a_kind_that_does_not_fit_is_told_and_not_taken(visitor: Visitor, kind: str, parameters: str):
    visitor.load("people.csv", TABLE.encode())
    visitor.give_roles(**ROLES)
    answer = visitor.client.post("/hierarchies/0", data={"kind": kind, "parameters": parameters})
    assert answer.status_code == 400
    assert 'role="alert"' in answer.text
    assert visitor.desk.specs == {}


def test_another_table_clears_the_desk(visitor: Visitor):
    visitor.load("people.csv", TABLE.encode())
    visitor.give_roles(**ROLES)
    visitor.run()
    old = visitor.desk.runs[0].files
    page = visitor.load("other.csv", b"x,y\n1,2\n3,4\n")
    assert "<strong>other.csv</strong>" in page
    assert visitor.desk.runs == []
    assert visitor.desk.roles == {}
    answer = visitor.client.get(f"{old}/release.csv")
    assert answer.status_code == 409
    assert "no longer on the desk" in answer.text


@pytest.mark.parametrize("weight", ["0", "-1", "heavy", "inf", "nan"])
def test_a_weight_that_makes_no_sense_is_refused(visitor: Visitor, weight: str):
    visitor.load("people.csv", TABLE.encode())
    visitor.give_roles(**ROLES)
    assert visitor.client.post("/hierarchies/0/weight", data={"weight": weight}).status_code == 400
    assert visitor.desk.weights == {}


def test_marks_of_missing_cells_and_the_person_are_in_the_policy(visitor: Visitor):
    """The studio takes what the policy takes."""
    table = "who,age,ill\n" + "".join(
        f"p{i // 3},{'NA' if i % 9 == 0 else 20 + i % 30},{'xyz'[i % 3]}\n" for i in range(120)
    )
    visitor.load("people.csv", table.encode())
    roles = {"role-0": "person", "role-1": "quasi-identifier", "role-2": "sensitive"}
    visitor.client.post("/columns", data=roles)
    page = visitor.client.get("/").text
    assert "Does “NA” in &#39;age&#39; stand for a missing cell?" in page
    visitor.client.post("/answers", data={"key": "mark NA", "answer": "yes"})
    visitor.client.post("/marks", data={"marks": "NA, ?"})
    assert "NA, ?" in visitor.client.get("/?column=1").text
    assert "People in small groups" in visitor.wait("/risk")
    assert "k: people whose rows" in visitor.client.get("/").text
    visitor.run(k="3")
    asked = visitor.desk.runs[0].policy
    assert (asked.person, asked.missing_values) == ("who", ("NA", "?"))
    release = visitor.desk.runs[0].job.result
    assert "who" not in release.frame.columns
    assert release.record["people"]["fewest"] >= 3
    assert release.record["missing"] == {"age": 14}


def test_two_columns_cannot_both_be_the_person(visitor: Visitor):
    visitor.load("people.csv", TABLE.encode())
    answer = visitor.client.post(
        "/columns", data={"role-0": "quasi-identifier", "role-1": "person", "role-3": "person"}
    )
    assert answer.status_code == 400
    assert "Only one column" in answer.text


def test_an_order_that_tells_is_said_where_it_was_kept(visitor: Visitor):
    """A table that came sorted by age; the studio sorts rows by what they show unless somebody asks for their order."""
    visitor.load("people.csv", ("age,job\n" + "".join(f"{20 + i // 2},{'ab'[i % 2]}\n" for i in range(80))).encode())
    visitor.give_roles(age="quasi-identifier", job="quasi-identifier")
    assert "ORDER TELLS" not in visitor.run()
    page = visitor.run(keep_order="yes")
    assert "ORDER TELLS" in page
    assert "age goes along with the order" in page
