"""The report of a large table takes long: a run is done when it is verified, and whoever asks for the report waits for
it with a word.
"""

from __future__ import annotations

import threading
from typing import Any

import pytest

from shoal.studio import running, runs
from shoal.studio.work import TURNS
from tests.studio.conftest import Visitor
from tests.studio.people import people


def test_a_run_is_done_before_its_report_is_drawn(visitor: Visitor, monkeypatch: pytest.MonkeyPatch):
    """A stop at a million rows was followed by half a minute in which the report was drawn."""
    go, real = threading.Event(), runs.owner_model

    def slow(release: Any) -> dict[str, Any]:
        assert go.wait(60)
        return real(release)

    monkeypatch.setattr(runs, "owner_model", slow)
    monkeypatch.setattr(running, "PATIENCE", 0.01)
    visitor.load("people.csv", people(200))
    visitor.give_roles(age="quasi-identifier", ill="sensitive")
    visitor.client.post("/runs", data={"k": "5", "algorithm": "mondrian"})
    run = visitor.desk.runs[0]
    run.job.wait(60)
    assert run.job.state == "done"
    assert "Download the results" in visitor.client.get("/").text
    assert visitor.file(1, "release.csv").status_code == 200, "the release is there before its report"
    page = visitor.client.get("/runs/1").text
    assert "Drawing the report of Run 1" in page
    assert f'data-wait="{visitor.locks.home}{run.address}/drawn"' in page
    assert visitor.client.get(f"{run.address}/drawn").json() == {"working": True}
    go.set()
    assert run.is_drawn(60)
    assert visitor.client.get(f"{run.address}/drawn").json() == {"working": False}
    assert "Glossary" in visitor.client.get("/runs/1").text


def test_a_report_that_cannot_be_drawn_is_said_and_the_release_stays(visitor: Visitor, monkeypatch: pytest.MonkeyPatch):
    def fails(release: Any) -> dict[str, Any]:
        raise MemoryError

    monkeypatch.setattr(runs, "owner_model", fails)
    visitor.load("people.csv", people(200))
    visitor.give_roles(age="quasi-identifier", ill="sensitive")
    page = visitor.run()
    assert "not enough memory" in page
    assert not TURNS._beside, "the background goes on after it"
    assert visitor.file(1, "release.csv").status_code == 200
    assert visitor.file(1, "report.html").status_code == 400


def test_what_is_seen_is_no_decision_and_is_not_kept(visitor: Visitor):
    """Cells were hidden and shown in half a second, in which all that was decided was written to the disk again."""
    visitor.load("people.csv", people(200))
    visitor.give_roles(age="quasi-identifier", ill="sensitive")
    kept: list[str] = []
    visitor.desk.changed = lambda: kept.append("kept")
    assert visitor.client.post("/cells", data={"hide": "yes"}).status_code == 200
    assert visitor.desk.hide_cells
    assert kept == []
    visitor.client.post("/marks", data={"marks": "NA"})
    assert kept == ["kept"]
