"""The figure of the curve: every known k can be chosen, and its size does not depend on how many are known."""

from __future__ import annotations

import re

from shoal.studio.curve import KS, Point
from shoal.studio.points import figure, percent, said

POINTS = [Point(k, k / 100, k / 200 if k < 50 else None, 1 / k, 1 / k, 0.0 if k < 20 else 0.02) for k in KS]


def test_each_point_says_what_it_costs():
    assert said(POINTS[3]) == "k = 10: 10 % lost; no such release can lose less than 5.0 %; highest risk 10 %"
    assert said(POINTS[5]) == "k = 50: 50 % lost; highest risk 2.0 %; 2.0 % of the rows withheld"
    drawn = figure(POINTS, 10)
    assert re.findall('data-k="([0-9]+)"', drawn) == [str(k) for k in KS]
    assert drawn.count('aria-checked="true"') == drawn.count('tabindex="0"') == 1
    assert 'id="k-10" data-k="10" aria-checked="true" tabindex="0"' in drawn


def test_a_k_that_is_no_point_marks_none_and_the_first_can_be_reached():
    drawn = figure(POINTS, 7)
    assert 'aria-checked="true"' not in drawn
    assert 'id="k-2" data-k="2" aria-checked="false" tabindex="0"' in drawn


def test_nothing_moves_while_points_come():
    sizes = {re.search('viewBox="([^"]+)"', figure(POINTS[:n], 5)).group(1) for n in range(len(POINTS) + 1)}  # type: ignore[union-attr]
    assert len(sizes) == 1
    assert 'aria-hidden="true"' in figure([], 5), "there is nothing to choose yet"


def test_shares_for_people():
    assert [percent(x) for x in (None, 0, 0.004, 0.0333, 0.1, 0.5)] == ["–", "0 %", "0.4 %", "3.3 %", "10 %", "50 %"]
