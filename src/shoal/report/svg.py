"""Figures by hand: no library, no outside address, colours from the page's style, and their numbers as text for those
who do not see them.

Bars are lines of a table: their labels wrap and are never cut, on a phone as on paper. Curves and histograms are drawn
as wide as a phone, so that their letters stay readable on one. No figure needs a style of its own, so that the studio's
pages, which allow none, can show them.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import pairwise

WIDTH = 360
LETTER = 6.6
"""The width of a letter, on average: SVG text does not wrap, so room for it is reserved."""
MOST_TICKS = 5

Curve = Sequence[tuple[float, float]]


def bars(title: str, rows: Sequence[tuple[str, float, str]], colour: str = "a") -> str:
    """Horizontal bars: (label, length, text beside it)."""
    most = max((length for _, length, _ in rows), default=0.0) or 1.0
    return _lines_of_bars(title, [(name, text, _strip([(length / most, colour)])) for name, length, text in rows])


def twin_bars(title: str, rows: Sequence[tuple[str, float | None, float | None, str]]) -> str:
    """Two bars a row, before (above) and after: (label, before, after, text)."""
    most = max((max(a or 0.0, b or 0.0) for _, a, b, _ in rows), default=0.0) or 1.0
    return _lines_of_bars(
        title, [(name, text, _strip([((a or 0.0) / most, "b"), ((b or 0.0) / most, "a")])) for name, a, b, text in rows]
    )


def _strip(lengths: Sequence[tuple[float, str]]) -> str:
    """Bars one below the other, as wide as there is room."""
    tall = 10 if len(lengths) == 1 else 8
    inside = "".join(
        f'<rect y="{i * (tall + 1)}" width="{min(max(100 * length, 0.0), 100):.1f}" height="{tall}" class="{colour}"/>'
        for i, (length, colour) in enumerate(lengths)
    )
    return (
        f'<svg viewBox="0 0 100 {len(lengths) * (tall + 1) - 1}" preserveAspectRatio="none" '
        f'aria-hidden="true">{inside}</svg>'
    )


def _lines_of_bars(title: str, rows: Sequence[tuple[str, str, str]]) -> str:
    inside = "".join(
        f'<tr><th scope="row">{escape(name)}</th><td class="n">{escape(text)}</td><td class="bar">{strip}</td></tr>'
        for name, text, strip in rows
    )
    return f'<figure class="bars"><table><caption>{escape(title)}</caption><tbody>{inside}</tbody></table></figure>'


def stack(title: str, rows: Sequence[tuple[str, Sequence[tuple[str, str, float]]]]) -> str:
    """Divided bars:

    (label, parts), a part with its name, its kind and its share. The first part is darkest, and what is hidden is
    blank.
    """
    parts = []
    for label, shares in rows:
        shown = [
            (name, colour, share) for (name, _, share), colour in zip(shares, _shades(shares), strict=True) if share > 0
        ]
        at, rects = 0.0, ""
        for _, colour, share in shown:
            rects += f'<rect x="{100 * at:.2f}" y="0.5" width="{100 * share:.2f}" height="9" class="{colour}"/>'
            at += share
        keys = "".join(
            f"<li>{_chip(colour)}<b>{_percent(share)}</b> {escape(name)}</li>" for name, colour, share in shown
        )
        strip = f'<svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">{rects}</svg>'
        parts.append(
            f'<tr><th scope="row">{escape(label)}</th><td class="stack">{strip}<ul class="keys">{keys}</ul></td></tr>'
        )
    return (
        '<figure class="bars '
        f'wide"><table><caption>{escape(title)}</caption><tbody>{"".join(parts)}</tbody></table></figure>'
    )


def _shades(shares: Sequence[tuple[str, str, float]]) -> list[str]:
    """A class for each part: exact, g1 to g4 from fine to coarse, hidden."""
    n = sum(kind == "general" for _, kind, _ in shares)
    found, i = [], 0
    for _, kind, _ in shares:
        if kind == "general":
            found.append(f"g{1 + (i * 4 // max(n, 1) if n > 4 else i)}")
            i += 1
        else:
            found.append(kind)
    return found


def _chip(colour: str) -> str:
    return (
        '<svg class="chip" viewBox="0 0 10 10" aria-hidden="true"><rect x="0.5" y="0.5" width="9" height="9" '
        f'class="{colour}"/></svg>'
    )


def _percent(share: float) -> str:
    """A share of cells; never 0 % for what there is, nor 100 % for less than all."""
    if 0 < share < 0.01:
        return "under 1 %"
    return "over 99 %" if 0.99 < share < 1 else f"{100 * share:.0f} %"


def histogram(
    title: str, bins: Sequence[str], after: Sequence[int], before: Sequence[int | None] | None = None, note: str = ""
) -> str:
    """Rows by bins on one axis: after as bars, before as a line above them."""
    if not bins:
        return ""
    height, top, bottom, left = 170, 22, 34, 4
    most = max([*after, *(n for n in before or () if n is not None), 1])
    wide = (WIDTH - 2 * left) / len(bins)
    tall = height - top - bottom

    def up(n: float) -> float:
        return top + tall * (1 - n / most)

    parts = [f'<line x1="{left}" x2="{WIDTH - left}" y1="{up(0):.1f}" y2="{up(0):.1f}" class="grid"/>']
    for i, n in enumerate(after):
        parts.append(
            f'<rect x="{left + i * wide + 0.5:.1f}" y="{up(n):.1f}" width="{wide - 1:.1f}" '
            f'height="{up(0) - up(n):.1f}" class="a"/>'
        )
    if before is not None:
        parts.append(
            _steps(
                [(left + i * wide, left + (i + 1) * wide, None if n is None else up(n)) for i, n in enumerate(before)]
            )
        )
        parts += [_legend(left, "before", "b"), _legend(left + 70, "after", "a")]
    parts.append(f'<text x="{WIDTH - left}" y="13" text-anchor="end">highest: {most:,}</text>')
    parts += _ticks(bins, left, wide, height - 14)
    said = "; ".join(
        f"{name}: {n:,}" if before is None else f"{name}: {'few' if b is None else f'{b:,}'} before, {n:,} after"
        for name, n, b in zip(bins, after, before or after, strict=True)
    )
    return _figure(title, said, height, "".join(parts), note)


def _steps(tops: Sequence[tuple[float, float, float | None]]) -> str:
    """The outline of bars; nothing is drawn where a bin has too few rows to be shown."""
    way, is_open = [], False
    for x1, x2, y in tops:
        if y is None:
            is_open = False
            continue
        way.append(f"{'L' if is_open else 'M'}{x1:.1f} {y:.1f}L{x2:.1f} {y:.1f}")
        is_open = True
    return f'<path d="{"".join(way)}" class="line b"/>' if way else ""


def _ticks(bins: Sequence[str], left: float, wide: float, y: float) -> list[str]:
    """Where some of the bins begin; as many as have room."""
    starts = [name.split(" to ")[0] for name in bins]
    room = max(len(s) for s in starts) * LETTER + 14
    every = max(1, -(-len(bins) // MOST_TICKS), int(-(-room // wide)))
    found = []
    for i in range(0, len(bins), every):
        x = left + i * wide
        if i and x + room / 2 > WIDTH:
            break
        anchor = "start" if i == 0 else "middle"
        found.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{y - 20:.1f}" y2="{y - 14:.1f}" class="tick"/>')
        found.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(starts[i])}</text>')
    return found


def lines(
    title: str,
    series: Sequence[tuple[str, str, Curve]],
    x_name: str,
    y_name: str,
    from_zero: bool = False,
    ticks: Sequence[float] | None = None,
) -> str:
    """Curves:

    (name, colour class, points). The y axis begins near the least value unless told otherwise; ``ticks`` says where the
    x axis has its numbers.
    """
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
    steps = ticks if ticks is not None else [low_x + wide * step / 4 for step in range(5 if high_x > low_x else 1)]
    parts += _numbers_at([(place(x, low_y)[0], _short(x)) for x in steps], left, right, height - 22)
    parts.append(f'<text x="{(left + right) / 2:.0f}" y="{height - 5}" text-anchor="middle">{escape(x_name)}</text>')
    x = 4.0
    for name, colour, curve in drawn:
        parts += [_legend(x, name, colour), _path([place(*point) for point in curve], colour)]
        x += len(name) * LETTER + 32
    said = "; ".join(f"{name}: from {_short(curve[0][1])} to {_short(curve[-1][1])}" for name, _, curve in drawn)
    return _figure(f"{title} ({y_name})", said, height, "".join(parts))


def _numbers_at(steps: Sequence[tuple[float, str]], left: float, right: float, y: float) -> list[str]:
    """The numbers below an axis, without those that would run into the one before."""
    found, free = [], -1.0
    for x, text in steps:
        wide = len(text) * LETTER
        begin = min(max(x - wide / 2, left), right - wide)
        if begin >= free:
            found.append(f'<text x="{begin:.1f}" y="{y:.0f}">{text}</text>')
            free = begin + wide + 6
    return found


def _path(placed: Curve, colour: str) -> str:
    """A curve, with its points where they can be told apart."""
    way = " ".join(f"{'M' if i == 0 else 'L'}{x:.1f} {y:.1f}" for i, (x, y) in enumerate(placed))
    are_apart = all(b[0] - a[0] >= 8 for a, b in pairwise(placed))
    shown = placed if are_apart else placed[-1:]
    dots = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" class="{colour}"/>' for x, y in shown)
    return f'<path d="{way}" class="line {colour}"/>{dots}'


def _legend(x: float, name: str, colour: str) -> str:
    return (
        f'<rect x="{x}" y="3" width="14" height="10" class="{colour}"/><text x="{x + 20}" y="13">{escape(name)}</text>'
    )


def _figure(title: str, said: str, height: float, inside: str, note: str = "") -> str:
    below = f'<p class="soft">{escape(note)}</p>' if note else ""
    return (
        f'<figure><figcaption>{escape(title)}</figcaption><svg viewBox="0 0 {WIDTH} {height:.0f}" role="img" '
        f'aria-label="{escape(title)}. {escape(said)}">{inside}</svg>{below}</figure>'
    )


def _short(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
