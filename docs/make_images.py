"""Draw the pictures of the documentation anew: every page of the studio, and the report, in a real browser. ``python docs/make_images.py``"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from shoal.demo import files

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.browsers import FLAGS  # noqa: E402 - the same browser as the tests
from tests.conftest import find_browser  # noqa: E402

IMAGES = ROOT / "docs" / "images"
ROLES = {
    "quasi-identifier": ("age", "sex", "postcode", "job", "nationality"),
    "identifier": ("name", "record"),
    "sensitive": ("diagnosis",),
    "insensitive": ("admitted",),
}


def shoot(page: Page, name: str, height: int = 800) -> None:
    """A picture of modest size: the top of the page, in 256 colours."""
    path = IMAGES / f"{name}.png"
    page.wait_for_timeout(200)
    page.screenshot(path=path, clip={"x": 0, "y": 0, "width": page.viewport_size["width"], "height": height}, full_page=True)
    with Image.open(path) as picture:
        picture.convert("RGB").quantize(128, dither=Image.Dither.NONE).save(path, optimize=True)


def run(page: Page, k: int, while_running: Callable[[], None] | None = None) -> None:
    page.get_by_role("link", name="Run", exact=True).click()
    page.get_by_label("k: rows that look alike").fill(str(k))
    if k == 5:
        shoot(page, "studio-run", 620)
    page.get_by_role("button", name="Run", exact=True).click()
    if while_running is not None:
        while_running()
    page.wait_for_selector("text=Download the results", timeout=300_000)


def draw(page: Page, address: str) -> None:
    base = address.split("/?")[0]
    page.goto(address)
    shoot(page, "studio-load", 620)
    page.get_by_label("Table file").set_input_files(files().table)
    page.get_by_role("button", name="Load this file").click()
    page.wait_for_selector("table.columns")
    for role, names in ROLES.items():
        for name in names:
            page.get_by_label(f"Role of {name}", exact=True).select_option(role)
    page.get_by_role("button", name="Take these roles").click()
    page.wait_for_selector("text=prosecutor")
    shoot(page, "studio-risk")
    page.goto(f"{base}/columns")
    shoot(page, "studio-columns")
    job = page.locator("tr", has=page.get_by_label("Role of job", exact=True)).get_by_role("link").get_attribute("href")
    page.goto(base + str(job))
    page.get_by_label("hierarchy file").set_input_files(files().table.parent / "hierarchies" / "job.csv")
    page.get_by_role("button", name="Use this file").click()
    page.wait_for_selector("[role=treeitem][aria-level='2']")
    page.locator("[role=treeitem][aria-level='2'] > .line").first.dblclick()
    page.wait_for_selector("[role=treeitem][aria-level='3']")
    shoot(page, "studio-hierarchy", 1150)

    def watch() -> None:
        """Some while after loss and bound are both there."""
        page.wait_for_selector("#figure path.b", timeout=120_000)
        page.wait_for_timeout(8_000)
        if page.locator("#figure svg").count():
            shoot(page, "studio-running", 700)

    run(page, 5, watch)
    shoot(page, "studio-report", 1100)
    run(page, 10)
    page.get_by_role("link", name="Compare", exact=True).click()
    shoot(page, "studio-compare", 900)
    with page.expect_download() as waiting:
        page.goto(f"{base}/runs/1")
        page.get_by_role("link", name="report.html", exact=True).click()
    report = Path(tempfile.mkdtemp()) / "report.html"
    waiting.value.save_as(report)
    page.goto(report.as_uri())
    shoot(page, "report", 1600)
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": 360, "height": 800})
    shoot(page, "report-phone", 900)


def main() -> None:
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-u", "-m", "shoal", "studio", "--no-browser"]
        with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as studio, sync_playwright() as playwright:
            try:
                found = re.search(r"http://\S+", studio.stdout.readline() if studio.stdout else "")
                browser = playwright.chromium.launch(executable_path=find_browser(), args=FLAGS)
                page = browser.new_page(viewport={"width": 1100, "height": 800})
                page.set_default_timeout(30_000)
                draw(page, found.group() if found else "")
                browser.close()
            finally:
                studio.terminate()


if __name__ == "__main__":
    main()
