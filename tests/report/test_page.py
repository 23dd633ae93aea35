"""The report's forms: a page in one file, Markdown, JSON, and what a notebook shows."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import polars as pl
import pytest

import shoal
from shoal.report import assessment
from shoal.report.model import owner_model
from shoal.report.page import html
from shoal.report.public import public_model
from tests.browsers import Seen, check
from tests.report.conftest import people


class Reader(HTMLParser):
    """Collects tags that are opened, and that every one is closed."""

    VOID = frozenset({"meta", "rect", "line", "path", "circle", "br", "link", "input"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.addresses: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.addresses += [v for k, v in attrs if k in ("src", "href", "xlink:href", "action", "data") and v]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in self.VOID:
            self.open.pop()


def read(text: str) -> Reader:
    reader = Reader()
    reader.feed(text)
    assert reader.open == []
    return reader


def test_one_file_without_any_address(release):
    text = release.report()
    assert all(address.startswith("#") for address in read(text).addresses), (
        "the list of contents leads to the page itself"
    )
    assert "http:" not in text
    assert "https:" not in text
    assert "url(" not in text
    for words in (
        "Look here first",
        "The promise",
        "The price",
        "Risk",
        "What an analyst can still do",
        "What was asked",
        "repeat it",
        "check it",
        "Glossary",
    ):
        assert words in text


def test_the_numbers_are_in_the_page(release):
    text = release.report()
    data = re.search(r'<script type="application/json" id="numbers">(.*?)</script>', text, re.S)
    assert data is not None
    assert json.loads(data.group(1)) == json.loads(json.dumps(public_model(release)))


def test_a_report_comes_as_html_markdown_and_json(release, tmp_path: Path):
    release.report(tmp_path / "r.html")
    release.report(tmp_path / "r.md")
    release.report(tmp_path / "r.json")
    assert (tmp_path / "r.html").read_text() == release.report()
    assert json.loads((tmp_path / "r.json").read_text())["manifest"]["k"] == 4
    text = (tmp_path / "r.md").read_text()
    assert text.startswith("# Release of")
    for words in (
        "## Look here first",
        "## What was asked",
        "### age",
        "## What an analyst can still do",
        "### What groups say of ill",
    ):
        assert words in text
    with pytest.raises(shoal.ShoalError, match=r"\.html, \.md or \.json"):
        release.report(tmp_path / "r.docx")


def test_the_owners_edition_says_so_everywhere(release, tmp_path: Path):
    """What goes with a release and what stays with the owner are told apart by name, by mark and by who may read the
    file.
    """
    for ending in ("html", "md", "json"):
        path = tmp_path / f"o.{ending}"
        release.owner_report(path)
        assert path.stat().st_mode & 0o777 == 0o600
        assert "Not for publication" in path.read_text()
    assert next(iter(json.loads((tmp_path / "o.json").read_text()))) == "notice"
    assert next(iter(release.record)) == "notice"
    text = (tmp_path / "o.html").read_text()
    read(text)
    assert "Risk, before and after" in text
    assert "the owner alone" in text
    assert "position:fixed" in text, "on paper it stands on every sheet"
    for public in (release.report(), json.dumps(release.manifest)):
        assert "Not for publication" not in public


def test_a_notebook_shows_the_release(release):
    text = release._repr_html_()
    read(text)
    assert "Look here first" in text
    assert text.index("Look here first") < text.index("The promise") < text.index("The price")
    assert "looks the same as at least 3 others" in text
    assert "body{" not in text, "the notebook's own look is left alone"


def test_the_title_is_the_files_name_and_notes_are_told(file: Path):
    file.write_bytes(b"age;job\n" + b"".join(f"{i % 9};caf\xe9\n".encode("latin-1") for i in range(40)))
    found = shoal.anonymize(file, k=4, quasi_identifiers=["age"], algorithm="mondrian")
    text = found.owner_report()
    for page in (text, found.report()):
        assert "<h1>Release of people.csv</h1>" in page
        assert str(file.parent) not in page
    assert found.original.notes
    assert all(note.split("'")[0][:20] in text for note in found.original.notes)


def test_names_with_markup_are_shown_and_do_nothing(tmp_path: Path):
    frame = people(80).rename({"job": "</script><script>alert(1)</script>", "zip": "=cmd|x", "ill": "<b>|`*"})
    names = ["</script><script>alert(1)</script>", "=cmd|x", "age"]
    found = shoal.anonymize(frame, k=4, quasi_identifiers=names, sensitive=["<b>|`*"], algorithm="mondrian")
    for text in (found.report(), found.owner_report()):
        read(text)
        assert "<script>alert" not in text
        assert "&lt;script&gt;alert(1)" in text
    found.report(tmp_path / "r.md")
    found.owner_report(tmp_path / "o.md")
    for name in ("r.md", "o.md"):
        assert "<script>alert(1)" not in (tmp_path / name).read_text().split("```")[0].replace("\\<", "")
    assessed = shoal.assess(frame, quasi_identifiers=names, sensitive=["<b>|`*"])
    assert "<script>alert" not in assessment.html(assessed, "<i>.csv")


@pytest.mark.browser
def test_the_page_asks_for_nothing_and_has_no_faults(release, tmp_path: Path, seen: Seen):
    model = owner_model(release)
    model["curves"] = {
        "loss": [(0, 9.0), (1, 5.0), (2, 4.0)],
        "bound": [(0, 1.0), (2, 3.5)],
        "ratio": [(0, 9.0), (2, 1.14)],
    }
    path = tmp_path / "report.html"
    path.write_text(html(model))
    seen.page.goto(path.as_uri())
    assert seen.requests == [path.as_uri()]
    check(seen)
    seen.page.emulate_media(media="print", color_scheme="dark")
    assert seen.page.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)", "paper is white"
    assert seen.complaints == []


@pytest.mark.browser
def test_the_assessments_page_has_no_faults(tmp_path: Path, seen: Seen):
    path = tmp_path / "risk.html"
    found = shoal.assess(people(), quasi_identifiers=["age", "job", "zip"], sensitive=["ill"])
    assessment.write_assessment(found, "people.csv", path)
    read(path.read_text())
    seen.page.goto(path.as_uri())
    assert seen.requests == [path.as_uri()]
    check(seen)
    assert seen.complaints == []


def test_a_release_of_one_column_says_that_there_are_no_pairs(tmp_path: Path):
    frame = pl.DataFrame({"age": [i % 5 for i in range(50)]})
    text = shoal.anonymize(frame, k=5, quasi_identifiers=["age"], algorithm="mondrian").report()
    assert "There is only one column." in text
