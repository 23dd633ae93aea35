"""Figures as SVG, by hand: no library, no outside address, colours from the page's style, and a text for those who do not see them.

A figure is drawn about as wide as a phone, so that its letters stay readable on one; a page shows several side by side where there is room.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import pairwise

WIDTH = 440
LABEL = 150
BAR = 22
LETTER = 6.6
"""The width of a letter, on average: SVG text does not wrap, so room for it is reserved."""

Curve = Sequence[tuple[float, float]]


def bars(title: str, rows: Sequence[tuple[str, float, str]], colour: str = "a") -> str:
    """Horizontal bars: (label, length, text at the end)."""
    most = max((length for _, length, _ in rows), default=0.0) or 1.0
    label, room = _rooms([name for name, _, _ in rows], [text for _, _, text in rows])
    parts = []
    for i, (name, length, text) in enumerate(rows):
        y = i * BAR
        width = max(room * length / most, 0.0)
        parts.append(
            f'<text x="{label - 6:.0f}" y="{y + 15}" text-anchor="end">{_cut(name)}</text>'
            f'<rect x="{label:.0f}" y="{y + 3}" width="{width:.1f}" height="{BAR - 7}" class="{colour}"/>'
            f'<text x="{label + width + 5:.1f}" y="{y + 15}">{escape(text)}</text>'
        )
    said = "; ".join(f"{name}: {text}" for name, _, text in rows)
    return _figure(title, said, len(rows) * BAR + 4, "".join(parts))


def twin_bars(title: str, rows: Sequence[tuple[str, float, float, str]]) -> str:
    """Two bars a row, before (above) and after: (label, before, after, text)."""
    most = max((max(a, b) for _, a, b, _ in rows), default=0.0) or 1.0
    label, room = _rooms([name for name, *_ in rows], [text for *_, text in rows])
    parts = []
    for i, (name, before, after, text) in enumerate(rows):
        y = i * 28
        parts.append(
            f'<text x="{label - 6:.0f}" y="{y + 17}" text-anchor="end">{_cut(name)}</text>'
            f'<rect x="{label:.0f}" y="{y + 3}" width="{room * before / most:.1f}" height="9" class="b"/>'
            f'<rect x="{label:.0f}" y="{y + 13}" width="{room * after / most:.1f}" height="9" class="a"/>'
            f'<text x="{label + room * max(before, after) / most + 5:.1f}" y="{y + 17}">{escape(text)}</text>'
        )
    said = "; ".join(f"{name}: {text}" for name, _, _, text in rows)
    return _figure(title, said, len(rows) * 28 + 4, "".join(parts))


def _rooms(names: Sequence[str], texts: Sequence[str]) -> tuple[float, float]:
    """Where the bars begin, and how long the longest may be, so that every label and every text at an end is seen whole."""
    label = min(max((len(name) for name in names), default=0) * LETTER + 10, LABEL)
    return label, max(WIDTH - label - max((len(text) for text in texts), default=0) * LETTER - 8, 40.0)


def lines(title: str, series: Sequence[tuple[str, str, Curve]], x_name: str, y_name: str, from_zero: bool = False) -> str:
    """Curves: (name, colour class, points). The y axis begins near the least value unless told otherwise."""
    drawn = [one for one in series if one[2]]
    points = [p for _, _, curve in drawn for p in curve]
    if not points:
        return ""
    height, left, bottom, top = 240, 56, 40, 24
    right = WIDTH - 10
    low_x, high_x = min(p[0] for p in points), max(p[0] for p in points)
    low_x = 0.0 if 0 < low_x < 0.2 * high_x else low_x  # an axis that begins near zero begins at zero
    low_y, high_y = 0.0 if from_zero else min(p[1] for p in points), max(p[1] for p in points)
    wide, tall = (high_x - low_x) or 1.0, (high_y - low_y) or 1.0

    def place(x: float, y: float) -> tuple[float, float]:
        return left + (right - left) * (x - low_x) / wide, top + (height - top - bottom) * (1 - (y - low_y) / tall)

    parts = []
    for step in range(5):
        y = low_y + tall * step / 4
        _, at = place(low_x, y)
        parts.append(f'<line x1="{left}" x2="{right}" y1="{at:.1f}" y2="{at:.1f}" class="grid"/>')
        parts.append(f'<text x="{left - 6}" y="{at + 4:.1f}" text-anchor="end">{_short(y)}</text>')
        if high_x > low_x or step == 0:
            x = low_x + wide * step / 4
            anchor = "end" if step == 4 else "middle" if step else "start"
            parts.append(f'<text x="{place(x, low_y)[0]:.1f}" y="{height - 22}" text-anchor="{anchor}">{_short(x)}</text>')
    parts.append(f'<text x="{(left + right) / 2:.0f}" y="{height - 5}" text-anchor="middle">{escape(x_name)}</text>')
    for i, (name, colour, curve) in enumerate(drawn):
        parts += [_legend(left + 110 * i, name, colour), _path([place(x, y) for x, y in curve], colour)]
    said = "; ".join(f"{name}: from {_short(curve[0][1])} to {_short(curve[-1][1])}" for name, _, curve in drawn)
    return _figure(f"{title} ({y_name})", said, height, "".join(parts))


def _path(placed: Curve, colour: str) -> str:
    """A curve, with its points where they can be told apart."""
    way = " ".join(f"{'M' if i == 0 else 'L'}{x:.1f} {y:.1f}" for i, (x, y) in enumerate(placed))
    are_apart = all(b[0] - a[0] >= 8 for a, b in pairwise(placed))
    shown = placed if are_apart else placed[-1:]
    dots = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" class="{colour}"/>' for x, y in shown)
    return f'<path d="{way}" class="line {colour}"/>{dots}'


def _legend(x: float, name: str, colour: str) -> str:
    return f'<rect x="{x}" y="3" width="14" height="10" class="{colour}"/><text x="{x + 20}" y="13">{escape(name)}</text>'


def _figure(title: str, said: str, height: float, inside: str) -> str:
    return (
        f'<figure><figcaption>{escape(title)}</figcaption><svg viewBox="0 0 {WIDTH} {height:.0f}" role="img" '
        f'aria-label="{escape(title)}. {escape(said)}">{inside}</svg></figure>'
    )


def _cut(label: str, most: int = 21) -> str:
    return escape(label if len(label) <= most else label[: most - 1] + "…")


def _short(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
