"""Figures as drawings."""

from __future__ import annotations

import itertools
import re

from shoal.report import svg


def test_no_label_is_cut():
    """Labels were clipped. They are text in a table, which wraps."""
    for drawn in (
        svg.bars("title", [("a" * 60, 10.0, "9,998 rows")]),
        svg.twin_bars("title", [("a" * 60, 1.0, None, "1 → –")]),
    ):
        assert f'<th scope="row">{"a" * 60}</th>' in drawn
        assert "…" not in drawn


def test_the_parts_of_a_bar_fill_it():
    parts = [
        ("exact", "exact", 0.25),
        ("intervals of 5", "general", 0.5),
        ("intervals of 10", "general", 0.0),
        ("hidden", "hidden", 0.25),
    ]
    drawn = svg.stack("title", [("age", parts)])
    rects = re.findall(r'<rect x="([\d.]+)" y="0.5" width="([\d.]+)" height="9" class="(\w+)"/>', drawn.split("<ul")[0])
    assert [(float(x), float(w), c) for x, w, c in rects] == [(0, 25, "exact"), (25, 50, "g1"), (75, 25, "hidden")]
    assert "intervals of 10" not in drawn, "what is not there is not explained"
    assert "under 1 %" in svg.stack("t", [("a", [("exact", "exact", 0.001), ("hidden", "hidden", 0.999)])])


def test_a_histogram_says_its_numbers_and_keeps_its_ticks_apart():
    """Numbers as histograms, before and after on one axis."""
    bins = [f"{x:,} to below {x + 5000:,}" for x in range(0, 100_000, 5000)]
    drawn = svg.histogram("income", bins, list(range(20)), [None, *range(1, 20)])
    assert "0 to below 5,000: few before, 0 after" in drawn
    assert "highest: 19" in drawn
    ticks = [
        (float(x), text)
        for x, text in re.findall(r'<text x="([\d.]+)" y="156.0" text-anchor="\w+">([^<]*)</text>', drawn)
    ]
    assert len(ticks) >= 3
    for (x, text), (y, other) in itertools.pairwise(ticks):
        assert y - x >= (len(text) + len(other)) / 2 * svg.LETTER
    assert svg.histogram("t", [], []) == ""


def test_figures_without_data_are_drawn_without_an_error():
    assert svg.lines("t", [("loss", "a", [])], "x", "y") == ""
    assert "<table" in svg.bars("t", [])
    assert "nan" not in svg.lines("t", [("loss", "a", [(1.0, 2.0)])], "x", "y")
