"""A hierarchy changed on its page."""

from __future__ import annotations

from typing import Any

import pytest

from tests.studio.conftest import Visitor
from tests.studio.people import people


def test_a_hierarchy_file_that_does_not_fit_is_refused(visitor: Visitor):
    visitor.load("people.csv", people())
    visitor.give_roles(job="quasi-identifier")
    answer = visitor.client.post(
        "/hierarchies/2/file", files={"file": ("job.csv", b"nurse;health;*\ncook;kitchen;*\n")}
    )
    assert answer.status_code == 400
    assert "not in its hierarchy" in answer.text
    assert str(visitor.desk.folder) not in answer.text
    answer = visitor.client.post(
        "/hierarchies/2/file", files={"file": ("job.csv", b"nurse;health;*\ncook;other;*\nclerk;other;*\n")}
    )
    assert "2 levels over 3 values" in answer.text
    assert list(visitor.desk.folder.iterdir()) == []
    visitor.run()
    assert '"nurse", "health"' in visitor.file(1, "policy.toml").text
    assert '"nurse", "health"' not in visitor.client.get("/runs/1").text


@pytest.mark.parametrize(
    "asked",
    [{}, {"change": "explode"}, {"change": "rename"}, {"change": "rename", "nodes": [1]},
    {"change": "move", "nodes": [1], "target": "x"},
     {"change": "group", "nodes": [99], "label": "x"}, {"change": "undo"},
     {"change": "rename", "nodes": [0], "label": "top"}, {"change": "look", "open": [["a", 1]]}],
)  # fmt: skip
def test_a_change_to_the_tree_that_cannot_be_made_is_refused(visitor: Visitor, asked: object):
    visitor.load("people.csv", people())
    visitor.give_roles(job="quasi-identifier")
    answer = visitor.client.post("/hierarchies/2/tree", json=asked)
    assert answer.status_code == 400
    assert answer.json()["error"]
    for content in (b"no json", b"[]", b"7", b"null", b"\xff\xfe"):
        assert visitor.client.post("/hierarchies/2/tree", content=content).status_code == 400


def look(visitor: Visitor) -> dict[str, Any]:
    """The tree of the first column, as a tab that looks at it again gets it."""
    found: dict[str, Any] = visitor.client.get("/hierarchies/0/tree").json()
    return found


def test_what_another_tab_changed_is_seen_at_the_next_look(visitor: Visitor):
    """Trees and prices are made once for the same values and the same hierarchy, and anew for any other."""
    visitor.load("people.csv", people(200))
    first = look(visitor)
    assert look(visitor) == first
    ruler = visitor.client.post("/hierarchies/0/ruler", json={"change": "look"}).json()
    assert ruler["prices"] == first["prices"]
    changed = visitor.client.post("/hierarchies/0/ruler", json={"change": "add", "at": 33, "height": 1}).json()
    second = look(visitor)
    assert second["prices"] == changed["prices"] != first["prices"]
    visitor.client.post("/hierarchies/0", data={"kind": "intervals", "parameters": "7, 14"})
    third = look(visitor)
    assert third["prices"] not in (first["prices"], second["prices"])
    visitor.client.post("/hierarchies/0", data={"kind": "default"})
    assert look(visitor)["prices"] == first["prices"]


def test_a_mark_of_missing_cells_makes_hierarchies_anew(visitor: Visitor):
    visitor.load("people.csv", people(200))
    visitor.client.post("/hierarchies/0", data={"kind": "suppression"})
    before, page = look(visitor), visitor.client.get("/hierarchies/0").text
    visitor.client.post("/marks", data={"marks": "20, 21"})
    after = look(visitor)
    assert before["prices"][0]["labels"] == 23
    assert after["prices"][0]["labels"] in (21, 22), "two values are gone; missing cells may be a label of their own"
    assert "23 values" in page
    assert "21 values" in visitor.client.get("/hierarchies/0").text
    visitor.client.post("/marks", data={"marks": ""})
    assert look(visitor)["prices"] == before["prices"]


def test_another_table_with_the_same_columns_has_its_own_hierarchies(visitor: Visitor):
    visitor.load("people.csv", people(200))
    first = look(visitor)
    visitor.load("people.csv", people(9))
    second = look(visitor)
    assert second["prices"][0]["labels"] == 9
    assert second["prices"] != first["prices"]


def test_a_hierarchy_that_does_not_fit_is_not_taken_for_one_that_does(visitor: Visitor):
    visitor.load("people.csv", people(200))
    first = look(visitor)
    assert visitor.client.post("/hierarchies/2", data={"kind": "dates", "parameters": "year"}).status_code == 400
    assert visitor.client.post("/hierarchies/0", data={"kind": "dates", "parameters": "year"}).status_code == 400
    assert look(visitor) == first
