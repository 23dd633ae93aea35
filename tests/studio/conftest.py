"""A studio as a person starts it, and a browser in front of it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from shoal.studio.app import make_app
from shoal.studio.desk import Desk
from shoal.studio.locks import Locks


@dataclass
class Served:
    """A running studio."""

    process: subprocess.Popen[str]
    address: str
    temporary: Path
    """Where it keeps its private folder."""

    @property
    def base(self) -> str:
        """Under which its pages are."""
        return self.address.split("/?")[0]

    @property
    def origin(self) -> str:
        return self.base.rpartition("/")[0]

    @property
    def port(self) -> int:
        return int(self.origin.rpartition(":")[2])

    @property
    def token(self) -> str:
        return self.address.split("token=")[1]

    def stop(self, how: signal.Signals = signal.SIGINT) -> int:
        if self.process.poll() is None:
            self.process.send_signal(how)
        self.process.communicate(timeout=120)
        return self.process.returncode


STARTED: list[subprocess.Popen[str]] = []


def as_in_a_terminal() -> None:
    """Tests may be started in the background or under nohup, where a process ignores Ctrl-C or the end of the terminal,
    and so do those that it starts.
    """
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def under_nohup() -> None:
    as_in_a_terminal()
    signal.signal(signal.SIGHUP, signal.SIG_IGN)


def start(folder: Path, temporary: Path, *arguments: str, began: Callable[[], None] = as_in_a_terminal) -> Served:
    """``shoal studio`` in a folder, with its private folder where the test can look."""
    temporary.mkdir(exist_ok=True)
    process = subprocess.Popen(
        [sys.executable, "-m", "shoal", "studio", "--no-browser", *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=began,
        env={
            **os.environ,
            "TMPDIR": str(temporary),
            "XDG_STATE_HOME": str(temporary / "state"),
            "PYTHONUNBUFFERED": "1",
        },
    )
    assert process.stdout is not None
    line = process.stdout.readline()
    found = re.search(r"http://\S+", line)
    if found is None:
        _, said = process.communicate(timeout=120)
        raise AssertionError(line + said)
    STARTED.append(process)
    return Served(process, found.group(), temporary)


@pytest.fixture(autouse=True)
def nothing_keeps_running() -> Iterator[None]:
    """A studio that a failing test did not stop is stopped here."""
    yield
    while STARTED:
        process = STARTED.pop()
        if process.poll() is None:
            process.kill()
            process.communicate()


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Served]:
    served = start(_folder(tmp_path), tmp_path / "private")
    yield served
    served.stop()


def _folder(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir(exist_ok=True)
    return folder


class Tab(TestClient):
    """A tab whose pages are of the table that is on the desk now: its forms name that table."""

    desk: Desk

    def post(self, url: str, **how: Any) -> Any:  # type: ignore[override]
        own = ("/columns", "/hierarchies", "/runs", "/answers", "/marks", "/cells", "/policy", "/close/table")
        if url.startswith(own) and "table=" not in url:
            url += f"{'&' if '?' in url else '?'}table={self.desk.key}"
        return super().post(url, **how)


@dataclass
class Visitor:
    """A browser without a window: it carries the cookie and says where its requests come from."""

    client: TestClient
    desk: Desk
    locks: Locks

    def enter(self) -> Visitor:
        assert self.client.get(self.locks.fresh_link()).status_code == 200
        return self

    def wait(self, address: str) -> str:
        """The page, when the work behind it is done."""
        if self.desk.loading is not None:
            self.desk.loading.wait(60)
        text = self.client.get(address).text
        while "data-wait" in text:
            text = self.client.get(address).text
        return text

    def load(self, name: str, content: bytes) -> str:
        """Send a file, after closing the table that is open; the page that follows."""
        if self.desk.key:
            self.client.post("/close/table")
        page = str(self.client.post("/load/upload", files={"file": (name, content)}).text)
        return self.wait("/") if "data-wait" in page else page

    def give_roles(self, **roles: str) -> str:
        """Roles for these columns; all others are left as they are, and every question gets the answer that changes
        nothing.
        """
        names = self.desk.table.columns
        self.client.post("/columns", data={f"role-{i}": roles.get(name, "insensitive") for i, name in enumerate(names)})
        while asked := self.desk.questions():
            self.client.post("/answers", data={"key": asked[0].key, "answer": asked[0].answers[-1][0]})
        return self.wait("/risk")

    def file(self, number: int, name: str) -> Any:
        """Download a file of a run, by the address that its page gives; where it has none, by one that it would
        have.
        """
        run = self.desk.runs[number - 1]
        home = run.files if run.job.result is not None else f"{run.address}/none"
        return self.client.get(f"{home}/{name}")

    def run(self, **settings: str) -> str:
        """Start a run and wait for it; its page."""
        self.client.post("/runs", data={"k": "5", "algorithm": "mondrian", **settings})
        self.desk.runs[-1].job.wait(60)
        self.desk.runs[-1].is_drawn(60)
        return self.client.get(f"/runs/{len(self.desk.runs)}").text


@pytest.fixture
def stranger(tmp_path: Path) -> Visitor:
    """Somebody without a token."""
    private, root = tmp_path / "private", tmp_path / "work"
    private.mkdir(mode=0o700)
    root.mkdir()
    locks = Locks(4000)
    desk = Desk(folder=private, root=root)
    base = "http://127.0.0.1:4000"
    client = Tab(
        make_app(desk, locks), base_url=base + locks.home, headers={"origin": base}, raise_server_exceptions=False
    )
    client.desk = desk
    return Visitor(client, desk, locks)


@pytest.fixture
def visitor(stranger: Visitor) -> Visitor:
    """Somebody who came by the printed address."""
    return stranger.enter()
