"""A stale file in the studio.

He is:    anybody who has several tabs open, in no order: one loads a table, another still shows the last one's results.
He does:  he loads, runs, downloads, reloads and closes, at random; and he mixes parts of addresses of different tables and runs.
He gets:  from every page only files of the table and the run that the page is about; from a page whose table is no longer loaded, a page that says so.

Each load has a mark of its own in its rows, and each run its own k, so that every file tells where it comes from.
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np

LINK = re.compile(r'href="/[^"/]+(/tables/(\w+)/runs/(\d+)/(\w+)/([^"?]+)(?:\?safe=1)?)"')
KEY = re.compile(r"table=(\w+)")
NAMES = ("release.csv", "manifest.json", "report.json", "report.html", "record.json", "policy.toml")


class Browser(Protocol):
    """What a tab needs: get and post, with cookies kept, redirects followed."""

    def get(self, url: str) -> Any: ...
    def post(self, url: str, **how: Any) -> Any: ...


@dataclass
class Truth:
    """What was really loaded and run."""

    marks: dict[str, str] = field(default_factory=dict)
    """The mark of each table, by its key."""
    current: str = ""
    k: dict[tuple[str, int], int] = field(default_factory=dict)
    """What each run asked for, by table and number."""
    hashes: dict[tuple[str, int], str] = field(default_factory=dict)
    """Of release.csv."""


@dataclass
class Tab:
    """A tab: the page that it shows, and the table that the page is of."""

    address: str = "/"
    key: str = ""
    text: str = ""

    @property
    def links(self) -> list[tuple[str, str, int, str]]:
        """The files that the page offers: address, key, run, name."""
        return [(url, key, int(number), name) for url, key, number, _, name in LINK.findall(self.text) if name in NAMES]


def table(mark: str, rng: np.random.Generator) -> bytes:
    """A small table; every row has the mark."""
    rows = [f"{20 + int(a)},{'fm'[int(s)]},{mark}" for a, s in zip(rng.integers(0, 30, 14), rng.integers(0, 2, 14), strict=True)]
    return ("age,sex,mark\n" + "\n".join(rows) + "\n").encode()


def check(name: str, content: bytes, mark: str, k: int, truth: Truth, run: tuple[str, int]) -> None:
    """A file tells of the table and the run that it was asked of."""
    text = content.decode()
    if name == "release.csv":
        marks = {line.split(",")[-1] for line in text.splitlines()[1:]}
        assert marks == {mark}, f"rows of {marks} for {mark}"
        told = hashlib.sha256(content).hexdigest()
        assert truth.hashes.setdefault(run, told) == told
    elif name == "policy.toml":
        assert tomllib.loads(text)["k"] == k
    else:
        found = json.loads(text) if name.endswith(".json") else json.loads(text.split('id="numbers">')[1].split("</script>")[0])
        figures = found.get("manifest", found)
        assert figures["k"] == k, (name, figures["k"], k)
        if name in ("manifest.json", "record.json"):
            assert truth.hashes.setdefault(run, figures["release_sha256"]) == figures["release_sha256"]


class Play:
    """Several tabs of one studio."""

    def __init__(self, browser: Browser, seed: int, n_tabs: int = 4) -> None:
        self.browser, self.rng = browser, np.random.default_rng(seed)
        self.truth, self.tabs = Truth(), [Tab() for _ in range(n_tabs)]
        self.done: Counter[str] = Counter()
        self.n_loads = 0

    def go(self, steps: int) -> Counter[str]:
        """So many steps; raises where a file is not what its page says."""
        moves = [(self.load, 0.6), (self.run, 2), (self.download, 6), (self.reload, 2), (self.results, 3), (self.mix, 2), (self.close, 0.6)]
        weight = np.array([w for _, w in moves], dtype=float)
        for _ in range(steps):
            tab = self.tabs[int(self.rng.integers(len(self.tabs)))]
            move = moves[int(self.rng.choice(len(moves), p=weight / weight.sum()))][0]
            self.done[move.__name__] += 1
            move(tab)
        return self.done

    def load(self, tab: Tab) -> None:
        """Another table, often under a name that an earlier one had."""
        self.n_loads += 1
        mark, name = f"mark{self.n_loads}", f"table{int(self.rng.integers(3))}.csv"
        if self.truth.current:
            refused = self.browser.post("/load/upload", files={"file": (name, table(mark, self.rng))})
            assert refused.status_code in (200, 409), "an open table is replaced only where nothing is lost"
            self.browser.post(f"/close/table?table={self._now()}")
        self.browser.post("/load/upload", files={"file": (name, table(mark, self.rng))})
        self._settle(tab, "/")
        found = KEY.search(tab.text)
        assert found is not None
        tab.key = found.group(1)
        assert tab.key not in self.truth.marks, "a key is given once"
        self.truth.marks[tab.key], self.truth.current = mark, tab.key

    def _now(self) -> str:
        """The key of the table that is on the desk."""
        tab = Tab()
        self._settle(tab, "/")
        return tab.key

    def run(self, tab: Tab) -> None:
        """Roles and a run, by the forms of the page that the tab shows."""
        k = int(self.rng.integers(2, 6))
        roles = {"role-0": "quasi-identifier", "role-1": "quasi-identifier", "role-2": "insensitive"}
        given = self.browser.post(f"/columns?table={tab.key}", data=roles)
        answer = self.browser.post(f"/runs?table={tab.key}", data={"k": str(k), "algorithm": "mondrian"})
        if tab.key != self.truth.current or not tab.key:
            assert given.status_code == answer.status_code == 409, (given.status_code, answer.status_code)
            self.done["refused"] += 1
            return
        assert answer.status_code == 200, answer.text
        number = sum(key == tab.key for key, _ in self.truth.k) + 1
        self.truth.k[tab.key, number] = k
        assert str(answer.url).endswith(f"/tables/{tab.key}/runs/{number}")
        self._settle(tab, f"/tables/{tab.key}/runs/{number}")

    def download(self, tab: Tab) -> None:
        """One of the files that the page offers."""
        if tab.links:
            self._fetch(*tab.links[int(self.rng.integers(len(tab.links)))])

    def mix(self, tab: Tab) -> None:
        """An address put together of two pages': whatever comes belongs to the table and run that it names."""
        links = [link for one in self.tabs for link in one.links]
        if links:
            (a, key, *_), (b, _, _, name) = (links[int(self.rng.integers(len(links)))] for _ in range(2))
            number = int(self.rng.integers(1, 4))
            print_of = (a if self.rng.random() < 0.5 else b).split("/")[5]
            self._fetch(f"/tables/{key}/runs/{number}/{print_of}/{name}", key, number, name, is_mixed=True)

    def _fetch(self, url: str, key: str, number: int, name: str, is_mixed: bool = False) -> None:
        answer = self.browser.get(url)
        if key != self.truth.current:
            assert answer.status_code == 409, answer.status_code
            assert "no longer on the desk" in answer.text
            self.done["refused"] += 1
        elif is_mixed and answer.status_code == 404:
            self.done["absent"] += 1
        else:
            assert answer.status_code == 200, answer.text
            check(name, answer.content, self.truth.marks[key], self.truth.k[key, number], self.truth, (key, number))
            self.done["files"] += 1

    def reload(self, tab: Tab) -> None:
        """The same address again."""
        answer = self.browser.get(tab.address)
        if tab.address.startswith("/tables/") and tab.key != self.truth.current:
            assert answer.status_code == 409
            self.done["refused"] += 1
        else:
            self._show(tab, answer.text)

    def results(self, tab: Tab) -> None:
        """The page of a run of the table that is on the desk now, found by its number."""
        known = [number for key, number in self.truth.k if key == self.truth.current]
        if known:
            tab.key = self.truth.current
            number = int(self.rng.choice(known))
            self._settle(tab, f"/runs/{number}")
            tab.address = f"/tables/{tab.key}/runs/{number}"

    def close(self, tab: Tab) -> None:
        """Close a tab, and open an empty one."""
        tab.address, tab.key, tab.text = "/", "", ""

    def _settle(self, tab: Tab, address: str) -> None:
        """The page, when the work behind it is done."""
        tab.address = address
        for _ in range(2000):
            text = self.browser.get(address).text
            if "data-wait" not in text and "data-run" not in text:
                return self._show(tab, text)
        raise AssertionError("it does not end")

    def _show(self, tab: Tab, text: str) -> None:
        tab.text = text
        found = KEY.search(text)
        if found is not None:
            tab.key = found.group(1)
            assert tab.key == self.truth.current or not self.truth.current or tab.address == "/"


def over_http(steps: int, seed: int, folder: Path) -> Counter[str]:
    """So many steps against the studio's pages, without a socket."""
    from starlette.testclient import TestClient

    from shoal.studio.app import make_app
    from shoal.studio.desk import Desk
    from shoal.studio.locks import Locks

    private, root = folder / "private", folder / "root"
    private.mkdir(mode=0o700)
    root.mkdir()
    locks, base = Locks(4000), "http://127.0.0.1:4000"
    client = TestClient(
        make_app(Desk(folder=private, root=root), locks),
        base_url=base + locks.home,
        headers={"origin": base},
        raise_server_exceptions=False,
    )
    with client:
        assert client.get(locks.fresh_link()).status_code == 200
        return Play(client, seed).go(steps)
