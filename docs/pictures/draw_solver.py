"""Draws the pictures of how-it-works.md: `python docs/pictures/draw_solver.py`."""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).parent
INK, PALE, BLUE, RED, GREEN = "#1f2933", "#9aa5b1", "#2b6cb0", "#c53030", "#2f855a"

CURVE = [
    (0.1, 0.44420, None), (0.3, 0.44420, 0.24416), (1.4, 0.32903, 0.24416), (2.2, 0.32903, 0.25714), (3.1, 0.32903, 0.26656),
    (4.1, 0.32367, 0.27130), (5.1, 0.31939, 0.27373), (6.8, 0.31331, 0.27521), (8.0, 0.31208, 0.27620), (9.8, 0.30811, 0.27683),
    (11.5, 0.30567, 0.27724), (13.8, 0.30287, 0.27767), (16.2, 0.30082, 0.27779), (18.7, 0.29957, 0.27796), (21.1, 0.29810, 0.27802),
    (24.0, 0.29763, 0.27810),
]  # fmt: skip
"""CPU seconds, loss and bound per cell: Adult, entropy, k=5, one run."""


def picture(name: str, title: str, width: int, height: int, inside: list[str]) -> None:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-label="{title}" font-family="sans-serif" font-size="13">'
    (HERE / name).write_text("\n".join([head, f"<title>{title}</title>", *inside, "</svg>"]) + "\n", encoding="utf-8")


def text(x: float, y: float, words: str, colour: str = INK, anchor: str = "start") -> str:
    return f'<text x="{x}" y="{y}" fill="{colour}" text-anchor="{anchor}">{words}</text>'


def dot(x: float, y: float, colour: str = INK, radius: int = 5) -> str:
    return f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{colour}"/>'


def box(x: float, y: float, w: float, h: float, colour: str, dashed: bool = False) -> str:
    dash = ' stroke-dasharray="5 4"' if dashed else ""
    return f'<rect x="{x}" y="{y}" width="{w}" height="{h}" rx="8" fill="{colour}" fill-opacity="0.08" stroke="{colour}" stroke-width="2"{dash}/>'


def prices() -> None:
    """A table as points, boxes around them, and a price at each point."""
    points = [
        (70, 70, 2),
        (110, 60, 2),
        (95, 105, 2),
        (230, 80, 5),
        (270, 130, 5),
        (215, 140, 5),
        (380, 110, 3),
        (420, 80, 3),
        (410, 140, 3),
    ]
    inside = [box(50, 40, 90, 85, GREEN), box(195, 60, 95, 100, BLUE), box(360, 60, 85, 100, GREEN), box(35, 25, 430, 155, PALE, True)]
    inside += [dot(x, y) + text(x + 8, y + 4, str(p), RED) for x, y, p in points]
    inside += [text(60, 205, "d = 2", GREEN), text(215, 205, "d = 5", BLUE), text(380, 205, "d = 3", GREEN), text(475, 105, "d = 9", PALE)]
    inside += [
        text(35, 235, "k = 3. Red: a price for each row. In no box do the 3 highest prices average more than d, what the box costs a row.")
    ]
    inside += [text(35, 255, "So every release loses at least the sum of the prices: 30. The three closed boxes lose just that.")]
    picture("prices.svg", "Rows with prices, and boxes that no three prices overcharge", 780, 270, inside)


def recut() -> None:
    """Before, apart, and cut again."""
    groups = [[(60, 60), (90, 50), (150, 110)], [(75, 100), (165, 75), (180, 105)]]
    inside = []
    for shift, title in ((0, "two neighbouring groups"), (260, "taken apart"), (520, "cut again from a random row")):
        inside.append(text(shift + 120, 165, title, INK, "middle"))
        inside += [dot(x + shift, y, colour) for rows, colour in zip(groups, (BLUE, RED), strict=True) for x, y in rows if shift == 0]
        inside += [dot(x + shift, y, PALE) for rows in groups for x, y in rows if shift == 260]
    inside += [dot(x + 520, y, BLUE) for x, y in ((60, 60), (90, 50), (75, 100))]
    inside += [dot(x + 520, y, RED) for x, y in ((150, 110), (165, 75), (180, 105))]
    inside += [box(45, 35, 120, 90, BLUE), box(60, 60, 135, 60, RED), box(565, 35, 45, 80, BLUE), box(655, 60, 60, 65, RED)]
    inside += [text(225, 85, "→", PALE), text(485, 85, "→", PALE)]
    picture("recut.svg", "Two groups are taken apart and cut again better", 780, 180, inside)


def curve() -> None:
    """Loss and bound as they meet."""

    def at(second: float, value: float) -> str:
        return f"{60 + second * 26:.0f},{240 - (value - 0.23) * 900:.0f}"

    loss = " ".join(at(s, v) for s, v, _ in CURVE)
    bound = " ".join(at(s, b) for s, _, b in CURVE if b is not None)
    inside = [
        f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2.5"/>' for line, colour in ((loss, RED), (bound, BLUE))
    ]
    inside += [text(690, 183, "loss 0.2976", RED), text(690, 205, "bound 0.2781", BLUE)]
    for second, ratio in ((0.3, 1.82), (5.1, 1.17), (11.5, 1.10), (24.0, 1.07)):
        x = 60 + second * 26
        inside.append(f'<line x1="{x:.0f}" y1="30" x2="{x:.0f}" y2="245" stroke="{PALE}" stroke-dasharray="3 4"/>')
        inside.append(text(x + 4, 26, f"at most {ratio:.2f} times", PALE))
    inside += [text(60 + s * 26, 262, f"{s} s", INK, "middle") for s in (0, 5, 10, 15, 20)]
    picture("curve.svg", "Loss and bound per cell over CPU seconds on Adult, entropy, k=5", 800, 275, inside)


if __name__ == "__main__":
    prices()
    recut()
    curve()
