"""Draw the pictures of the documentation anew: every page of the studio, and the report, in a real browser. ``python docs/make_images.py``, or
``python docs/make_images.py report`` for the report alone."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

import shoal
from shoal.demo import files

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.browsers import FLAGS  # noqa: E402 - the same browser as the tests
from tests.conftest import find_browser  # noqa: E402
from tests.studio import steps  # noqa: E402

IMAGES = ROOT / "docs" / "images"


def shoot(page: Page, name: str, height: int = 800) -> None:
    """A picture of modest size: the top of the page, in 256 colours."""
    path = IMAGES / f"{name}.png"
    page.set_viewport_size({"width": page.viewport_size["width"], "height": max(height, page.viewport_size["height"])})
    page.wait_for_timeout(200)
    page.screenshot(path=path, clip={"x": 0, "y": 0, "width": page.viewport_size["width"], "height": height}, full_page=True)
    small(path)


def small(path: Path) -> None:
    """The picture in 128 colours."""
    with Image.open(path) as picture:
        picture.convert("RGB").quantize(128, dither=Image.Dither.NONE).save(path, optimize=True)


def draw(page: Page, address: str) -> None:
    """The way of a steward through the demo's table."""
    base = address.split("/?")[0]
    steps.enter(page, address)
    shoot(page, "studio-open", 560)
    steps.load(page, address, files().table)
    shoot(page, "studio-questions")
    steps.take_suggestions(page)
    steps.give(page, admitted="insensitive")
    steps.answer_all(page)
    page.get_by_role("link", name="postcode", exact=True).first.click()
    page.wait_for_timeout(500)
    shoot(page, "studio-column")
    arrange(page, base)
    page.goto(f"{base}/")
    page.get_by_role("radio", name=re.compile("^k = 50")).wait_for(timeout=120_000)
    steps.make(page, 5)
    page.wait_for_selector(".figure path.b", timeout=120_000)
    page.wait_for_timeout(4_000)
    page.locator("#results").screenshot(path=IMAGES / "studio-running.png")
    small(IMAGES / "studio-running.png")
    page.wait_for_selector("text=Download the results", timeout=300_000)
    page.locator(".cells tbody tr").nth(1).locator("td").nth(2).click()
    page.wait_for_timeout(500)
    shoot(page, "studio-workspace", 1000)
    page.locator("#results").screenshot(path=IMAGES / "studio-results.png")
    small(IMAGES / "studio-results.png")
    steps.run(page, 10)
    page.goto(f"{base}/compare")
    shoot(page, "studio-compare", 900)


def arrange(page: Page, base: str) -> None:
    """The hierarchy of jobs as a tree, and of ages as a ruler."""
    age = page.locator("ul.columns li", has=page.get_by_label("Role of age", exact=True)).get_by_role("link").get_attribute("href")
    job = page.locator("ul.columns li", has=page.get_by_label("Role of job", exact=True)).get_by_role("link").get_attribute("href")
    page.goto(base + str(job).replace("columns", "hierarchies"))
    page.get_by_label("hierarchy file").set_input_files(files().table.parent / "hierarchies" / "job.csv")
    page.get_by_role("button", name="Use this file").click()
    page.wait_for_selector("[role=treeitem][aria-level='2']")
    page.locator("[role=treeitem][aria-level='2'] > .line").first.dblclick()
    page.wait_for_selector("[role=treeitem][aria-level='3']")
    page.locator("#arrange").scroll_into_view_if_needed()
    page.wait_for_timeout(200)
    page.locator("section[aria-labelledby=arrange]").screenshot(path=IMAGES / "studio-hierarchy.png")
    small(IMAGES / "studio-hierarchy.png")
    page.goto(base + str(age).replace("columns", "hierarchies"))
    page.wait_for_selector("svg.ruler")
    shoot(page, "studio-ruler", 700)


def show_report(page: Page) -> None:
    """The report that may be published, of the demo's table: the first screen, a phone in the dark, and a part of what an analyst finds."""
    made = files()
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.html"
        shoal.anonymize(made.table, policy=made.policy).report(report)
        page.goto(report.as_uri())
        page.set_viewport_size({"width": 1200, "height": 860})
        shoot(page, "report", 1150)
        page.emulate_media(color_scheme="dark")
        page.set_viewport_size({"width": 360, "height": 800})
        shoot(page, "report-phone", 900)


def with_studio(page: Page) -> None:
    """The pictures of the studio, which runs in a folder of its own meanwhile."""
    command = [sys.executable, "-u", "-m", "shoal", "studio", "--no-browser"]
    with tempfile.TemporaryDirectory() as folder, subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as studio:
        try:
            found = re.search(r"http://\S+", studio.stdout.readline() if studio.stdout else "")
            draw(page, found.group() if found else "")
        finally:
            studio.terminate()


def main() -> None:
    IMAGES.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=FLAGS)
        for show in (show_report,) if sys.argv[1:] == ["report"] else (with_studio, show_report):
            page = browser.new_page(viewport={"width": 1300, "height": 860})
            page.set_default_timeout(30_000)
            show(page)
        browser.close()


if __name__ == "__main__":
    main()
