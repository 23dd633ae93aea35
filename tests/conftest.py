"""What all tests share: the browser tests are left out, and that is said, where there is no browser."""

from __future__ import annotations

import os
import shutil

import pytest
from hypothesis import settings

# A loaded machine is no failure, and the same commit gives the same verdict: `make test` draws the same examples each time.
settings.register_profile("shoal", deadline=None, derandomize=True)
settings.register_profile("exploring", deadline=None)  # `make test-all` draws new ones
settings.load_profile("shoal")

pytest_plugins = ["tests.browsers"]

BROWSERS = (os.environ.get("SHOAL_CHROMIUM", ""), "chromium", "chromium-browser", "google-chrome-stable", "google-chrome")


def find_browser() -> str | None:
    """The path of a Chromium, the same that scripts/browser.sh finds."""
    return next((path for name in BROWSERS if name and (path := shutil.which(name))), None)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if find_browser() is not None:
        return
    left_out = [item for item in items if item.get_closest_marker("browser")]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not item.get_closest_marker("browser")]


def pytest_report_header() -> str:
    return f"browser: {find_browser() or 'none found, so the browser tests are left out (apt-get install chromium)'}"
