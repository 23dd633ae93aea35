"""Figures as drawings."""

from __future__ import annotations

import re

from shoal.report import svg


def test_texts_at_the_ends_of_bars_have_room():
    drawn = svg.bars("title", [("a" * 60, 10.0, "9,998 rows in 9,998 groups"), ("b", 5.0, "1 row")])
    for x, text in re.findall(r'<text x="([\d.]+)" y="\d+">([^<]*)</text>', drawn):
        assert float(x) + len(text) * svg.LETTER <= svg.WIDTH
    assert "a" * 60 in drawn, "the text alternative has the whole label"


def test_figures_without_data_are_drawn_without_an_error():
    assert svg.lines("t", [("loss", "a", [])], "x", "y") == ""
    assert "<svg" in svg.bars("t", [])
    assert "nan" not in svg.lines("t", [("loss", "a", [(1.0, 2.0)])], "x", "y")
