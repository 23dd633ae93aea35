"""The report as people meet it: on a phone, on A4 paper, in the dark, with fifty columns, and on the first screen."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import shoal
from tests.browsers import Seen, check

LONG = "Diagnosis of the second consultation, as coded by the resident physician"
OUT = """(width) => [...document.querySelectorAll('main *')].filter(e => {
  const box = e.getBoundingClientRect();
  if (!box.width || e.closest('svg') !== e && e.closest('svg')) return false;
  const inner = e.closest('.scroll');
  return box.right > width + 1 && (!inner || inner === e);
}).map(e => e.tagName + ': ' + e.textContent.slice(0, 60))"""
"""What reaches beyond the page, but for what scrolls by itself."""
CUT = """() => [...document.querySelectorAll('svg text')].filter(t => {
  const box = t.getBoundingClientRect(), svg = t.ownerSVGElement.getBoundingClientRect();
  return box.left < svg.left - 1 || box.right > svg.right + 1 || box.bottom > svg.bottom + 1;
}).map(t => t.textContent)"""
"""Texts of drawings that are cut off."""
MET = """() => [...document.querySelectorAll('svg')].flatMap(s => { const boxes = \
[...s.querySelectorAll('text')].map(t => [t.textContent, t.getBoundingClientRect()]);
  return boxes.flatMap(([a, p], i) => boxes.slice(i + 1).filter(([b, q]) => p.left < q.right - 1 && q.left < p.right - \
1 && p.top < q.bottom - 3 && q.top < p.bottom - 3).map(([b]) => a + ' / ' + b)); })"""
"""Texts of drawings that lie on each other."""


@pytest.fixture(scope="module")
def wide() -> shoal.Release:
    """Fifty protected columns: numbers, dates, codes, texts, missing cells, and long names."""
    rng = np.random.default_rng(11)
    n = 120
    when = np.datetime64("2016-01-01") + rng.integers(0, 1500, n)
    columns: dict[str, object] = {f"number {i}": rng.integers(0, 10 ** (1 + i % 5), n) for i in range(20)}
    columns |= {f"text {i}": rng.choice([f"{LONG} {i}.{j}" for j in range(3 + i)], n) for i in range(14)}
    columns |= {f"code {i}": [f"{c:05d}" for c in rng.integers(10_000, 10_300, n)] for i in range(5)}
    columns |= {f"day {i}": when.astype(str) for i in range(5)}
    columns |= {f"{LONG} {i}": [str(x) if x else None for x in rng.choice(["yes", "no", ""], n)] for i in range(6)}
    frame = pl.DataFrame({**columns, "ill": rng.choice(["flu", "gout"], n), "a note": ["x"] * n})
    return shoal.anonymize(
        frame, k=5, quasi_identifiers=list(columns), sensitive=["ill"], algorithm="mondrian", effort=0.02
    )


def test_fifty_columns_are_below_a_megabyte(wide, tmp_path: Path):
    """One file, below 1 MB for 50 columns."""
    for write in (wide.report, wide.owner_report):
        write(tmp_path / "r.html", force=True)
        assert (tmp_path / "r.html").stat().st_size < 1_000_000


@pytest.mark.browser
@pytest.mark.parametrize("edition", ["report", "owner_report"])
def test_nothing_is_clipped_on_a_phone_or_on_paper(edition: str, wide, release, tmp_path: Path, seen: Seen):
    """Labels were clipped. At 360 px, on A4 (210 mm less margins of 16 mm, at 96 dots an inch) and on a wide screen."""
    for made in (wide, release):
        path = tmp_path / "page.html"
        getattr(made, edition)(path, force=True)
        seen.page.goto(path.as_uri())
        for media, width in (("screen", 360), ("screen", 1200), ("print", 672)):
            seen.page.emulate_media(media=media)  # type: ignore[arg-type]
            seen.page.set_viewport_size({"width": width, "height": 1000})
            assert seen.page.evaluate(OUT, width) == [], (media, width)
            assert seen.page.evaluate(CUT) == []
            assert seen.page.evaluate(MET) == []
        seen.page.emulate_media(media="screen")
    assert seen.complaints == []


@pytest.mark.browser
def test_on_paper_the_first_sheet_is_for_the_signature_and_the_notice_hides_nothing(
    release, tmp_path: Path, seen: Seen
):
    """A4: what to look at, the promise and the price are on the first sheet; the notice is on every sheet, and above
    its text.
    """
    path = tmp_path / "page.html"
    release.owner_report(path)
    seen.page.goto(path.as_uri())
    seen.page.emulate_media(media="print")
    seen.page.set_viewport_size({"width": 672, "height": 1000})
    last = seen.page.locator("section", has=seen.page.locator("#price")).bounding_box()
    assert last["y"] + last["height"] < 1000, "A4 has 265 mm between margins of 16 mm: 1,001 dots"
    style = seen.page.evaluate(
        "(() => { const s = getComputedStyle(document.querySelector('main')); return [s.boxDecorationBreak || "
        "s.webkitBoxDecorationBreak, parseFloat(s.paddingTop)] })()"
    )
    notice = seen.page.locator(".notice").bounding_box()
    assert style[0] == "clone"
    assert style[1] >= notice["height"]
    assert seen.page.evaluate("getComputedStyle(document.querySelector('.notice')).position") == "fixed"


@pytest.mark.browser
def test_the_first_screen_has_what_a_signature_needs(release, tmp_path: Path, seen: Seen):
    """Warnings stood at the end of 8,000 pixels.

    Now everything to sign is on one screen, and the contents lead to the rest.
    """
    path = tmp_path / "page.html"
    release.report(path)
    seen.page.goto(path.as_uri())
    top = {h.text_content(): h.bounding_box()["y"] for h in seen.page.locator("h2").all()}
    assert list(top)[:3] == ["Look here first", "The promise", "The price"]
    assert all(top[name] < 500 for name in list(top)[:3])
    assert seen.page.locator("td.stack svg").first.bounding_box()["y"] < 900
    for link in seen.page.locator("nav a").all():
        assert seen.page.locator(str(link.get_attribute("href"))).count() == 1
    assert seen.requests == [path.as_uri()]
    check(seen)


@pytest.mark.browser
def test_the_notebooks_view_has_no_faults_in_the_light_and_in_the_dark(release, tmp_path: Path, seen: Seen):
    path = tmp_path / "notebook.html"
    for ground, text in (("#fff", "#000"), ("#111", "#eee")):
        style = f"<style>body{{background:{ground};color:{text}}}</style>"
        cells = f"{release._repr_html_()}{release.compare(release)._repr_html_()}"
        shown = f"{style}<main><h1>Notebook</h1><h2>Cell</h2>{cells}</main>"
        path.write_text(f'<!doctype html><html lang="en"><head><title>n</title></head><body>{shown}</body></html>')
        seen.page.goto(path.as_uri())
        assert seen.violations() == []
        for width in (360, 1200):
            seen.page.set_viewport_size({"width": width, "height": 900})
            assert seen.page.evaluate(OUT, width) == []
