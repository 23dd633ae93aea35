"""The whole way in a real browser: from a file to a release that the recount verifies."""

from __future__ import annotations

import json
import re
from pathlib import Path

import polars as pl
import pytest

import shoal
from shoal.cli.main import run
from shoal.demo import files
from tests.browsers import Seen, check
from tests.studio.conftest import Served

pytestmark = pytest.mark.browser
QI = ["age", "sex", "postcode", "job"]


@pytest.fixture(scope="module")
def patients(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first 600 of the demo's patients."""
    path = tmp_path_factory.mktemp("patients") / "patients.csv"
    path.write_text("\n".join(files().table.read_text().splitlines()[:601]) + "\n")
    return path


def load(seen: Seen, studio: Served, path: Path) -> None:
    seen.page.goto(studio.address)
    seen.page.get_by_label("Table file").set_input_files(path)
    seen.page.get_by_role("button", name="Load this file").click()
    seen.page.wait_for_selector("table.columns")


def give_roles(seen: Seen) -> None:
    for name in QI:
        seen.page.get_by_label(f"Role of {name}", exact=True).select_option("quasi-identifier")
    for name in ("name", "record"):
        seen.page.get_by_label(f"Role of {name}", exact=True).select_option("identifier")
    seen.page.get_by_label("Role of diagnosis").select_option("sensitive")
    seen.page.get_by_role("button", name="Take these roles").click()
    seen.page.wait_for_selector("text=gives away")
    seen.page.wait_for_selector("text=prosecutor")


def run_it(seen: Seen, k: int) -> None:
    seen.page.get_by_role("link", name="Run", exact=True).click()
    seen.page.get_by_label("k: rows that look alike").fill(str(k))
    seen.page.get_by_role("button", name="Run", exact=True).click()
    seen.page.wait_for_selector("text=Download the results", timeout=60_000)


def download(seen: Seen, name: str, folder: Path) -> Path:
    with seen.page.expect_download() as waiting:
        seen.page.get_by_role("link", name=name, exact=True).click()
    path = folder / name
    waiting.value.save_as(path)
    return path


def test_from_upload_to_download(studio: Served, seen: Seen, patients: Path, tmp_path: Path) -> None:
    page = seen.page
    page.goto(studio.address)
    check(seen)
    load(seen, studio, patients)
    assert not page.locator("select").evaluate_all("all => all.some(s => s.value)"), "a suggestion was taken by itself"
    check(seen)
    give_roles(seen)
    check(seen)
    page.get_by_role("link", name="Run", exact=True).click()
    check(seen)
    run_it(seen, 4)
    check(seen)
    run_it(seen, 8)
    page.get_by_role("link", name="Results").click()
    check(seen)
    page.get_by_role("link", name="Compare", exact=True).click()
    assert page.get_by_role("columnheader", name=re.compile("Run 1: k=4")).count() == 2, "the figures and the losses of the first run"
    assert page.get_by_role("columnheader", name=re.compile("Run 2: k=8")).count() == 2
    check(seen)
    page.goto(f"{studio.base}/runs/1")
    made = {
        name: download(seen, name, tmp_path) for name in ("release.csv", "release.parquet", "report.html", "manifest.json", "policy.toml")
    }
    verdict = shoal.verify(patients, made["release.csv"], k=4, quasi_identifiers=QI, sensitive=["diagnosis"], reordered=True)
    assert verdict.n_rows == 600
    shoal.verify(patients, made["release.parquet"], k=4, quasi_identifiers=QI, reordered=True)
    assert "name" not in pl.read_csv(made["release.csv"], infer_schema=False).columns
    assert json.loads(made["manifest.json"].read_text())["k"] == 4
    again = tmp_path / "again.csv"
    assert run(["anonymize", str(patients), "-o", str(again), "--policy", str(made["policy.toml"]), "--quiet"]) == 0
    assert again.read_bytes() == made["release.csv"].read_bytes()
    assert seen.complaints == []
    assert {re.match(r"https?://[^/]+", url).group() for url in seen.requests if url.startswith("http")} == {studio.base}  # type: ignore[union-attr]


def test_a_suggestion_is_taken_only_when_asked_for(studio: Served, seen: Seen, patients: Path) -> None:
    load(seen, studio, patients)
    seen.page.get_by_label("Role of name", exact=True).select_option("insensitive")
    seen.page.get_by_role("button", name="Use the suggestions").click()
    seen.page.wait_for_selector("text=chosen")
    assert seen.page.get_by_label("Role of age", exact=True).input_value() == "quasi-identifier"
    assert seen.page.get_by_label("Role of name", exact=True).input_value() == "insensitive", "a role that was chosen was overridden"


def test_errors_appear_where_the_user_looks(studio: Served, seen: Seen, patients: Path, tmp_path: Path) -> None:
    page = seen.page
    no_table = tmp_path / "picture.csv"
    no_table.write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" * 9)
    page.goto(studio.address)
    page.get_by_label("Table file").set_input_files(no_table)
    page.get_by_role("button", name="Load this file").click()
    page.wait_for_selector("[role=alert]:not(:empty)")
    assert "picture.csv" in page.get_by_role("alert").inner_text()
    assert "shoal-studio-" not in page.content()
    check(seen)
    load(seen, studio, patients)
    page.get_by_role("button", name="Take these roles").click()
    assert "quasi-identifier" in page.get_by_role("alert").inner_text()
    check(seen)
    give_roles(seen)
    page.goto(f"{studio.base}/settings")
    page.get_by_label("k: rows that look alike").fill("5000")
    page.get_by_role("button", name="Run", exact=True).click()
    page.wait_for_selector("[role=alert]:not(:empty)")
    assert "Lower k" in page.get_by_role("alert").inner_text()
    check(seen)
    page.goto(f"{studio.base}/settings")
    page.get_by_label("distinct-l-diversity").fill("900")
    page.get_by_label("k: rows that look alike").fill("5")
    page.get_by_role("button", name="Run", exact=True).click()
    page.wait_for_selector("[role=alert]:not(:empty)")
    assert "l-diversity" in page.get_by_role("alert").inner_text()


def test_a_run_is_watched_and_stopped(studio: Served, seen: Seen, tmp_path: Path) -> None:
    load(seen, studio, files().table)
    give_roles(seen)
    page = seen.page
    page.goto(f"{studio.base}/settings")
    page.get_by_label("k: rows that look alike").fill("5")
    page.get_by_role("button", name="Run", exact=True).click()
    stop = page.get_by_role("button", name="Stop, and take the best so far")
    stop.or_(page.get_by_text("Download the results")).first.wait_for()
    if stop.is_visible():
        assert seen.violations() == []
        stop.click()
    page.wait_for_selector("text=Download the results", timeout=90_000)
    path = download(seen, "release.csv", tmp_path)
    shoal.verify(files().table, path, k=5, quasi_identifiers=QI, reordered=True)


def test_the_first_step_by_keyboard_and_a_page_that_is_not_there(studio: Served, seen: Seen) -> None:
    page = seen.page
    page.goto(studio.address)
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


def test_the_page_can_close_the_studio(studio: Served, seen: Seen, patients: Path) -> None:
    load(seen, studio, patients)
    assert [f.stat().st_mode & 0o777 for f in studio.temporary.glob("shoal-studio-*")] == [0o700]
    seen.page.get_by_role("button", name="Close and wipe").click()
    seen.page.wait_for_selector("text=The studio is closed")
    assert seen.violations() == []
    assert studio.process.wait(timeout=20) == 0
    assert list(studio.temporary.iterdir()) == []
