"""One table's release was served as another's. What the tabs do and get: ``stale.py``."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.attacks import stale
from tests.attacks.stale_tabs import Tabs
from tests.studio.conftest import Served, Visitor

LINK = re.compile(r'href="/[^"/]+(/[^"]*release\.csv)"')


@pytest.mark.parametrize("seed", range(2))
def test_every_file_belongs_to_its_page(seed: int, tmp_path: Path):
    """Load table A, run, load table B, run, download run 1: A's release, report, manifest and policy were served as B's."""
    done = stale.over_http(150, seed, tmp_path)
    assert done["files"] > 5
    assert done["refused"] > 5


def test_the_second_tables_first_run_is_its_own(visitor: Visitor):
    """The very case that was seen, by the links on the pages."""
    for mark in ("first", "second"):
        visitor.load("people.csv", b"age,mark\n" + b"".join(f"{20 + i % 9},{mark}\n".encode() for i in range(30)))
        visitor.give_roles(age="quasi-identifier")
        visitor.run()
        link = LINK.search(visitor.client.get("/runs/1").text)
        assert link is not None
        rows = visitor.client.get(link.group(1)).text.splitlines()[1:]
        assert len(rows) == 30
        assert all(row.endswith(mark) for row in rows)


@pytest.mark.browser
def test_tabs_of_a_real_browser(browser, studio: Served, tmp_path: Path):
    """A small share of the 300 steps that the benchmark takes."""
    context = browser.new_context(accept_downloads=True)
    try:
        done = Tabs(context, studio.address, 1, tmp_path).go(12)
    finally:
        context.close()
    assert done["files"] > 0
    assert done["refused"] > 0
