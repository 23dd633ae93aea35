"""A hierarchy arranged in a real browser: by keyboard, by buttons and by dragging."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browsers import Seen, check
from tests.studio import steps
from tests.studio.conftest import Served

pytestmark = pytest.mark.browser
JOBS = ["nurse", "medic", "cook", "waiter", "clerk", "baker"]


@pytest.fixture
def tree(studio: Served, seen: Seen, tmp_path: Path) -> Page:
    """The page of a column with six values."""
    path = tmp_path / "people.csv"
    path.write_text("age,job\n" + "".join(f"{20 + i % 9},{JOBS[i % 6]}\n" for i in range(60)))
    page = seen.page
    steps.load(page, studio.address, path)
    steps.give(page, age="quasi-identifier", job="quasi-identifier")
    page.goto(f"{studio.base}/hierarchies/1")
    page.wait_for_selector("[role=treeitem][aria-level='2']")
    return page


def item(page: Page, label: str) -> Locator:
    return page.locator(f"[role=treeitem]:has(> .line > span:first-child:text-is('{label}'))")


def below(page: Page, label: str) -> list[str]:
    """The labels that hang directly below an open group."""
    found = item(page, label).locator("> ul > li > .line > span:first-child")
    return found.all_inner_texts()


def test_a_tree_can_be_arranged_by_keyboard_alone(tree: Page, seen: Seen, studio: Served) -> None:
    item(tree, "*").focus()
    tree.keyboard.press("ArrowDown")
    order = below(tree, "*")
    assert set(order) == set(JOBS)
    tree.keyboard.press("Space")
    tree.keyboard.press("ArrowDown")
    tree.keyboard.press("Space")
    assert "2 chosen" in tree.locator("#tree-said").inner_text()
    tree.keyboard.press("g")
    tree.keyboard.type("front")
    tree.keyboard.press("Enter")
    item(tree, "front").wait_for()
    tree.keyboard.press("End")
    tree.keyboard.press("ArrowRight")
    tree.wait_for_selector("[role=treeitem][aria-level='3']")
    assert below(tree, "front") == order[:2]
    tree.keyboard.press("F2")
    tree.keyboard.press("Control+a")
    tree.keyboard.type("first two")
    tree.keyboard.press("Enter")
    item(tree, "first two").wait_for()
    check(seen)
    tree.keyboard.press("Home")
    tree.keyboard.press("ArrowDown")
    tree.keyboard.press("m")
    tree.get_by_label("Into which group").select_option(label="first two")
    tree.get_by_role("button", name="Do it").click()
    expect(tree.locator("[role=treeitem][aria-level='3']")).to_have_count(3)
    assert set(below(tree, "first two")) == set(order[:3])
    item(tree, "first two").focus()
    tree.keyboard.press("Delete")
    item(tree, "first two").wait_for(state="detached")
    tree.keyboard.press("z")
    item(tree, "first two").wait_for()
    tree.goto(f"{studio.base}/?column=1")
    assert "2 levels over 6 values" in tree.locator("main").inner_text()
    assert seen.complaints == []


def test_a_tree_can_be_arranged_by_buttons_and_by_dragging(tree: Page, seen: Seen) -> None:
    item(tree, "nurse").locator(".line").click()
    item(tree, "medic").locator(".line").click(modifiers=["Control"])
    tree.get_by_role("button", name="Group").click()
    tree.get_by_label("Name of the group").fill("health")
    tree.get_by_role("button", name="Do it").click()
    item(tree, "health").wait_for()
    item(tree, "cook").locator(".line").drag_to(item(tree, "health").locator("> .line"))
    tree.wait_for_selector("[role=treeitem][aria-level='3']")
    assert set(below(tree, "health")) == {"nurse", "medic", "cook"}
    tree.get_by_role("button", name="Undo").click()
    expect(tree.locator("[role=treeitem][aria-level='3']")).to_have_count(2)
    item(tree, "nurse").locator(".line").click()
    tree.get_by_role("button", name="Rename").click()
    tree.get_by_label("Name of the group").fill("sister")
    tree.get_by_role("button", name="Do it").click()
    tree.wait_for_selector("#tree-wrong:not(:empty)")
    assert "keeps its name" in tree.locator("#tree-wrong").inner_text()
    assert seen.violations() == []


def test_a_dialog_that_is_left_changes_nothing(tree: Page) -> None:
    item(tree, "nurse").locator(".line").click()
    tree.get_by_role("button", name="Group").click()
    tree.get_by_role("button", name="Cancel").click()
    item(tree, "nurse").focus()
    tree.keyboard.press("g")
    tree.keyboard.press("Escape")
    assert len(below(tree, "*")) == 6
