"""A ruler in a real browser: lines dragged by mouse and by keyboard, undone after a reload, and released."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

import shoal
from tests.browsers import Seen, check
from tests.studio import steps
from tests.studio.conftest import Served

pytestmark = pytest.mark.browser


def test_thresholds_are_dragged_and_the_release_keeps_to_them(studio: Served, seen: Seen, tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("age,job\n" + "".join(f"{18 + (i * 11) % 70},{'ab'[i % 2]}\n" for i in range(300)))
    page = seen.page
    steps.load(page, studio.address, path)
    steps.give(page, age="quasi-identifier", job="quasi-identifier")
    page.goto(f"{studio.base}/hierarchies/0")
    line = page.get_by_role("slider", name="Line at 40, cuts 3 levels")
    dot = line.locator("circle").bounding_box()
    assert dot is not None
    page.mouse.move(dot["x"] + 6, dot["y"] + 6)
    page.mouse.down()
    page.mouse.move(dot["x"] + 32, dot["y"] + 6, steps=4)
    page.mouse.up()
    moved = page.get_by_role("slider", name=re.compile(r"Line at 4[1-4], cuts 3 levels"))
    expect(moved).to_be_focused()
    at = int(str(moved.get_attribute("aria-valuetext")))
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("slider", name=f"Line at {at + 1}, cuts 3 levels")).to_be_focused()
    page.keyboard.press("PageDown")
    expect(page.get_by_role("slider", name=f"Line at {at + 1}, cuts 2 levels")).to_be_focused()
    assert "% lost" in page.locator("#prices").inner_text()
    check(seen)
    page.reload()
    page.get_by_role("button", name="Undo").first.click()
    expect(page.get_by_role("slider", name=f"Line at {at + 1}, cuts 3 levels")).to_be_visible()
    page.get_by_role("button", name="Redo").first.click()
    expect(page.get_by_role("slider", name=f"Line at {at + 1}, cuts 2 levels")).to_be_visible()
    with page.expect_download() as waiting:
        page.get_by_role("link", name="Export it in ARX's form").click()
    assert f"{at + 1};[{at + 1}, 45);" in Path(waiting.value.path()).read_text()
    page.goto(f"{studio.base}/")
    steps.run(page, 5)
    release = steps.download(page, "release.csv", tmp_path)
    policy = steps.download(page, "policy.toml", tmp_path)
    shoal.verify(path, release, policy=policy)
    assert seen.complaints == []
