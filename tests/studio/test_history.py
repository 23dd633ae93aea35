"""Undo and redo go on after a crash: what is kept leads back to the same state, and nothing else that stands there does
harm.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from shoal.disk.system import state_folder
from shoal.studio import autosave, projects
from shoal.studio.desk import Desk
from tests.studio.conftest import Visitor
from tests.studio.people import people

CONTENT = people(120)


@pytest.fixture(autouse=True)
def own_state(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def ready(visitor: Visitor) -> Visitor:
    visitor.load("people.csv", CONTENT)
    visitor.give_roles(age="quasi-identifier", job="quasi-identifier")
    return visitor


def ruler(visitor: Visitor, **asked: object) -> Any:
    return visitor.client.post("/hierarchies/0/ruler", json=asked).json()


def tree(visitor: Visitor, **asked: object) -> Any:
    return visitor.client.post("/hierarchies/2/tree", json=asked).json()


def labels(told: Any) -> list[str]:
    return [child["label"] for child in told["nodes"]["0"]["children"]]


def kept() -> dict[str, Any]:
    """What a crash would leave."""
    (path,) = state_folder().glob("studio-*.json")
    return dict(json.loads(path.read_text()))


def after_a_crash(visitor: Visitor, project: dict[str, Any]) -> None:
    """The same table in a studio that knows nothing, and what was kept put on its desk."""
    visitor.client.post("/close/table")
    visitor.load("people.csv", CONTENT)
    projects.put_on(visitor.desk, projects.read(json.dumps(project).encode()))


def test_a_ruler_is_undone_and_done_again_after_a_crash(visitor: Visitor):
    ready(visitor)
    first = ruler(visitor, change="look")["lines"]
    ruler(visitor, change="add", at=27)
    ruler(visitor, change="add", at=33)
    here = ruler(visitor, change="undo")
    after_a_crash(visitor, kept())
    again = ruler(visitor, change="look")
    assert (again["lines"], again["can_undo"], again["can_redo"]) == (here["lines"], True, True)
    assert 33 in [line["at"] for line in ruler(visitor, change="redo")["lines"]]
    ruler(visitor, change="undo")
    assert ruler(visitor, change="undo")["lines"] == first


def test_a_tree_is_undone_and_done_again_after_a_crash(visitor: Visitor):
    ready(visitor)
    nodes = {child["label"]: child["node"] for child in tree(visitor, change="look")["nodes"]["0"]["children"]}
    tree(visitor, change="group", nodes=[nodes["nurse"], nodes["cook"]], label="hands")
    made = next(
        child["node"] for child in tree(visitor, change="look")["nodes"]["0"]["children"] if child["label"] == "hands"
    )
    tree(visitor, change="rename", nodes=[made], label="workers")
    tree(visitor, change="down", nodes=[nodes["clerk"]])
    here = tree(visitor, change="undo")
    after_a_crash(visitor, kept())
    assert visitor.desk.specs["job"].rows  # type: ignore[attr-defined]
    again = tree(visitor, change="look")
    assert (labels(again), again["can_undo"], again["can_redo"]) == (labels(here), True, True)
    assert labels(tree(visitor, change="redo")) != labels(here)
    for _ in range(3):
        told = tree(visitor, change="undo")
    assert (set(labels(told)), told["can_undo"]) == ({"nurse", "cook", "clerk"}, False)


@pytest.mark.parametrize(
    "history",
    [7, [], {"job": 7}, {"age": {}}, {"nobody": {"log": []}},
    {"job": {"began": None, "log": [{"change": "group", "nodes": [99], "label": "x"}], "done": 1}},
     {"job": {"began": None, "log": [], "done": -5}}, {"job": {"began": {"file": "/etc/passwd"}, "log": [], "done": 0}},
     {"age": {"lines": [[float("nan"), 1]], "past": [], "future": []}},
     {"age": {"lines": [[25, 1]], "past": [[[1e308, 1]]], "future": []}},
     {"age": {"lines": [["a", "b"]], "past": 3, "future": None}}],
)  # fmt: skip
def test_what_was_not_kept_here_is_left_out(visitor: Visitor, history: Any):
    ready(visitor)
    ruler(visitor, change="add", at=27)
    nodes = [child["node"] for child in tree(visitor, change="look")["nodes"]["0"]["children"]]
    tree(visitor, change="group", nodes=nodes[:2], label="two")
    project = {**kept(), "history": history}
    before = ruler(visitor, change="look")["lines"], labels(tree(visitor, change="look"))
    after_a_crash(visitor, project)
    now = ruler(visitor, change="look"), tree(visitor, change="look")
    assert (now[0]["lines"], labels(now[1])) == before
    assert not now[0]["can_undo"]
    assert not now[1]["can_undo"]


def test_a_run_that_ends_is_kept_without_another_click(visitor: Visitor):
    ready(visitor)
    visitor.run(k="3")
    assert [run["fingerprint"] for run in kept()["runs"]] == [visitor.desk.runs[0].release.verdict.fingerprint]


def test_what_is_closed_on_purpose_is_not_kept_by_a_run_that_ends_later(visitor: Visitor):
    ready(visitor)
    visitor.client.post("/close")
    visitor.desk.changed()
    assert list(state_folder().glob("*")) == []


def test_nothing_is_kept_of_a_desk_without_a_table(tmp_path: Any):
    autosave.keep(Desk(folder=tmp_path))
    assert not state_folder().exists()
