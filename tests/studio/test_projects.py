"""A project brings back what was decided, on the same table; and nothing that it should not."""

from __future__ import annotations

import json
import os
import re
import tomllib
from typing import Any

import pytest

from shoal.disk.system import state_folder
from shoal.studio import autosave, projects
from tests.studio.conftest import Visitor

TABLE = (
    "age,job,ill,name\n" + "".join(f"{20 + i % 30},{'abcd'[i % 4]},{'xyz'[i % 3]},p{i}\n" for i in range(120))
).encode()
ROLES = {"age": "quasi-identifier", "job": "quasi-identifier", "ill": "sensitive", "name": "identifier"}


@pytest.fixture(autouse=True)
def state(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def work(visitor: Visitor) -> None:
    """Roles, hierarchies, weights, settings, and a run."""
    visitor.load("people.csv", TABLE)
    visitor.give_roles(**ROLES)
    visitor.client.post("/hierarchies/0", data={"kind": "intervals", "parameters": "5, 15"})
    tree = "/hierarchies/1/tree"
    nodes = {child["label"]: child["node"] for child in visitor.client.get(tree).json()["nodes"]["0"]["children"]}
    visitor.client.post(tree, json={"change": "group", "nodes": [nodes["a"], nodes["b"]], "label": "a or b"})
    visitor.client.post("/hierarchies/1/weight", data={"weight": "2.5"})
    visitor.run(k="6", withhold="2", **{"require distinct-l-diversity": "2"})


def save(visitor: Visitor, **form: str) -> Any:
    return visitor.client.post(f"/project?table={visitor.desk.key}", data=form)


def open_project(visitor: Visitor, content: bytes, name: str = "people.shoal") -> Any:
    if visitor.desk.key:
        visitor.client.post("/close/table")
    return visitor.client.post("/load/upload/project", files={"file": (name, content)})


def test_what_was_saved_is_there_again_and_gives_the_same_bytes(visitor: Visitor):
    work(visitor)
    asked, released = visitor.desk.runs[0].policy.toml(), visitor.file(1, "release.csv").content
    saved = save(visitor)
    assert saved.headers["content-disposition"] == 'attachment; filename="people.shoal"'
    assert "p17" not in saved.text, "no row, and no value of a column that nobody arranged"
    assert "waits for its table" in open_project(visitor, saved.content).text
    page = visitor.load("people.csv", TABLE)
    assert "not the file" not in page
    assert visitor.desk.policy().toml() == asked
    assert visitor.desk.questions() == []
    answer = visitor.client.post("/past/0?table=" + visitor.desk.key)
    assert answer.status_code == 200
    visitor.desk.runs[-1].job.wait(60)
    assert visitor.file(1, "release.csv").content == released
    assert "the very release that the project had" in visitor.client.get("/").text


def test_another_table_takes_what_fits_and_that_is_said(visitor: Visitor):
    work(visitor)
    saved = save(visitor).content
    open_project(visitor, saved)
    page = visitor.load("next.csv", TABLE.replace(b"age,job", b"years,job").replace(b",d,", b",e,"))
    assert "This is not the file that the project was saved with" in page
    assert "Columns that are not here: age." in page
    assert "New columns: years." in page
    assert "Hierarchies that do not fit: age, job." in page
    assert visitor.desk.roles == {"job": "quasi-identifier", "ill": "sensitive", "name": "identifier"}


def test_the_table_goes_along_only_if_asked_for_and_sealed(visitor: Visitor):
    work(visitor)
    released = visitor.file(1, "release.csv").content
    assert "differ" in save(visitor, data="yes", passphrase="correct horse", again="wrong horse").text
    assert "at least 10" in save(visitor, data="yes", passphrase="short", again="short").text
    saved = save(visitor, data="yes", passphrase="correct horse", again="correct horse").content
    assert b"p17" not in saved
    assert "Passphrase of its table" in open_project(visitor, saved).text
    assert "does not open" in visitor.client.post("/project/unseal", data={"passphrase": "incorrect horse"}).text
    visitor.client.post("/project/unseal", data={"passphrase": "correct horse"})
    assert "120 rows" in visitor.wait("/")
    visitor.client.post("/past/0?table=" + visitor.desk.key)
    visitor.desk.runs[-1].job.wait(60)
    assert visitor.file(1, "release.csv").content == released


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{}",
        b"[]",
        b"null",
        b"\xff",
        b'{"format": "shoal-project-1"}',
        b'{"format": "shoal-project-99"}',
        b"[" * 100_000,
    ],
)
def test_what_is_no_project_is_refused(visitor: Visitor, content: bytes):
    answer = open_project(visitor, content)
    assert answer.status_code == 400
    assert visitor.desk.waiting is None


@pytest.mark.parametrize(
    "bad", [{"job": "/etc/passwd"}, {"job": {"file": "/etc/passwd"}}, {"job": 7}, {"job": {"levels": "x"}}]
)
def test_a_project_reads_no_file_of_this_machine(visitor: Visitor, bad: dict[str, object]):
    """A project may come from anybody: it must not make the studio read what its sender names."""
    work(visitor)
    made = json.loads(save(visitor).content)
    made["hierarchies"] = bad
    open_project(visitor, json.dumps(made).encode())
    assert "Hierarchies that do not fit: job." in visitor.load("people.csv", TABLE)
    assert visitor.desk.specs == {}


@pytest.mark.parametrize("line", ['hierarchy = "/etc/passwd"', 'hierarchy = { file = "/etc/passwd" }'])
def test_a_policy_that_was_sent_reads_no_file_of_this_machine(visitor: Visitor, line: str):
    visitor.load("people.csv", TABLE)
    text = f'k = 3\n[columns.age]\nrole = "quasi-identifier"\n{line}\n'
    answer = visitor.client.post(
        "/load/upload/project?table=" + visitor.desk.key, files={"file": ("policy.toml", text.encode())}
    )
    assert answer.status_code == 400
    assert "names files" in answer.text
    assert visitor.desk.roles == {}


def test_a_policy_is_opened_and_exported_as_it_was(visitor: Visitor):
    work(visitor)
    text = visitor.client.get("/policy?table=" + visitor.desk.key).text
    other = text.replace("k = 6", "k = 4").replace("[5, 15]", "[10, 30]")
    answer = visitor.client.post(
        "/load/upload/project?table=" + visitor.desk.key, files={"file": ("policy.toml", other.encode())}
    )
    assert answer.status_code == 200
    assert tomllib.loads(visitor.client.get("/policy?table=" + visitor.desk.key).text) == tomllib.loads(other)
    assert visitor.desk.questions() == []
    wrong = visitor.client.post(
        "/load/upload/project?table=" + visitor.desk.key,
        files={"file": ("policy.toml", other.replace("[columns.age]", "[columns.no]").encode())},
    )
    assert wrong.status_code == 400
    assert tomllib.loads(visitor.client.get("/policy?table=" + visitor.desk.key).text) == tomllib.loads(other), (
        "all of it, or nothing"
    )


def test_a_project_of_another_table_is_not_saved_by_an_old_page(visitor: Visitor):
    work(visitor)
    old = visitor.desk.key
    visitor.load("other.csv", b"x,y\n" + b"1,2\n" * 20)
    assert visitor.client.post(f"/project?table={old}").status_code == 409
    assert visitor.client.get(f"/policy?table={old}").status_code == 409


def test_saved_work_may_be_closed_without_a_word(visitor: Visitor):
    work(visitor)
    assert "and discard" in visitor.client.get("/open").text
    save(visitor)
    assert "and discard" not in visitor.client.get("/open").text
    visitor.client.post("/hierarchies/1/weight", data={"weight": "3"})
    assert "and discard" in visitor.client.get("/open").text


def test_what_a_killed_studio_kept_is_offered_by_the_next(visitor: Visitor, monkeypatch: pytest.MonkeyPatch):
    """A crash of the server: what was decided is there, without a row, and only its owner can read it."""
    work(visitor)
    [kept] = state_folder().glob("*.json")
    assert kept.stat().st_mode & 0o777 == 0o600
    assert state_folder().stat().st_mode & 0o777 == 0o700
    assert "p17" not in kept.read_text()
    assert autosave.left_behind() == [], "its studio still runs"
    asked = visitor.desk.policy().toml()
    left = kept.rename(kept.with_name("studio-999999999.json"))
    visitor.desk.clear()
    page = visitor.client.get("/open").text
    assert "was kept, without its rows" in page
    name = re.search(r'name="name" value="([^"]+)"', page)
    assert name is not None
    visitor.client.post("/project/resume", data={"name": name[1], "act": "resume"})
    assert left.exists(), "a second crash, before the table is there, loses nothing"
    assert "was kept, without its rows" not in visitor.client.get("/open").text
    visitor.load("people.csv", TABLE)
    assert not left.exists()
    assert visitor.desk.policy().toml() == asked
    visitor.client.post("/close/table")
    assert list(state_folder().glob("*.json")) == [], "closed on purpose, nothing stays"


def test_the_last_few_that_were_left_are_offered_and_read_again_only_if_they_changed(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
):
    """Sixty files that were left made every start page wait for a quarter of a second."""
    work(visitor)
    [kept] = state_folder().glob("*.json")
    content, own = kept.read_text(), kept.name
    for i in range(8):
        (state_folder() / f"studio-99999990{i}.json").write_text(content.replace("people.csv", f"people{i}.csv"))
        os.utime(state_folder() / f"studio-99999990{i}.json", (1_000_000 + i, 1_000_000 + i))
    page = visitor.client.get("/open").text
    assert re.findall(r"<strong>(people\d\.csv)</strong> was kept", page) == [f"people{i}.csv" for i in (7, 6, 5, 4, 3)]
    assert "3 older ones are offered when these" in page
    n_read: list[bytes] = []
    read = projects.read
    monkeypatch.setattr(projects, "read", lambda given: n_read.append(given) or read(given))
    visitor.client.get("/open")
    assert n_read == []
    (state_folder() / "studio-999999907.json").write_text(content.replace("people.csv", "other9.csv"))
    page = visitor.client.get("/open").text
    assert len(n_read) == 1
    assert "other9.csv" in page
    assert "people7.csv" not in page
    for i in (7, 6, 5):
        visitor.client.post("/project/resume", data={"name": f"studio-99999990{i}.json", "act": "discard"})
    page = visitor.client.get("/open").text
    assert re.findall(r"<strong>(people\d\.csv)</strong> was kept", page) == [f"people{i}.csv" for i in (4, 3, 2, 1, 0)]
    assert "offered when these" not in page
    assert (state_folder() / own).exists()


def test_nothing_but_what_a_studio_kept_is_discarded(visitor: Visitor):
    state_folder().mkdir(parents=True)
    other = state_folder() / "notes.json"
    other.write_text("{}")
    for name in ("notes.json", "../notes.json", "studio-1.json", ""):
        assert visitor.client.post("/project/resume", data={"name": name, "act": "discard"}).status_code == 200
    assert other.exists()
