"""A real browser, and what it sees: fixtures for the tests that are marked ``browser``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

AXE = Path(__file__).parents[1] / "scripts/javascript/node_modules/axe-core/axe.min.js"
"""Put there by scripts/javascript.sh."""
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


PATIENCE = 60_000
"""Milliseconds until what should come is missed: a busy machine is slow, and who waits for what comes loses nothing."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """For a module, not for the session: while it is open, the thread has a running event loop, which makes other tests fail."""
    from playwright.sync_api import expect, sync_playwright

    from tests.conftest import find_browser

    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=find_browser(), args=FLAGS)
        yield made
        made.close()


@dataclass
class Seen:
    """A page, every address it asked for, and what its console complained of."""

    page: Page
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def violations(self) -> list[str]:
        """What axe finds wrong with the page as it is now, in the light and in the dark."""
        if not AXE.exists():
            pytest.skip("axe is not here: run scripts/javascript.sh, which needs npm")
        found = []
        for scheme in ("dark", "light"):
            self.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            found += [f"{scheme}: {v['id']}: {v['help']}: {[n['html'] for n in v['nodes']][:3]}" for v in self._axe()]
        return found

    def _axe(self) -> list[dict[str, Any]]:
        from playwright.sync_api import Error

        for _ in range(5):
            self.page.wait_for_load_state("load")
            try:
                self.page.evaluate(AXE.read_text(encoding="utf-8"))
                found: list[dict[str, Any]] = self.page.evaluate("axe.run()")["violations"]
                return found
            except Error:  # the page was replaced by the one that a click asked for
                self.page.wait_for_timeout(200)
        pytest.fail("axe could not be run")


@pytest.fixture
def seen(browser: Browser) -> Iterator[Seen]:
    context = browser.new_context(accept_downloads=True, viewport={"width": 1200, "height": 900})
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    watched = Seen(page)
    page.on("request", lambda request: watched.requests.append(request.url))
    page.on("console", lambda message: watched.complaints.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: watched.complaints.append(str(error)))
    yield watched
    context.close()


def check(seen: Seen) -> None:
    """Nothing is wrong with this page in the light or the dark, on a phone or on a wide screen."""
    assert seen.violations() == [], seen.page.url
    for width in (360, 1920):
        seen.page.set_viewport_size({"width": width, "height": 800})
        wide = seen.page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, f"{seen.page.url} is {wide} wide on a screen of {width}"
    seen.page.set_viewport_size({"width": 1200, "height": 900})
