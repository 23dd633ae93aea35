"""The same in a real browser: tabs that share a studio, clicked at random. What they do and get: ``stale.py``."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tests.attacks.stale import KEY, LINK, NAMES, Truth, check, table
from tests.studio.steps import enter, is_start

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

STALE = "no longer on the desk"


class Tabs:
    """Pages of one browser that use one studio."""

    def __init__(self, context: BrowserContext, address: str, seed: int, folder: Path, n_tabs: int = 3) -> None:
        self.context, self.base, self.folder = context, address.split("/?")[0], folder
        self.rng, self.truth, self.done, self.n_loads = np.random.default_rng(seed), Truth(), Counter[str](), 0
        first = self._open()
        enter(first, address)
        self.pages = [first, *(self._open() for _ in range(n_tabs - 1))]

    def _open(self) -> Page:
        page = self.context.new_page()
        page.set_default_timeout(30_000)
        return page

    def go(self, steps: int) -> Counter[str]:
        """So many clicks; raises where a file is not what its page says."""
        moves = [
            (self.load, 0.7),
            (self.run, 2),
            (self.download, 5),
            (self.reload, 1.5),
            (self.back, 1.5),
            (self.results, 2),
            (self.close, 0.5),
        ]
        weight = np.array([w for _, w in moves], dtype=float)
        opening = [(self.load, 0), (self.run, 0), (self.download, 0), (self.load, 1), (self.download, 0)]  # the case of the audit
        for move, i in opening:
            self.done[move.__name__] += 1
            move(i)
        for _ in range(steps - len(opening)):
            i = int(self.rng.integers(len(self.pages)))
            move = moves[int(self.rng.choice(len(moves), p=weight / weight.sum()))][0]
            self.done[move.__name__] += 1
            move(i)
        return self.done

    def load(self, i: int) -> None:
        page = self.pages[i]
        self.n_loads += 1
        mark, path = f"mark{self.n_loads}", self.folder / f"table{int(self.rng.integers(3))}.csv"
        path.write_bytes(table(mark, self.rng))
        page.goto(self.base + "/open")
        discard = page.get_by_role("button", name="and discard")
        if discard.count():
            discard.click()
        page.get_by_label("Table file").set_input_files(path)
        page.get_by_role("button", name="Load this file").click()
        page.wait_for_selector("ul.columns")
        key = _key(page)
        self.truth.marks[key], self.truth.current = mark, key

    def run(self, i: int) -> None:
        """By the form that the tab shows, old or new; from the columns where it shows none."""
        page = self.pages[i]
        if not self.truth.current:
            return
        if not page.locator("ul.columns").count():
            page.goto(self.base + "/")
            page.wait_for_selector("ul.columns")
        key = _key(page)
        for name, role in (("age", "quasi-identifier"), ("sex", "quasi-identifier"), ("mark", "insensitive")):
            field = page.get_by_label(f"Role of {name}", exact=True)
            if field.input_value() != role:
                with page.expect_response(lambda answer: "/columns/" in answer.url):
                    field.select_option(role)
                page.wait_for_selector(".work:not([aria-busy])")
        k = int(self.rng.integers(2, 6))
        page.get_by_label("k: rows that look alike").fill(str(k))
        with page.expect_response(is_start):
            page.get_by_role("button", name="Make the release", exact=True).click()
        page.wait_for_selector(".work:not([aria-busy])")
        if key != self.truth.current:
            see(page, STALE)
            self.done["refused"] += 1
            return
        number = sum(one == key for one, _ in self.truth.k) + 1
        self.truth.k[key, number] = k
        page.goto(f"{self.base}/runs/{number}")
        see(page, "Download the results")
        assert page.url.endswith(f"/tables/{key}/runs/{number}")

    def download(self, i: int) -> None:
        page = self.pages[i]
        links = [link for link in LINK.findall(page.content()) if link[4] in NAMES]
        if not links:
            return
        url, key, number, _, name = links[int(self.rng.integers(len(links)))]
        link = page.locator(f'a[href$="{url}"]')
        if key != self.truth.current:
            link.click()
            see(page, STALE)
            self.done["refused"] += 1
            return
        with page.expect_download() as waiting:
            link.click()
        content = Path(waiting.value.path()).read_bytes()
        run = key, int(number)
        check(name, content, self.truth.marks[key], self.truth.k[run], self.truth, run)
        self.done["files"] += 1

    def reload(self, i: int) -> None:
        page = self.pages[i]
        if page.url.startswith(self.base + "/tables/"):
            page.reload()
            is_stale = page.url.split("/tables/")[1].split("/")[0] != self.truth.current
            see(page, STALE if is_stale else "Download the results")
            self.done["refused"] += is_stale

    def back(self, i: int) -> None:
        """To the page before, as the browser kept it."""
        self.pages[i].go_back()

    def results(self, i: int) -> None:
        page, known = self.pages[i], [number for key, number in self.truth.k if key == self.truth.current]
        if known:
            page.goto(f"{self.base}/runs/{int(self.rng.choice(known))}")
            see(page, "Download the results")

    def close(self, i: int) -> None:
        self.pages[i].close()
        self.pages[i] = self._open()


def see(page: Page, text: str) -> None:
    """Wait until the page says this; where it never does, say what it says instead."""
    try:
        page.get_by_text(text).first.wait_for()
    except Exception:
        raise AssertionError(f"{page.url} does not say '{text}' but: {page.locator('main').inner_text()[:600]}") from None


def _key(page: Page) -> str:
    found = KEY.search(page.content())
    assert found is not None
    return found.group(1)


def in_browser(steps: int, seed: int, folder: Path) -> Counter[str]:
    """So many steps in tabs of a Chromium before a studio that is started for it."""
    from playwright.sync_api import sync_playwright

    from tests.browsers import FLAGS
    from tests.conftest import find_browser
    from tests.studio.conftest import start

    work = folder / "work"
    work.mkdir()
    served = start(work, folder / "private")
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=find_browser(), args=FLAGS)
            try:
                return Tabs(browser.new_context(accept_downloads=True), served.address, seed, folder).go(steps)
            finally:
                browser.close()
    finally:
        served.stop()
