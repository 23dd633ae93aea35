"""A hierarchy changed on its page."""

from __future__ import annotations

import pytest

from tests.studio.conftest import Visitor
from tests.studio.people import people


def test_a_hierarchy_file_that_does_not_fit_is_refused(visitor: Visitor):
    visitor.load("people.csv", people())
    visitor.give_roles(job="quasi-identifier")
    answer = visitor.client.post("/hierarchies/2/file", files={"file": ("job.csv", b"nurse;health;*\ncook;kitchen;*\n")})
    assert answer.status_code == 400
    assert "not in its hierarchy" in answer.text
    assert str(visitor.desk.folder) not in answer.text
    answer = visitor.client.post("/hierarchies/2/file", files={"file": ("job.csv", b"nurse;health;*\ncook;other;*\nclerk;other;*\n")})
    assert "2 levels over 3 values" in answer.text
    assert list(visitor.desk.folder.iterdir()) == []
    visitor.run()
    assert '"nurse", "health"' in visitor.file(1, "policy.toml").text
    assert '"nurse", "health"' not in visitor.client.get("/runs/1").text


@pytest.mark.parametrize(
    "asked",
    [{}, {"change": "explode"}, {"change": "rename"}, {"change": "rename", "nodes": [1]}, {"change": "move", "nodes": [1], "target": "x"},
     {"change": "group", "nodes": [99], "label": "x"}, {"change": "undo"}, {"change": "rename", "nodes": [0], "label": "top"}, {"change": "look", "open": [["a", 1]]}],
)  # fmt: skip
def test_a_change_to_the_tree_that_cannot_be_made_is_refused(visitor: Visitor, asked: object):
    visitor.load("people.csv", people())
    visitor.give_roles(job="quasi-identifier")
    answer = visitor.client.post("/hierarchies/2/tree", json=asked)
    assert answer.status_code == 400
    assert answer.json()["error"]
    for content in (b"no json", b"[]", b"7", b"null", b"\xff\xfe"):
        assert visitor.client.post("/hierarchies/2/tree", content=content).status_code == 400
