"""One model, three forms: what a page says, Markdown says, and JSON has the numbers of both."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser

import pytest

from shoal.report import page
from shoal.report.document import document
from shoal.report.markdown import markdown
from shoal.report.model import owner_model
from shoal.report.public import public_model

NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


class Words(HTMLParser):
    """The text that a reader of a page sees or hears, without scripts and styles."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []
        self.is_code = False

    def handle_starttag(self, tag, attrs):
        self.is_code = tag in ("script", "style")
        self.said += [value for key, value in attrs if key == "aria-label" and value]

    def handle_endtag(self, tag):
        self.is_code = False

    def handle_data(self, data):
        if not self.is_code:
            self.said.append(data)


def numbers_in(text: str) -> set[str]:
    return {found.replace(",", "") for found in NUMBER.findall(text)}


@pytest.fixture(scope="module", params=["public", "owner"])
def model(request, release):
    return public_model(release) if request.param == "public" else owner_model(release)


def test_markdown_has_every_number_of_the_page(model):
    words = Words()
    words.feed(page.html(model))
    drawn = {"highest"}  # the height of the highest bar of a histogram is one of its numbers
    said = " ".join(text for text in words.said if not any(text.startswith(word) for word in drawn))
    written = markdown(model).replace("\\", "")
    percent = {number for number in numbers_in(said) if number not in numbers_in(written)}
    shares = {f"{100 * level['share']:.0f}" for c in model["columns"] for level in c["levels"]}
    axes = {number for text in words.said if re.fullmatch(r"[\d.,]+", text) for number in numbers_in(text)}
    assert percent <= shares | axes, "Markdown has shares with a digit more, and no axes of curves"


def test_a_changed_number_of_the_model_changes_every_form(model):
    """Nothing is computed on the way: a form says what the model says."""
    other = json.loads(json.dumps(model, default=str))
    other["columns"][0]["after"][0]["rows"] = 987_654
    other["expected"]["counts"]["2"] = 0.7654
    for text in (page.html(other).replace("\u00a0", " "), markdown(other)):
        assert "987,654" in text
        assert "77 %" in text


def test_chapters_come_in_the_order_of_a_signature(model):
    """What is not protected stands first, then the promise, the price, the risk; the settings and the glossary come
    last.
    """
    titles = [chapter.title for chapter in document(model).chapters]
    assert titles[:3] == ["Look here first", "The promise", "The price"]
    assert titles[3].startswith("Risk")
    assert titles[4:] == [
        "What an analyst can still do",
        "What was asked",
        "How to repeat it",
        "How to check it",
        "For specialists: losses and bounds",
        "Glossary",
    ]
    text = markdown(model)
    assert [text.index(f"## {title}") for title in titles] == sorted(text.index(f"## {title}") for title in titles)


def test_the_release_and_the_run_are_named(model, release):
    """No date, no author, no fingerprint of the input."""
    told = dict(document(model).identity)
    assert told["Made"] == f"{release.record['date']} with shoal {release.record['shoal']}"
    assert release.manifest["release_sha256"].startswith(told["Fingerprint of the release"])
    assert ("Fingerprint of the table" in told) == ("record" in model), (
        "a hash of a small table could be guessed: it is the owner's"
    )
    assert ("may be published" in told["This report is for"]) == ("record" not in model)


def test_the_first_page_needs_no_glossary(model):
    """It said "entropy lost per cell 0.2257" and "The bound is 'dual'"."""
    text = " ".join(page.draw.chapters(document(model).first).split())
    words = Words()
    words.feed(text)
    said = " ".join(words.said).lower()
    for term in (
        "entropy",
        "bound",
        "quasi-identifier",
        "dual",
        "equivalence",
        "suppress",
        "k-anonym",
        "cramér",
        "ratio",
        "per cell",
    ):
        assert term not in said, term
