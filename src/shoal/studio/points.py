"""The curve against k as a figure that one chooses from: each k is a point to click, or to reach with the arrow keys.

Its size is the same from the first point to the last, so that nothing below it moves while points come.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

from shoal.studio.curve import KS, Point

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 360, 210, 40, 356, 30, 38
LETTER = 6.6
"""The width of a letter, on average."""
STEP = (RIGHT - LEFT) / len(KS)
SERIES = (("lost", "a"), ("cannot lose less", "b"), ("highest risk", "c"))


def percent(share: float | None) -> str:
    """A share for a person; a dash where it is not known."""
    if share is None:
        return "–"
    return f"{100 * share:.0f} %" if share >= 0.1 or share == 0 else f"{100 * share:.1f} %"


def said(p: Point) -> str:
    """A point in words."""
    bound = "" if p.bound is None else f"; no such release can lose less than {percent(p.bound)}"
    withheld = f"; {percent(p.withheld)} of the rows withheld" if p.withheld else ""
    return f"k = {p.k}: {percent(p.lost)} lost{bound}; highest risk {percent(p.highest)}{withheld}"


def figure(points: Sequence[Point], chosen: int) -> str:
    """Loss, bound and risk of each k that is known. The k that is chosen is marked, if it is one of them."""
    shares = [x for p in points for x in _shares(p) if x is not None]
    most = math.ceil(5 * max([*shares, 0.2])) / 5
    known = {p.k: p for p in points}
    drawn = [
        *_axes(most),
        *(_curve([(p.k, _shares(p)[i]) for p in points], most, colour) for i, (_, colour) in enumerate(SERIES)),
    ]
    reached = chosen if chosen in known else next(iter(known), 0)
    drawn += [_point(known[k], most, k == chosen, k == reached) for k in KS if k in known]
    role = 'role="radiogroup" aria-label="What each k costs, in percent: choose one"' if known else 'aria-hidden="true"'
    return f'<figure><svg viewBox="0 0 {WIDTH} {HEIGHT}" {role}>{"".join(drawn)}</svg></figure>'


def _shares(p: Point) -> tuple[float | None, ...]:
    return p.lost, p.bound, p.highest


def _x(k: int) -> float:
    return LEFT + STEP * (KS.index(k) + 0.5)


def _y(share: float, most: float) -> float:
    return TOP + (HEIGHT - TOP - BOTTOM) * (1 - share / most)


def _axes(most: float) -> list[str]:
    parts, x = [], 4.0
    for name, colour in SERIES:
        parts.append(
            f'<rect x="{x:.0f}" y="4" width="12" height="10" class="{colour}"/><text x="{x + 17:.0f}" '
            f'y="13">{name}</text>'
        )
        x += len(name) * LETTER + 34
    for i in range(5):
        y = _y(most * i / 4, most)
        parts.append(f'<line x1="{LEFT}" x2="{RIGHT}" y1="{y:.1f}" y2="{y:.1f}" class="grid"/>')
        parts.append(f'<text x="{LEFT - 5}" y="{y + 4:.1f}" text-anchor="end">{100 * most * i / 4:.0f} %</text>')
    parts += [f'<text x="{_x(k):.1f}" y="{HEIGHT - 22}" text-anchor="middle">{k}</text>' for k in KS]
    parts.append(f'<text x="{(LEFT + RIGHT) / 2:.0f}" y="{HEIGHT - 5}" text-anchor="middle">k</text>')
    return parts


def _curve(points: Sequence[tuple[int, float | None]], most: float, colour: str) -> str:
    way = "L".join(f"{_x(k):.1f} {_y(share, most):.1f}" for k, share in points if share is not None)
    return f'<path d="M{way}" class="line {colour}"/>' if way else ""


def _point(p: Point, most: float, is_chosen: bool, is_reached: bool) -> str:
    """A band over the whole height, so that it is easy to hit, and the dots in it."""
    dots = "".join(
        f'<circle cx="{_x(p.k):.1f}" cy="{_y(share, most):.1f}" r="3.5" class="{colour}"/>'
        for share, (_, colour) in zip(_shares(p), SERIES, strict=True)
        if share is not None
    )
    words = escape(said(p))
    return (
        f'<g role="radio" id="k-{p.k}" data-k="{p.k}" aria-checked="{"true" if is_chosen else "false"}" '
        f'tabindex="{0 if is_reached else -1}" aria-label="{words}">'
        f'<title>{words}</title><rect x="{_x(p.k) - STEP / 2 + 1:.1f}" y="{TOP - 6}" width="{STEP - 2:.1f}" '
        f'height="{HEIGHT - TOP - 8}" rx="4" class="band"/>{dots}</g>'
    )
