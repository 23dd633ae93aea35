"""Projects in a real browser: saved, opened again in another studio, and what a crash leaves."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest
from playwright.sync_api import expect

from shoal.cli.main import run
from shoal.studio.questions import ROLES
from tests.browsers import Seen
from tests.studio import steps
from tests.studio.conftest import Served, start

pytestmark = pytest.mark.browser


@pytest.fixture
def people(tmp_path: Path) -> Path:
    path = tmp_path / "work" / "people.csv"
    path.parent.mkdir(exist_ok=True)
    path.write_text(
        "name,age,job,ill\n"
        + "".join(f"Person {i},{18 + (i * i) % 70},{'abc'[i % 3]},{'xyz'[i * i % 3]}\n" for i in range(200))
    )
    return path


def decide(seen: Seen, address: str, path: Path) -> None:
    steps.load(seen.page, address, path)
    steps.give(seen.page, name="identifier", age="quasi-identifier", job="quasi-identifier", ill="sensitive")
    steps.answer_all(seen.page)


def test_a_project_is_saved_and_opened_again_and_gives_the_same_bytes(
    studio: Served, seen: Seen, people: Path, tmp_path: Path
) -> None:
    page = seen.page
    decide(seen, studio.address, people)
    steps.run(page, 4)
    first = steps.download(page, "release.csv", tmp_path).read_bytes()
    page.get_by_role("link", name="Save", exact=True).click()
    assert seen.violations() == []
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Save without the table").click()
    saved = tmp_path / waiting.value.suggested_filename
    waiting.value.save_as(saved)
    assert saved.name == "people.shoal"
    assert "Person 17" not in saved.read_text()
    page.goto(f"{studio.base}/open")
    expect(page.get_by_role("button", name="and discard")).to_have_count(0)
    page.get_by_label("Project (.shoal)").set_input_files(saved)
    page.get_by_role("button", name="Open this file").click()
    expect(page.locator("#waiting-project")).to_contain_text("waits for its table")
    page.get_by_label("Table file").set_input_files(people)
    page.get_by_role("button", name="Load this file").click()
    page.wait_for_selector("ul.columns")
    expect(page.locator("#questions")).to_be_hidden()
    page.get_by_role("button", name="Run again run 1").click()
    page.wait_for_selector("text=the very release that the project had")
    assert steps.download(page, "release.csv", tmp_path).read_bytes() == first


def test_a_killed_studio_loses_no_decision(seen: Seen, people: Path, tmp_path: Path) -> None:
    """A crash of the server, while the table was picked from the disk: two clicks, and all is there, with what can be
    undone and done again.
    """
    page = seen.page
    first = start(people.parent, tmp_path / "private")
    steps.enter(page, first.address)
    page.get_by_role("button", name="people.csv").click()
    page.wait_for_selector("ul.columns")
    steps.give(page, name="identifier", age="quasi-identifier", job="quasi-identifier", ill="sensitive")
    page.goto(f"{first.base}/hierarchies/1")
    lines = page.locator("svg.ruler [role=slider]")
    lines.first.wait_for()
    before = lines.count()
    for n in (1, 2):
        page.get_by_role("button", name="Add a line").click()
        expect(lines).to_have_count(before + n)
    page.locator("#ruler-page").get_by_role("button", name="Undo").click()
    expect(lines).to_have_count(before + 1)
    first.stop(signal.SIGKILL)
    again = start(people.parent, tmp_path / "private")
    steps.enter(page, again.address)
    expect(page.locator("main")).to_contain_text("What you decided about people.csv was kept, without its rows")
    assert seen.violations() == []
    page.get_by_role("button", name="Go on with it").click()
    page.wait_for_selector("ul.columns")
    chosen = page.locator("ul.columns select").evaluate_all("all => all.map(s => s.value)")
    assert chosen == ["identifier", "quasi-identifier", "quasi-identifier", "sensitive"]
    assert set(chosen) <= set(ROLES)
    page.goto(f"{again.base}/hierarchies/1")
    expect(lines).to_have_count(before + 1)
    page.locator("#ruler-page").get_by_role("button", name="Redo").click()
    expect(lines).to_have_count(before + 2)
    for n in (1, 0):
        page.locator("#ruler-page").get_by_role("button", name="Undo").click()
        expect(lines).to_have_count(before + n)
    again.stop()
    assert list((tmp_path / "private").glob("shoal-studio-*")) == []


@pytest.mark.slow
def test_a_colleague_opens_a_sealed_project_with_its_passphrase(
    studio: Served, seen: Seen, people: Path, tmp_path: Path
) -> None:
    page = seen.page
    decide(seen, studio.address, people)
    steps.run(page, 4)
    first = steps.download(page, "release.csv", tmp_path).read_bytes()
    page.get_by_role("link", name="Save", exact=True).click()
    page.get_by_label("Passphrase, at least").fill("correct horse battery")
    page.get_by_label("The same again").fill("correct horse battery")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Save with the table").click()
    saved = tmp_path / "people.shoal"
    waiting.value.save_as(saved)
    assert b"Person 17" not in saved.read_bytes()
    other = start(tmp_path, tmp_path / "other")
    steps.enter(page, other.address)
    page.get_by_label("Project file (.shoal)").set_input_files(saved)
    page.get_by_role("button", name="Open this file").click()
    page.get_by_label("Passphrase of its table").fill("not the passphrase")
    page.get_by_role("button", name="Open the table").click()
    expect(page.get_by_role("alert")).to_contain_text("does not open")
    page.get_by_label("Passphrase of its table").fill("correct horse battery")
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_selector("ul.columns")
    page.get_by_role("button", name="Run again run 1").click()
    page.wait_for_selector("text=the very release that the project had")
    assert steps.download(page, "release.csv", tmp_path).read_bytes() == first
    other.stop()


@pytest.mark.slow
@pytest.mark.usual_effort  # as the studio has it, in a process of its own
def test_a_policy_is_opened_and_the_command_line_gives_the_same_bytes(
    studio: Served, seen: Seen, people: Path, tmp_path: Path
) -> None:
    policy = tmp_path / "given.toml"
    assert run(["init", str(people), "-o", str(policy)]) == 0
    page = seen.page
    steps.load(page, studio.address, people)
    page.goto(f"{studio.base}/open")
    page.get_by_label("Project (.shoal), or policy").set_input_files(policy)
    page.get_by_role("button", name="Open this file").click()
    page.wait_for_selector("ul.columns")
    expect(page.locator("#questions")).to_be_hidden()
    steps.run(page, 6)
    released = steps.download(page, "release.csv", tmp_path)
    exported = steps.download(page, "policy.toml", tmp_path)
    again = tmp_path / "again.csv"
    assert run(["anonymize", str(people), "-o", str(again), "--policy", str(exported), "--quiet"]) == 0
    assert again.read_bytes() == released.read_bytes()
    assert json.loads(steps.download(page, "manifest.json", tmp_path).read_text())["k"] == 6
