"""Figures as SVG, by hand: no library, no outside address, colours from the page's style, and a text for those who do not see them."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

BAR = 22
LABEL = 190
WIDTH = 640


def bars(title: str, rows: Sequence[tuple[str, float, str]], colour: str = "a") -> str:
    """Horizontal bars: (label, length, text at the end)."""
    most = max((length for _, length, _ in rows), default=0.0) or 1.0
    room = WIDTH - LABEL - 90
    parts = []
    for i, (label, length, text) in enumerate(rows):
        y = i * BAR
        width = max(room * length / most, 0.0)
        parts.append(
            f'<text x="{LABEL - 8}" y="{y + 15}" text-anchor="end" class="tick">{_cut(label)}</text>'
            f'<rect x="{LABEL}" y="{y + 3}" width="{width:.1f}" height="{BAR - 7}" class="{colour}"/>'
            f'<text x="{LABEL + width + 6:.1f}" y="{y + 15}" class="tick">{escape(text)}</text>'
        )
    said = "; ".join(f"{label}: {text}" for label, _, text in rows)
    return _figure(title, said, len(rows) * BAR + 4, "".join(parts))


def twin_bars(title: str, rows: Sequence[tuple[str, float, float, str]]) -> str:
    """Two bars a row, before and after: (label, before, after, text)."""
    most = max((max(a, b) for _, a, b, _ in rows), default=0.0) or 1.0
    room = WIDTH - LABEL - 130
    parts = []
    for i, (label, before, after, text) in enumerate(rows):
        y = i * 28
        parts.append(
            f'<text x="{LABEL - 8}" y="{y + 17}" text-anchor="end" class="tick">{_cut(label)}</text>'
            f'<rect x="{LABEL}" y="{y + 3}" width="{room * before / most:.1f}" height="9" class="b"/>'
            f'<rect x="{LABEL}" y="{y + 13}" width="{room * after / most:.1f}" height="9" class="a"/>'
            f'<text x="{LABEL + room * max(before, after) / most + 6:.1f}" y="{y + 17}" class="tick">{escape(text)}</text>'
        )
    said = "; ".join(f"{label}: {text}" for label, _, _, text in rows)
    return _figure(title, said, len(rows) * 28 + 4, "".join(parts))


def lines(
    title: str, series: Sequence[tuple[str, str, Sequence[tuple[float, float]]]], x_name: str, y_name: str, from_zero: bool = False
) -> str:
    """Curves: (name, colour class, points). The x axis is linear; the y axis begins near the least value unless told otherwise."""
    points = [p for _, _, curve in series for p in curve]
    if not points:
        return ""
    height, left, bottom, top = 240, 70, 36, 12
    low_x, high_x = min(p[0] for p in points), max(p[0] for p in points)
    low_y, high_y = 0.0 if from_zero else min(p[1] for p in points), max(p[1] for p in points)
    wide, tall = (high_x - low_x) or 1.0, (high_y - low_y) or 1.0

    def place(x: float, y: float) -> tuple[float, float]:
        return left + (WIDTH - left - 120) * (x - low_x) / wide, top + (height - top - bottom) * (1 - (y - low_y) / tall)

    parts = []
    for step in range(5):
        y = low_y + tall * step / 4
        _, at = place(low_x, y)
        parts.append(f'<line x1="{left}" x2="{WIDTH - 120}" y1="{at:.1f}" y2="{at:.1f}" class="grid"/>')
        parts.append(f'<text x="{left - 6}" y="{at + 4:.1f}" text-anchor="end" class="tick">{_short(y)}</text>')
        x = low_x + wide * step / 4
        at, _ = place(x, low_y)
        parts.append(f'<text x="{at:.1f}" y="{height - 18}" text-anchor="middle" class="tick">{_short(x)}</text>')
    parts.append(f'<text x="{left}" y="{height - 3}" class="tick">{escape(x_name)}</text>')
    for name, colour, curve in series:
        if not curve:
            continue
        placed = [place(x, y) for x, y in curve]
        path = " ".join(f"{'M' if i == 0 else 'L'}{x:.1f} {y:.1f}" for i, (x, y) in enumerate(placed))
        parts.append(f'<path d="{path}" class="line {colour}"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" class="{colour}"/>' for x, y in placed]
        x, y = placed[-1]
        parts.append(f'<text x="{x + 7:.1f}" y="{y + 4:.1f}" class="tick">{escape(name)}</text>')
    said = "; ".join(f"{name}: from {_short(curve[0][1])} to {_short(curve[-1][1])}" for name, _, curve in series if curve)
    return _figure(f"{title} ({y_name})", said, height, "".join(parts))


def _figure(title: str, said: str, height: float, inside: str) -> str:
    return (
        f'<figure><svg viewBox="0 0 {WIDTH} {height:.0f}" role="img" aria-label="{escape(title)}. {escape(said)}" '
        f'preserveAspectRatio="xMinYMin meet">{inside}</svg><figcaption>{escape(title)}</figcaption></figure>'
    )


def _cut(label: str, most: int = 26) -> str:
    return escape(label if len(label) <= most else label[: most - 1] + "…")


def _short(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
