"""The whole way in a real browser: from a file to a release that the recount verifies."""

from __future__ import annotations

import json
import re
import signal
from pathlib import Path

import polars as pl
import pytest
from playwright.sync_api import Route, expect

import shoal
from shoal.cli.main import run
from shoal.demo import files
from tests.browsers import Seen, check
from tests.studio import steps
from tests.studio.conftest import Served
from tests.studio.steps import QI

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def patients(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first 600 of the demo's patients."""
    path = tmp_path_factory.mktemp("patients") / "patients.csv"
    path.write_text("\n".join(files().table.read_text().splitlines()[:601]) + "\n")
    return path


@pytest.mark.usual_effort  # the studio is a process of its own, and its release is made again here
def test_from_upload_to_download(studio: Served, seen: Seen, patients: Path, tmp_path: Path) -> None:
    page = seen.page
    steps.load(page, studio.address, patients)
    assert not page.locator("ul.columns select").evaluate_all("all => all.some(s => s.value)"), (
        "a suggestion was taken by itself"
    )
    steps.patients(page)
    page.get_by_role("link", name="age", exact=True).first.click()
    expect(page.locator("#column h2")).to_have_text("age")
    steps.run(page, 4)
    check(seen)
    steps.run(page, 8)
    page.get_by_role("link", name="Compare two of them").click()
    for words in ("Run 1: k=4", "Run 2: k=8"):  # the figures and the losses of each
        expect(page.get_by_role("columnheader", name=re.compile(words))).to_have_count(2)
    assert seen.violations() == []
    page.goto(f"{studio.base}/runs/1")
    names = ("release.csv", "release.parquet", "report.html", "manifest.json", "policy.toml")
    made = {name: steps.download(page, name, tmp_path) for name in names}
    verdict = shoal.verify(
        patients, made["release.csv"], k=4, quasi_identifiers=QI, sensitive=["diagnosis"], reordered=True
    )
    assert verdict.n_rows == 600
    shoal.verify(patients, made["release.parquet"], k=4, quasi_identifiers=QI, reordered=True)
    assert "name" not in pl.read_csv(made["release.csv"], infer_schema=False).columns
    assert json.loads(made["manifest.json"].read_text())["k"] == 4
    again = tmp_path / "again.csv"
    assert run(["anonymize", str(patients), "-o", str(again), "--policy", str(made["policy.toml"]), "--quiet"]) == 0
    assert again.read_bytes() == made["release.csv"].read_bytes()
    assert seen.complaints == []
    assert {re.match(r"https?://[^/]+", url).group() for url in seen.requests if url.startswith("http")} == {
        studio.origin
    }  # type: ignore[union-attr]


def test_a_suggestion_is_taken_only_when_asked_for(studio: Served, seen: Seen, patients: Path) -> None:
    page = seen.page
    steps.load(page, studio.address, patients)
    steps.give(page, name="insensitive")
    page.get_by_role("button", name="Take these 8 suggestions").click()
    expect(page.get_by_label("Role of age", exact=True)).to_have_value("quasi-identifier")
    expect(page.get_by_label("Role of name", exact=True)).to_have_value("insensitive")


def test_a_run_waits_for_the_questions_and_says_which(studio: Served, seen: Seen, tmp_path: Path) -> None:
    """A date that can be read in two ways, a mark that may stand for nothing, and a column that tells what another
    hides.
    """
    path = tmp_path / "visits.csv"
    rows = [
        f"0{1 + i % 6}/0{1 + i % 4}/20{15 + i % 3},20{15 + i % 3},"
        f"{'NA' if i % 11 == 0 else 20 + i % 31},x{i * i // 7 % 4}"
        for i in range(200)
    ]
    path.write_text("seen,year,age,code\n" + "\n".join(rows) + "\n")
    page = seen.page
    steps.load(page, studio.address, path)
    steps.give(page, seen="quasi-identifier", year="insensitive", age="quasi-identifier", code="insensitive")
    page.get_by_role("button", name="Make the release").click()
    expect(page.locator("#said")).to_contain_text(
        "A run waits for 3 answers. First: How are the dates of 'seen' written"
    )
    assert page.evaluate("document.activeElement.className") == "wrong", "what is wrong has the focus"
    assert seen.violations() == []
    steps.answer(page, "DD/MM/YYYY")
    expect(page.locator("#question")).to_contain_text("Does “NA” in 'age' stand for a missing cell?")
    steps.answer(page, "Yes, it is missing")
    expect(page.locator("#question")).to_contain_text(
        "'year' is to be released as it is, but it tells some of what 'seen' hides"
    )
    steps.answer(page, "Protect both")
    expect(page.locator("#questions")).to_be_hidden()
    steps.run(page, 5)
    text = steps.download(page, "policy.toml", tmp_path).read_text()
    assert 'missing_values = ["NA"]' in text
    assert 'form = "DD/MM/YYYY"' in text
    assert "# answered: written DD/MM/YYYY" in text
    release = steps.download(page, "release.csv", tmp_path)
    shoal.verify(path, release, policy=tmp_path / "policy.toml")


def test_the_table_is_sorted_searched_hidden_and_explained(studio: Served, seen: Seen, patients: Path) -> None:
    page = seen.page
    steps.load(page, studio.address, patients)
    cells = page.locator(".cells tbody tr")
    expect(cells).to_have_count(50)
    page.locator(".cells thead").get_by_role("link", name="age", exact=True).click()
    expect(page.locator("[aria-sort=ascending]")).to_have_count(1)
    shown = [int(text) for text in page.locator(".cells tbody td:nth-child(4)").all_inner_texts() if text]
    assert shown == sorted(shown)
    page.get_by_label("Search in all cells").fill("RETIRED")
    page.get_by_role("button", name="Find").click()
    expect(page.locator(".pages")).not_to_contain_text("of 600")
    assert all("retired" in row.lower() for row in cells.all_inner_texts())
    page.reload()
    expect(page.get_by_label("Search in all cells")).to_have_value("RETIRED")
    page.get_by_role("button", name="Hide cells").click()
    expect(cells.first).not_to_contain_text("retired")
    assert "retired" not in page.locator("#table tbody").inner_html()
    page.get_by_role("button", name="Hide cells").click()
    expect(cells.first).to_contain_text("retired")
    steps.patients(page)
    steps.run(page, 5)
    expect(page.locator("#view-both")).to_have_attribute("aria-current", "true")
    assert page.locator(".cells td[class*=t]").count() > 0
    cells.nth(2).locator("td").first.click()
    expect(page.locator("#row")).to_contain_text("rows that look alike")
    assert seen.violations() == []
    page.locator("#view-after").click()
    expect(page.locator(".cells thead")).not_to_contain_text("record")


def test_a_k_is_taken_from_the_curve_and_run(studio: Served, seen: Seen, patients: Path) -> None:
    """By mouse and by keyboard; and nothing moves under the pointer while points come: a click on the button once went
    beside it.
    """
    page = seen.page
    steps.load(page, studio.address, patients)
    steps.patients(page)
    button = page.get_by_role("button", name="Make the release", exact=True)
    before = button.bounding_box()
    point = page.get_by_role(
        "radio", name=re.compile("^k = 10: [0-9.]+ % lost; no such release can lose less than .* highest risk")
    )
    point.click(timeout=120_000)
    expect(page.locator("#k")).to_have_value("10")
    expect(page.locator("#k-slide")).to_have_value("10")
    page.get_by_role("radio", name=re.compile("^k = 50")).wait_for(timeout=120_000)
    expect(page.locator("#curve")).not_to_contain_text("is being tried")
    expect(point).to_be_checked()
    assert button.bounding_box() == before
    assert seen.violations() == []
    page.locator("#k-slide").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#k")).to_have_value("11")
    expect(page.locator("#curve [aria-checked=true]")).to_have_count(0)
    page.reload()
    expect(page.locator("#k")).to_have_value("11")
    page.get_by_role("radio", name=re.compile("^k = 3:")).focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radio", name=re.compile("^k = 5:"))).to_be_focused()
    expect(page.locator("#k")).to_have_value("5")
    page.keyboard.press("Enter")
    expect(page.locator("table.runs tbody tr")).to_contain_text("k=5")
    page.get_by_role("button", name="Run with k = 20").click()
    expect(page.locator("table.runs tbody tr").last).to_contain_text("k=20")
    expect(page.locator("table.runs tbody tr").last).to_contain_text("verified", timeout=60_000)


def test_a_page_that_waits_asks_again_when_an_answer_is_lost(studio: Served, seen: Seen, patients: Path) -> None:
    """A page waited for ever for the end of a run after one question of it had found no answer."""
    page = seen.page
    steps.load(page, studio.address, patients)
    steps.patients(page)
    lost: list[str] = []

    def lose(route: Route) -> None:
        lost.append(route.request.url)
        if len(lost) > 2:
            route.continue_()
        else:
            route.abort()

    page.route("**/progress", lose)
    steps.make(page, 5)
    page.goto(f"{studio.base}/runs/1")
    page.wait_for_selector("text=Download the results", timeout=60_000)
    page.goto(studio.base)
    studio.stop(signal.SIGKILL)
    page.locator("#page-after").click()
    expect(page.locator("#said")).to_contain_text("start it again in its terminal: what you decided is kept")


def test_errors_appear_where_the_user_looks(studio: Served, seen: Seen, patients: Path, tmp_path: Path) -> None:
    page = seen.page
    no_table = tmp_path / "picture.csv"
    no_table.write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" * 9)
    steps.enter(page, studio.address)
    page.get_by_label("Table file").set_input_files(no_table)
    page.get_by_role("button", name="Load this file").click()
    page.wait_for_selector("#error")
    assert "picture.csv" in page.locator("#error").inner_text()
    assert "shoal-studio-" not in page.content()
    check(seen)
    steps.load(page, studio.address, patients)
    steps.patients(page)
    steps.make(page, 5000)
    expect(page.locator("#results")).to_contain_text("Lower k", timeout=60_000)
    page.get_by_text("More promises").click()
    page.get_by_label("distinct-l-diversity").fill("900")
    steps.make(page, 5)
    expect(page.locator("#results")).to_contain_text("l-diversity")
    assert seen.violations() == []


def test_a_run_is_watched_and_stopped(studio: Served, seen: Seen, tmp_path: Path) -> None:
    page = seen.page
    steps.load(page, studio.address, files().table)
    steps.patients(page)
    steps.ask_effort(page, 10)  # long enough that it does not end by itself while we look
    steps.make(page, 5)
    stop = page.get_by_role("button", name="Stop, and take the best so far")
    stop.wait_for()
    assert seen.violations() == []
    stop.click()
    page.wait_for_selector("text=Download the results", timeout=90_000)
    path = steps.download(page, "release.csv", tmp_path)
    shoal.verify(files().table, path, k=5, quasi_identifiers=QI, reordered=True)


def test_the_first_step_by_keyboard_and_a_page_that_is_not_there(studio: Served, seen: Seen) -> None:
    page = seen.page
    steps.enter(page, studio.address)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "file"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Load this file"
    page.goto(f"{studio.base}/nowhere")
    assert "no such page" in page.get_by_role("alert").inner_text()
    assert page.evaluate("document.activeElement.id") == "error"
    assert seen.violations() == []


def test_nothing_is_discarded_without_a_question(studio: Served, seen: Seen, patients: Path) -> None:
    """One click wiped, and another table silently discarded the runs."""
    page = seen.page
    steps.load(page, studio.address, patients)
    assert [f.stat().st_mode & 0o777 for f in studio.temporary.glob("shoal-studio-*")] == [0o700]
    steps.patients(page)
    steps.run(page, 4)
    page.get_by_role("link", name=re.compile("^Delete")).click()
    page.get_by_role("link", name="Keep it").click()
    expect(page.locator("table.runs tbody tr")).to_have_count(1)
    page.goto(f"{studio.base}/open")
    expect(page.locator(".card")).to_contain_text("1 run and what you decided about its columns")
    page.get_by_label("Table file").set_input_files(patients)
    page.get_by_role("button", name="Load this file").click()
    expect(page.get_by_role("alert")).to_contain_text("Close it first")
    page.get_by_role("link", name="Close and wipe").click()
    expect(page.locator("main")).to_contain_text("1 run and what you decided")
    assert seen.violations() == []
    page.get_by_role("link", name="Back").click()
    page.get_by_role("link", name=re.compile("^Delete")).click()
    page.get_by_role("button", name="Delete this run").click()
    expect(page.locator("table.runs")).to_have_count(0)
    page.get_by_role("link", name="Close and wipe").click()
    page.get_by_role("button", name="Close and wipe").click()
    page.wait_for_selector("text=The studio is closed")
    assert seen.violations() == []
    assert studio.process.wait(timeout=20) == 0
    assert list(studio.temporary.glob("shoal-studio-*")) == []
