"""Pictures of a clustering: where the rows lie and what is published instead, as a page in one file.

No row is drawn. Before, the rows are counted on a grid and a field of fewer than r rows stays blank; after, each
cluster is a disc around what is published, its area as its size, with a ring at its radius.
"""

from __future__ import annotations

import json
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from shoal.clustering.centres import Shown, number_of
from shoal.clustering.points import Floats, Found
from shoal.clustering.space_of import Placed
from shoal.errors import PolicyError
from shoal.text.rounding import factor_up

if TYPE_CHECKING:
    from shoal.clustering.result import Clustering

WIDE, TALL, EDGE = 420, 320, 44
GRID = 24
DISCS = 1500
"""At most so many clusters are drawn, the largest first."""

STYLE = """
:root{color-scheme:light dark;--fg:#1d2b33;--bg:#fbfcfc;--soft:#51626c;--line:#d5dde1;--a:#0b6e82;--b:#b8732c}
@media(prefers-color-scheme:dark){:root{--fg:#e6edf0;--bg:#12191d;--soft:#a3b3bb;--line:#33434c;--a:#5ac3d8;\
--b:#e0a566}}
body{margin:0 auto;padding:1.2rem;max-width:62rem;font:16px/1.55 system-ui,sans-serif;color:var(--fg);\
background:var(--bg)}
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:1.8rem}table{border-collapse:collapse}th,td{text-align:left;\
padding:.2rem .9rem .2rem 0;
border-bottom:1px solid var(--line);vertical-align:top}.pair{display:grid;\
grid-template-columns:repeat(auto-fit,minmax(19rem,1fr));gap:1rem}
figure{margin:.5rem 0}figcaption{color:var(--soft);font-size:.9rem}svg{width:100%;height:auto}svg text{fill:var(--fg);\
font:12px system-ui,sans-serif}
.frame{fill:none;stroke:var(--line)}.field{fill:var(--a)}.disc{fill:var(--a);fill-opacity:.45}.ring{fill:none;\
stroke:var(--b);stroke-opacity:.6}
.centre{fill:var(--fg)}
"""
NOTICE = "Not for publication: the owner's page. It tells of the original."
POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def page(clustering: Clustering, columns: tuple[str, str] | None = None) -> str:
    """A whole page: what was asked and reached, then the picture before and after."""
    record = clustering.record
    placed, found, shown = clustering.sketch
    axes = _axes(placed, found, shown, columns)
    told = (
        ("Problem", record["problem"]),
        (
            "Rows, clusters, outliers",
            f"{record['n_rows']}, {record['n_clusters']}, {record['n_outliers']} (of {record['max_outliers']} allowed)",
        ),
        ("Smallest cluster", record["smallest_cluster"]),
        ("Largest radius", f"{record['largest_radius']:.6g}"),
        ("Cost", f"{record['cost']:.6g}"),
        ("No clustering costs less than", f"{record['lower_bound']:.6g}"),
        (
            "Cost, at most so many times the least possible",
            "not known" if record["ratio"] is None else factor_up(record["ratio"]),
        ),
        ("Guarantee", record["guarantee_text"]),
    )
    rows = "".join(f'<tr><th scope="row">{escape(str(a))}</th><td>{escape(str(b))}</td></tr>' for a, b in told)
    sizes = np.sort(found.sizes())[::-1]
    body = (
        f"<h1>{escape(record['method'])}: clusters of at least {record['r']} rows</h1><table>{rows}</table>"
        "<h2>Before and after</h2><div "
        f'class="pair">{_before(placed, axes, record["r"])}{_after(found, shown, axes)}</div>'
        "<h2>Sizes and "
        f"radii</h2>{_spread('size of a cluster', sizes.astype(np.float64))}"
        f"{_spread('radius of a cluster', np.sort(shown.radius)[::-1])}"
    )
    data = json.dumps(record).replace("<", "\\u003c")
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" '
        'content="width=device-width,initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}"><title>shoal: '
        f"clusters</title><style>{STYLE}</style></head>"
        f'<body><main><p role="note"><strong>{escape(NOTICE)}</strong></p>{body}</main><script type="application/json" '
        f'id="numbers">{data}</script></body></html>\n'
    )


def fragment(clustering: Clustering) -> str:
    """The pictures for a notebook. They are of the original: for the owner."""
    placed, found, shown = clustering.sketch
    axes = _axes(placed, found, shown, None)
    rules = STYLE[STYLE.index(".pair{") :]
    colours = "--fg:currentcolor;--soft:inherit;--line:#8895;--a:#0b7d94;--b:#b8732c;"
    inside = f'<div class="pair">{_before(placed, axes, clustering.record["r"])}{_after(found, shown, axes)}</div>'
    return f'<style>.shoal-clusters{{{colours}{rules}}}</style><div class="shoal-clusters">{inside}</div>'


class _Axes:
    """Where rows and centres lie in the plane of the picture."""

    def __init__(
        self, names: tuple[str, str], rows: Floats, centres: Floats, per_unit: tuple[float, float] | None
    ) -> None:
        self.names, self.rows, self.centres, self.per_unit = names, rows, centres, per_unit
        both = np.vstack([rows, centres])
        self.low = np.nanmin(both, axis=0)
        wide = np.nanmax(both, axis=0) - self.low
        self.wide = np.where(wide > 0, wide, 1.0)

    def place(self, at: Floats) -> Floats:
        share = (at - self.low) / self.wide
        return np.column_stack([EDGE + share[:, 0] * (WIDE - 2 * EDGE), TALL - EDGE - share[:, 1] * (TALL - 2 * EDGE)])


def _axes(placed: Placed, found: Found, shown: Shown, columns: tuple[str, str] | None) -> _Axes:
    numeric = [c.name for c in placed.columns if c.numbers is not None]
    if columns is not None:
        wrong = [name for name in columns if name not in numeric]
        if wrong:
            raise PolicyError(
                f"The picture needs two columns of numbers or dates, and '{wrong[0]}' is none. There are: "
                f"{', '.join(numeric) or 'none'}."
            )
    elif len(numeric) >= 2:
        columns = (numeric[0], numeric[1])
    if columns is None:
        return _projection(placed, found)
    which = [next(j for j, c in enumerate(placed.columns) if c.name == name) for name in columns]
    made = [placed.columns[j] for j in which]
    rows = np.column_stack([c.numbers[placed.codes[j]] for j, c in zip(which, made, strict=True)])  # type: ignore[index]
    text = [shown.values[j] for j in which]
    centres = np.array(
        [[np.nan if t is None else number_of(c, t) for t in column] for c, column in zip(made, text, strict=True)]
    ).T
    return _Axes(columns, rows, centres.reshape(-1, 2), tuple(c.unit / c.weight for c in made))  # type: ignore[arg-type]


def _projection(placed: Placed, found: Found) -> _Axes:
    """Distances to two far points: a plane for any space."""
    space = placed.points.space
    centres, _, _, _ = space.farthest_first(3)
    far = [int(centres[min(i, len(centres) - 1)]) for i in (1, 2)]
    everything = np.arange(space.n, dtype=np.int32)
    plane = np.column_stack([space.distances(everything, p) for p in far])
    return _Axes(("distance to one end", "distance to another"), plane[placed.points.of_row], plane[found.centre], None)


def _before(placed: Placed, axes: _Axes, r: int) -> str:
    at = axes.rows[~np.isnan(axes.rows).any(axis=1)]
    share = np.minimum(((at - axes.low) / axes.wide * GRID).astype(np.int64), GRID - 1)
    count = np.zeros((GRID, GRID), dtype=np.int64)
    np.add.at(count, (share[:, 0], share[:, 1]), 1)
    wide, tall = (WIDE - 2 * EDGE) / GRID, (TALL - 2 * EDGE) / GRID
    most = max(int(count.max()), 1)
    fields = "".join(
        f'<rect class="field" x="{EDGE + i * wide:.1f}" y="{TALL - EDGE - (j + 1) * tall:.1f}" width="{wide:.1f}" '
        f'height="{tall:.1f}" '
        f'fill-opacity="{0.12 + 0.88 * (count[i, j] / most) ** 0.5:.2f}"/>'
        for i, j in np.argwhere(count >= max(r, 2))
    )
    blank = int(count[count < max(r, 2)].sum())
    note = f"{len(at)} rows on a grid; fields of fewer than {max(r, 2)} rows are left blank ({blank} rows)."
    return _figure("Before", note, axes, fields)


def _after(found: Found, shown: Shown, axes: _Axes) -> str:
    sizes = found.sizes()
    order = np.argsort(-sizes, kind="stable")[:DISCS]
    order = order[~np.isnan(axes.centres[order]).any(axis=1)]
    placed = axes.place(axes.centres[order])
    most = max(int(sizes.max(initial=1)), 1)
    parts = []
    for c, (x, y) in zip(order.tolist(), placed.tolist(), strict=True):
        parts.append(f'<circle class="disc" cx="{x:.1f}" cy="{y:.1f}" r="{2 + 14 * (sizes[c] / most) ** 0.5:.1f}"/>')
        if axes.per_unit is not None and shown.radius[c] > 0:
            rx, ry = (shown.radius[c] * axes.per_unit[i] / axes.wide[i] * ((WIDE, TALL)[i] - 2 * EDGE) for i in (0, 1))
            parts.append(f'<ellipse class="ring" cx="{x:.1f}" cy="{y:.1f}" rx="{rx:.1f}" ry="{ry:.1f}"/>')
        parts.append(f'<circle class="centre" cx="{x:.1f}" cy="{y:.1f}" r="1.5"/>')
    note = f"{found.n_clusters} clusters: discs by size{', rings at the radius' if axes.per_unit else ''}."
    return _figure("After", note, axes, "".join(parts))


def _figure(title: str, note: str, axes: _Axes, inner: str) -> str:
    frame = f'<rect class="frame" x="{EDGE}" y="{EDGE}" width="{WIDE - 2 * EDGE}" height="{TALL - 2 * EDGE}"/>'
    x, y = (escape(name) for name in axes.names)
    words = (
        f'<text x="{WIDE / 2}" y="{TALL - 14}" text-anchor="middle">{x}</text><text x="8" y="{EDGE - 12}">{y}</text>'
    )
    clip = (
        f'<clipPath id="{title}"><rect x="{EDGE}" y="{EDGE}" width="{WIDE - 2 * EDGE}" '
        f'height="{TALL - 2 * EDGE}"/></clipPath>'
    )
    return (
        f'<figure><svg viewBox="0 0 {WIDE} {TALL}" role="img" aria-label="{title}: {escape(note)}">{clip}{frame}'
        f'<g clip-path="url(#{title})">{inner}</g>{words}</svg><figcaption>{title}. '
        f"{escape(note)}</figcaption></figure>"
    )


def _spread(name: str, falling: Floats) -> str:
    """The values from the largest to the smallest, as a curve."""
    n = len(falling)
    most = float(falling.max(initial=0.0)) or 1.0
    some = falling[np.unique(np.linspace(0, n - 1, min(n, 200)).astype(np.int64))] if n else falling
    steps = max(len(some) - 1, 1)
    dots = " ".join(
        f"{EDGE + i / steps * (WIDE - 2 * EDGE):.1f},{110 - 90 * x / most:.1f}" for i, x in enumerate(some.tolist())
    )
    middle = float(np.median(falling)) if n else 0.0
    note = (
        f"The {name}, from the largest ({most:.4g}) to the smallest ({float(falling.min(initial=most)):.4g}); the "
        f"median is {middle:.4g}."
    )
    return (
        f'<figure><svg viewBox="0 0 {WIDE} 130" role="img" aria-label="{escape(note)}"><line x1="{EDGE}" '
        f'x2="{WIDE - EDGE}" y1="110" y2="110" '
        f'class="ring"/><polyline points="{dots}" fill="none" '
        f'class="ring"/></svg><figcaption>{escape(note)}</figcaption></figure>'
    )
