"""What all tests share: the browser tests are left out, and that is said, where there is no browser."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest
from hypothesis import settings

from shoal.search import effort

# A loaded machine is no failure, and the same commit gives the same verdict: `make test` draws the same examples each time.
settings.register_profile("shoal", deadline=None, derandomize=True)
settings.register_profile("exploring", deadline=None)  # `make test-all` draws new ones
settings.load_profile("shoal")
pytest_plugins = ["tests.browsers", "tests.servers"]
BROWSERS = (os.environ.get("SHOAL_CHROMIUM", ""), "chromium", "chromium-browser", "google-chrome-stable", "google-chrome")


def find_browser() -> str | None:
    """The path of a Chromium, the same that scripts/browser.sh finds."""
    return next((path for name in BROWSERS if name and (path := shutil.which(name))), None)


USUAL, LITTLE = effort.ROWS_A_SECOND, 1_500
"""Rows of a small table that the search gets a second for: what users get, and what is enough for most tests."""


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Tests search a tenth as long as users do, but for those about the search itself."""
    effort.ROWS_A_SECOND = USUAL if item.get_closest_marker("usual_effort") else LITTLE


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if find_browser() is not None:
        return
    left_out = [item for item in items if item.get_closest_marker("browser")]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not item.get_closest_marker("browser")]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """At the end, since a quiet run has no header."""
    rooms = json.loads((Path(__file__).parent / "house" / "coverage.json").read_text())
    shares = ", ".join(f"{room} {100 * about['ran'] / max(about['lines'], 1):.0f} %" for room, about in rooms.items())
    terminalreporter.write_line(f"browser: {find_browser() or 'none found, so the browser tests were left out (apt-get install chromium)'}")
    terminalreporter.write_line(f"lines run by the tests, as `make coverage` recorded them: {shares}")
