"""The studio on a table of a million rows, in a real browser: what each click takes until its answer is on the screen, how long a stop takes, and a notebook's view.

``python -m benchmarks.studio`` prints one table. Each interaction is done three times, on columns or searches that were not asked for before where that matters; the
slowest counts. It needs a Chromium.
"""

from __future__ import annotations

import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

import shoal

if TYPE_CHECKING:
    from playwright.sync_api import Page

N = int(os.environ.get("SHOAL_BENCHMARK_ROWS", 1_000_000))
REACH = 200
"""Milliseconds from a click to its answer on the screen."""
SETTLED = """async ([act, of]) => {
  const frame = () => new Promise(requestAnimationFrame);
  const work = document.querySelector(".work");
  const begun = performance.now();
  act === "click" ? document.querySelector(of).click() : document.querySelector(act).requestSubmit();
  do await frame(); while (work.hasAttribute("aria-busy"));
  await frame();
  return performance.now() - begun;
}"""
FILLED = """async ([of, at]) => {
  const frame = () => new Promise(requestAnimationFrame);
  const box = document.querySelector(at);
  const old = box.firstChild;
  const begun = performance.now();
  document.querySelector(of).click();
  do await frame(); while (!box.firstChild || box.firstChild === old);
  await frame();
  return performance.now() - begun;
}"""


def table(path: Path) -> Path:
    """People as a registry has them: an identifier, dates, numbers of many values, and codes."""
    rng = np.random.default_rng(6)
    days = np.datetime64("1930-01-01") + rng.integers(0, 27_000, N)
    pl.DataFrame({
        "id": np.char.add("person-", rng.permutation(N).astype(str)), "born": days.astype(str), "zip": rng.integers(10_000, 28_000, N), "sex": rng.choice(["f", "m"], N),
        "job": np.char.add("job ", rng.zipf(1.5, N).clip(1, 300).astype(str)), "income": (rng.lognormal(10, 0.6, N)).round(0).astype(np.int64), "visits": rng.poisson(4, N),
        "ill": np.char.add("ICD-", rng.integers(0, 40, N).astype(str)),
    }).write_csv(path)  # fmt: skip
    return path


class Visit:
    """A browser before a studio, and what it measured."""

    def __init__(self, page: Page, base: str) -> None:
        self.page, self.base = page, base
        self.waits: dict[str, list[float]] = {}

    def note(self, what: str, milliseconds: float) -> None:
        self.waits.setdefault(what, []).append(milliseconds)

    def click(self, what: str, *selectors: str) -> None:
        """Click, and wait for the panes that answer."""
        for selector in selectors:
            self.note(what, self.page.evaluate(SETTLED, ["click", selector]))

    def fill(self, what: str, of: str, at: str, times: int = 3) -> None:
        """Click, and wait until a box holds something else."""
        for i in range(times):
            self.note(what, self.page.evaluate(FILLED, [of.format(i=i + 2), at]))

    def go(self, what: str, address: str, ready: str) -> None:
        """A whole page."""
        for _ in range(3):
            begun = time.perf_counter()
            self.page.goto(self.base + address)
            self.page.wait_for_selector(ready)
            self.note(what, 1000 * (time.perf_counter() - begun))


def columns(visit: Visit) -> None:
    """Roles, questions and the panes of columns."""
    page = visit.page
    visit.click("take all suggestions", "#questions button")
    while page.locator("#questions:not([hidden]) #question").count():
        visit.click("answer a question", "#questions button:last-of-type")
    for name, role in (("born", "quasi-identifier"), ("zip", "quasi-identifier"), ("visits", "insensitive")):
        field = page.get_by_label(f"Role of {name}", exact=True)
        chosen = f"#{field.get_attribute('id')}"
        page.evaluate("([at, role]) => { document.querySelector(at).value = role; }", [chosen, role])
        form = f"#{page.locator('li', has=field).get_attribute('id')} form"
        visit.note("give a role", page.evaluate(SETTLED, [form, ""]))
    while page.locator("#questions:not([hidden]) #question").count():
        visit.click("answer a question", "#questions button:last-of-type")
    visit.click("open a column", *(f"#column-{i} a" for i in (0, 1, 2, 5)))


def rows(visit: Visit, when: str = "") -> None:
    """Pages, orders and searches."""
    page = visit.page
    visit.click(f"next page{when}", "#page-after", "#page-after", "#page-after")
    visit.click(f"sort, the first time{when}", *(f"#sort-{i}" for i in (0, 1, 5)))
    visit.click(f"sort, falling{when}", *("#sort-5",) * 2)
    for text in ("person-77", "8", "ICD-3", "job 2", "zürich"):
        page.locator("#search").evaluate("(field, text) => { field.value = text; }", text)
        visit.note(f"search{when}", page.evaluate(SETTLED, ["form.search", ""]))
    page.locator("#search").evaluate("(field) => { field.value = ''; }")
    visit.note(f"search{when}", page.evaluate(SETTLED, ["form.search", ""]))
    visit.click(f"hide and show cells{when}", "#hide", "#hide")


def hierarchies(visit: Visit) -> None:
    """A ruler of many numbers and a tree of many values, each with its prices, and undo."""
    page = visit.page
    for name, tools in (("income", "ruler"), ("zip", "ruler"), ("zip", "tree"), ("job", "tree")):
        index = ["id", "born", "zip", "sex", "job", "income", "visits", "ill"].index(name)
        visit.go("open the page of a hierarchy", f"/hierarchies/{index}", "h1")
        if tools == "ruler" and page.locator("#ruler-page").count():
            page.wait_for_selector("svg.ruler")
            visit.fill("ruler: add a line", "[data-rule=add]", "#ruler", 2)
            visit.fill("ruler: undo", "[data-rule=undo]", "#ruler", 2)
            visit.fill("ruler: redo", "[data-rule=redo]", "#ruler", 1)
        if tools == "tree" and page.locator("#tree-page").count():
            page.wait_for_selector("[role=treeitem][aria-level='2']")
            page.locator("[role=treeitem][aria-level='2'] > .line").first.click()
            visit.fill("tree: move down and up", "[data-change=down]", "#tree", 1)
            visit.fill("tree: move down and up", "[data-change=up]", "#tree", 1)
            visit.fill("tree: undo", "[data-change=undo]", "#tree", 2)
            visit.fill("tree: redo", "[data-change=redo]", "#tree", 1)


def runs(visit: Visit) -> None:
    """A run that is stopped, and what is seen of it."""
    page = visit.page
    page.goto(visit.base + "/")
    page.evaluate(SETTLED, ["#ask-form", ""])
    page.wait_for_selector("[data-at=figure] path.b", timeout=240_000, state="attached")  # one point has no size
    rows(visit, " while a run goes on")
    begun = time.perf_counter()
    page.get_by_role("button", name="Stop, and take the best so far").click()
    stages = ("Recounting", "Drawing")
    page.wait_for_selector(", ".join(["#downloads", *(f"[data-at=stage]:has-text('{stage}')" for stage in stages)]), timeout=240_000)
    visit.note("stop: until the search has ended", 1000 * (time.perf_counter() - begun))
    page.wait_for_selector("text=Download the results", timeout=240_000)
    visit.note("stop: until the release is verified and on the page", 1000 * (time.perf_counter() - begun))
    visit.click("before, after, side by side", "#view-after", "#view-before", "#view-both")
    rows(visit, ", side by side")
    visit.fill("a row and its group", ".cells tbody tr:nth-child({i}) td", "#row")
    visit.go("the report of the run", "/runs/1", "text=Glossary")
    visit.go("the workspace with its results", "/", "text=Download the results")


def in_browser(page: Page, address: str, name: str) -> dict[str, list[float]]:
    visit = Visit(page, address.split("/?")[0])
    page.goto(address)
    begun = time.perf_counter()
    page.get_by_role("button", name=name).click()
    page.wait_for_selector("ul.columns", timeout=120_000)
    visit.note("read the table", 1000 * (time.perf_counter() - begun))
    visit.go("the workspace", "/", "ul.columns")
    columns(visit)
    rows(visit)
    hierarchies(visit)
    runs(visit)
    return visit.waits


def notebook(path: Path) -> float:
    """The view of a release of a million rows, the first time that it is shown."""
    release = shoal.anonymize(
        path, k=5, quasi_identifiers=["born", "zip", "sex", "job"], sensitive=["ill"], identifiers=["id"], algorithm="mondrian"
    )
    begun = time.perf_counter()
    release._repr_html_()
    return 1000 * (time.perf_counter() - begun)


def first_page(folder: Path, use: Callable[[str], Any]) -> float:
    """Milliseconds from the command to its address; what is done with it follows, then it is closed."""
    begun = time.perf_counter()
    command = [sys.executable, "-u", "-m", "shoal", "studio", "--no-browser"]
    own = {**os.environ, "XDG_STATE_HOME": str(folder / "state")}  # what a studio keeps for its next start is not left in somebody's home
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=folder, env=own) as studio:
        try:
            found = re.search(r"http://\S+", studio.stdout.readline() if studio.stdout else "")
            use(found.group() if found else "")
            return 1000 * (time.perf_counter() - begun)
        finally:
            studio.terminate()


def main() -> None:
    from playwright.sync_api import sync_playwright
    from tests.browsers import FLAGS
    from tests.conftest import find_browser

    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        browser = playwright.chromium.launch(executable_path=find_browser(), args=FLAGS)
        page = browser.new_page(viewport={"width": 1300, "height": 900})
        page.set_default_timeout(60_000)
        waits = {"from the command to the first page": [first_page(folder, page.goto) for _ in range(3)]}
        path = table(folder / "million.csv")
        first_page(folder, lambda address: waits.update(in_browser(page, address, path.name)))
        browser.close()
        waits["a notebook's view of a release"] = [notebook(path)]
    print(f"{'':56} {'slowest':>9} {'median':>9}   (milliseconds, {N:,} rows; a click should take at most {REACH})")
    for what, found in waits.items():
        print(f"{what:56} {max(found):9,.0f} {statistics.median(found):9,.0f}   {'' if max(found) <= REACH else '> ' + str(REACH)}")


if __name__ == "__main__":
    main()
