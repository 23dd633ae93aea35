"""What a person does in the workspace, as steps that journeys are made of."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Page, Response, expect

QI = ["age", "sex", "postcode", "job"]


def enter(page: Page, address: str) -> None:
    """Follow the link; a page leads from it to the first one by itself."""
    page.goto(address)
    page.wait_for_url(lambda url: "token=" not in url)


def load(page: Page, address: str, path: Path) -> None:
    """Send a file by the page to open one; the workspace follows."""
    enter(page, address)
    page.goto(address.split("/?")[0] + "/open")
    page.get_by_label("Table file").set_input_files(path)
    page.get_by_role("button", name="Load this file").click()
    page.wait_for_selector("ul.columns", timeout=60_000)


def give(page: Page, **roles: str) -> None:
    """Choose roles in the list of columns, one by one."""
    for name, role in roles.items():
        field = page.get_by_label(f"Role of {name}", exact=True)
        with page.expect_response(lambda answer: "/columns/" in answer.url):
            field.select_option(role)
        settle(page)


def settle(page: Page) -> None:
    """Until what was asked for is on the page."""
    page.wait_for_selector(".work:not([aria-busy])")


def take_suggestions(page: Page) -> None:
    with page.expect_response(lambda answer: "/columns?" in answer.url):
        page.get_by_role("button", name=re.compile("^Take th")).click()
    settle(page)


def answer(page: Page, words: str) -> None:
    """Answer the question that is shown."""
    with page.expect_response(lambda answer: "/answers" in answer.url):
        page.locator("#questions").get_by_role("button", name=words).click()
    settle(page)


def answer_all(page: Page) -> list[str]:
    """Every question gets its last answer, which changes least; the questions."""
    asked = []
    while page.locator("#questions:not([hidden]) #question").count():
        asked.append(page.locator("#question").inner_text())
        with page.expect_response(lambda answer: "/answers" in answer.url):
            page.locator("#questions button").last.click()
        settle(page)
    return asked


def patients(page: Page) -> None:
    """The roles of the demo's table, so that runs are quick."""
    give(page, **dict.fromkeys(QI, "quasi-identifier"), name="identifier", record="identifier", diagnosis="sensitive")
    give(page, admitted="insensitive", nationality="insensitive")
    answer_all(page)
    hurry(page)


def hurry(page: Page) -> None:
    """Ask for a tenth of the usual effort, so that runs are quick."""
    ask_effort(page, 0.1)


def ask_effort(page: Page, effort: float) -> None:
    change = "(field, effort) => { field.value = effort; field.dispatchEvent(new Event('change', { bubbles: true })); }"
    with page.expect_response(lambda answer: "/runs?" in answer.url):
        page.locator("#effort").evaluate(change, str(effort))
    settle(page)


def make(page: Page, k: int) -> None:
    """Start a run; it is not waited for."""
    page.get_by_label("k: rows that look alike").fill(str(k))
    with page.expect_response(is_start):
        page.get_by_role("button", name="Make the release", exact=True).click()
    settle(page)


def is_start(answer: Response) -> bool:
    """Whether this is the answer to the start of a run, and not to a setting that was kept."""
    return "/runs?" in answer.url and "only=keep" not in (answer.request.post_data or "")


def run(page: Page, k: int) -> None:
    """Start a run, and wait until it is verified."""
    before = page.locator("table.runs tbody tr").count()
    make(page, k)
    expect(page.locator("table.runs tbody tr")).to_have_count(before + 1)
    expect(page.locator("table.runs tbody tr").last).to_contain_text("verified", timeout=90_000)


def download(page: Page, name: str, folder: Path) -> Path:
    with page.expect_download() as waiting:
        page.get_by_role("link", name=name, exact=True).click()
    path = folder / name
    waiting.value.save_as(path)
    return path
