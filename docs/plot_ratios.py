"""Draws ``docs/ratios.svg`` from the measurements in ``docs/ratios.json``: one line per algorithm and kind of table."""

from __future__ import annotations

import json
import math
from html import escape
from pathlib import Path

HERE = Path(__file__).parent
LEFT, RIGHT, ROW, TOP = 250, 250, 22, 64
WIDTH = 960
LARGEST = 20.0


def x(ratio: float) -> float:
    """Place of a ratio: 1 at the left, logarithmic."""
    return LEFT + (WIDTH - LEFT - RIGHT) * math.log(min(max(ratio, 1.0), LARGEST)) / math.log(LARGEST)


def text(at: float, y: float, words: str, anchor: str = "start", kind: str = "") -> str:
    return f'<text x="{at:.1f}" y="{y:.1f}" text-anchor="{anchor}" class="{kind}">{escape(words)}</text>'


def small_line(y: float, family: str, found: dict[str, object]) -> list[str]:
    low, quarter, middle, three, _ = found["quantiles"]  # type: ignore[misc]
    worst, promised = float(found["worst"]), found["promised"]  # type: ignore[arg-type]
    out = [
        text(LEFT - 12, y + 4, family, "end"),
        f'<line x1="{x(low):.1f}" x2="{x(worst):.1f}" y1="{y}" y2="{y}" class="range"/>',
        f'<rect x="{x(quarter):.1f}" y="{y - 4}" width="{max(x(three) - x(quarter), 1):.1f}" height="8" class="half"/>',
        f'<line x1="{x(middle):.1f}" x2="{x(middle):.1f}" y1="{y - 6}" y2="{y + 6}" class="middle"/>',
        f'<circle cx="{x(worst):.1f}" cy="{y}" r="3.5" class="worst"/>',
    ]
    words = f"worst {worst:.2f} of {found['tables']:,} tables"
    if promised is not None:
        out.append(f'<path d="M{x(float(promised)):.1f} {y - 7} v14" class="promise"/>')  # type: ignore[arg-type]
        words += f", promised {float(promised):.2f}"  # type: ignore[arg-type]
    return [*out, text(WIDTH - RIGHT + 14, y + 4, words, kind="note")]


def large_line(y: float, row: dict[str, object]) -> list[str]:
    ratio = float(row["ratio"])  # type: ignore[arg-type]
    return [
        text(LEFT - 12, y + 4, f"Adult, {row['measure']}, k={row['k']}", "end"),
        f'<path d="M{x(ratio):.1f} {y - 5} l5 5 l-5 5 l-5 -5 z" class="real"/>',
        text(WIDTH - RIGHT + 14, y + 4, f"at most {ratio:.2f} (loss over bound)", kind="note"),
    ]


def draw(record: dict[str, object]) -> str:
    small: dict[str, dict[str, dict[str, object]]] = record["small"]  # type: ignore[assignment]
    large: list[dict[str, object]] = record["large"]  # type: ignore[assignment]
    body: list[str] = []
    y = TOP
    for name, families in small.items():
        body.append(text(16, y + 4, name, kind="name"))
        y += ROW
        for family, found in families.items():
            body += small_line(y, family, found)
            y += ROW
        for row in large:
            if row["algorithm"] == name and row["data"] == "adult" and row["ratio"] is not None:
                body += large_line(y, row)
                y += ROW
        y += ROW // 2
    if "tables" in record:
        of_auto: dict[str, dict[str, object]] = record["tables"]["groups"]  # type: ignore[index]
        body.append(text(16, y + 4, "auto, tables of many kinds: loss over the bound that was proved", kind="name"))
        y += ROW
        for family, found in of_auto.items():
            body += small_line(y, family, found)
            y += ROW
        y += ROW // 2
    ticks = []
    for value in (1, 1.5, 2, 3, 5, 10, 20):
        ticks.append(f'<line x1="{x(value):.1f}" x2="{x(value):.1f}" y1="{TOP - 16}" y2="{y - ROW}" class="tick"/>')
        ticks.append(text(x(value), TOP - 22, f"{value:g}", "middle"))
    legend = "bar: half of the tables · line: from the 5th percentile to the worst (dot) · upright: what is promised · diamond: Adult"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y}" role="img" aria-label="Ratio of loss to optimum, by algorithm">',
            "<style>text{font:12px sans-serif;fill:#333}.name{font-weight:bold}.note{fill:#666}.tick{stroke:#ddd}.range{stroke:#7aa}"
            ".half{fill:#7cc5cf}.middle{stroke:#055;stroke-width:2}.worst{fill:#055}.promise{stroke:#c33;stroke-width:2}.real{fill:#d80}</style>",
            f'<rect width="{WIDTH}" height="{y}" fill="#fff"/>',
            text(16, 20, "Loss over optimum", kind="name"),
            text(150, 20, legend, kind="note"),
            *ticks,
            *body,
            "</svg>",
            "",
        ]
    )


if __name__ == "__main__":
    record = json.loads((HERE / "ratios.json").read_text(encoding="utf-8"))
    (HERE / "ratios.svg").write_text(draw(record), encoding="utf-8")
