"""A studio as a person starts it, and a browser in front of it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from axe_core_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, sync_playwright

from tests.conftest import find_browser

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"]


@dataclass
class Served:
    """A running studio."""

    process: subprocess.Popen[str]
    address: str
    temporary: Path
    """Where it keeps its private folder."""

    @property
    def base(self) -> str:
        return self.address.split("/?")[0]

    @property
    def token(self) -> str:
        return self.address.split("token=")[1]

    def stop(self, how: signal.Signals = signal.SIGINT) -> int:
        if self.process.poll() is None:
            self.process.send_signal(how)
        self.process.communicate(timeout=30)
        return self.process.returncode


def start(folder: Path, temporary: Path, *arguments: str) -> Served:
    """``shoal studio`` in a folder, with its private folder where the test can look."""
    temporary.mkdir(exist_ok=True)
    process = subprocess.Popen(
        [sys.executable, "-m", "shoal", "studio", "--no-browser", *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(temporary), "PYTHONUNBUFFERED": "1"},
    )
    assert process.stdout is not None
    line = process.stdout.readline()
    found = re.search(r"http://\S+", line)
    if found is None:
        _, said = process.communicate(timeout=30)
        raise AssertionError(line + said)
    return Served(process, found.group(), temporary)


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Served]:
    served = start(_folder(tmp_path), tmp_path / "private")
    yield served
    served.stop()


def _folder(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
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
        """What axe finds wrong with the page as it is now."""
        found = Axe().run(self.page)["violations"]
        return [f"{v['id']}: {v['help']}: {[n['html'] for n in v['nodes']][:3]}" for v in found]


@pytest.fixture
def seen(browser: Browser) -> Iterator[Seen]:
    context = browser.new_context(accept_downloads=True, viewport={"width": 1200, "height": 900})
    page = context.new_page()
    page.set_default_timeout(20_000)
    watched = Seen(page)
    page.on("request", lambda request: watched.requests.append(request.url))
    page.on("console", lambda message: watched.complaints.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: watched.complaints.append(str(error)))
    yield watched
    context.close()
