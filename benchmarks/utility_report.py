"""The study's results as one table and one picture."""

from __future__ import annotations

import json
from collections import defaultdict
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from shoal import measures

PICTURE = Path("docs") / "utility.svg"
NEAR = 1.1
"""Within a tenth of the best."""
SMALL = 0.001
"""Errors that differ by less are equal."""
DRAWS = 4000
Results = dict[tuple[str, int], dict[str, dict[str, Any]]]


def load(path: Path) -> Results:
    found: Results = defaultdict(dict)
    for line in path.read_text().splitlines() if path.exists() else []:
        one = json.loads(line)
        if "counts" in one:
            found[one["table"], one["k"]][one["method"]] = one
    return found


def methods_of(results: Results, k: int) -> list[str]:
    """Methods that were run on most tables at this k; those of other tools, on Adult alone, are shown apart."""
    tables = [cell for (_, kk), cell in results.items() if kk == k]
    names = dict.fromkeys(name for cell in tables for name in cell)
    return [name for name in names if sum(name in cell for cell in tables) > len(tables) / 2]


def lines(results: Results, k: int) -> list[dict[str, Any]]:
    """A line for each method, over the tables on which all methods were run."""
    names = methods_of(results, k)
    tables = [cell for (_, kk), cell in results.items() if kk == k and all(name in cell for name in names)]
    if not tables:
        return []
    counts = np.array([[cell[name]["counts"]["reader"]["mean"] for cell in tables] for name in names])
    pairs = np.array([[cell[name]["associations"]["reader"] for cell in tables] for name in names])
    found = []
    for i, name in enumerate(names):
        cells = [cell[name] for cell in tables]
        found.append(
            {
                "method": name,
                "tables": len(tables),
                **{how: _mean(c["counts"][how]["mean"] for c in cells) for how in ("evenly", "likeliest", "reader")},
                "median": float(np.median([c["counts"]["reader"]["median"] for c in cells])),
                "associations": float(pairs[i].mean()),
                "lost": _mean(c["prediction"]["lost"] for c in cells if c.get("prediction")),
                "coefficients": float(np.median([c["regression"]["off"] for c in cells if c.get("regression")] or [np.nan])),
                "held": _mean(c["regression"]["held"] for c in cells if c.get("regression")),
                "quantiles": _mean(c["numbers"]["quantile"] for c in cells if c["numbers"]),
                "rare": _mean(c["rare"] for c in cells if c["rare"] is not None),
                "coverage": _mean(c["counts"]["reader"]["coverage"] for c in cells),
                "best_counts": float(np.mean(counts[i] <= NEAR * counts.min(0) + SMALL)),
                "best_pairs": float(np.mean(pairs[i] <= NEAR * pairs.min(0) + SMALL)),
                "beside_best": float(np.exp(np.log((counts[i] + SMALL) / (counts.min(0) + SMALL)).mean())),
                "ratio": _mean(c["ratio"] for c in cells if c.get("ratio") is not None),
            }
        )
    return sorted(found, key=lambda line: line["reader"])


def _mean(numbers: Any) -> float:
    kept = list(numbers)
    return float(np.mean(kept)) if kept else float("nan")


def report(path: Path) -> None:
    results = load(path)
    drawn = {}
    for k in sorted({k for _, k in results}):
        found = lines(results, k)
        if found:
            drawn[k] = found
            _print(k, found)
            _print_beside(results, k)
    adult = {k: cell for (table, k), cell in results.items() if table == "Adult"}
    for k, cell in sorted(adult.items()):
        print(f"\nAdult, k = {k}: counts of 1-3 columns, mean relative error (evenly / likeliest / reader)")
        for name, one in sorted(cell.items(), key=lambda pair: pair[1]["counts"]["reader"]["mean"]):
            c = one["counts"]
            print(
                f"  {name:<32}"
                + " / ".join(f"{c[how]['mean']:.3f}" for how in ("evenly", "likeliest", "reader"))
                + f"   coverage {c['reader']['coverage']:.2f}"
            )
    if drawn and PICTURE.parent.is_dir():
        PICTURE.write_text(draw(drawn))


def _print(k: int, found: list[dict[str, Any]]) -> None:
    print(f"\nk = {k}, {found[0]['tables']} tables")
    print(
        f"  {'method':<22}{'counts: evenly':>15}{'likeliest':>11}{'reader':>8}{'(median)':>10}{'pairs':>7}{'AUC lost':>10}{'coef/se':>9}{'held':>6}{'quant/sd':>10}{'rare':>6}{'95 %':>6}{'best: counts':>14}{'pairs':>7}{'x best':>8}{'proved':>8}"
    )
    for line in found:
        print(
            f"  {line['method']:<22}{line['evenly']:>15.3f}{line['likeliest']:>11.3f}{line['reader']:>8.3f}{line['median']:>10.3f}{line['associations']:>7.3f}"
            f"{line['lost']:>10.4f}{line['coefficients']:>9.2f}{line['held']:>6.2f}{line['quantiles']:>10.3f}{line['rare']:>6.2f}{line['coverage']:>6.2f}{line['best_counts']:>14.2f}{line['best_pairs']:>7.2f}{line['beside_best']:>8.2f}{line['ratio']:>8.3f}"
        )


def beside_default(results: Results, k: int) -> list[tuple[str, list[list[float]]]]:
    """Of each method how many times the default's error it has, in counts and in associations: the geometric mean over tables, and between what it lies for 95 % of draws of tables."""
    names = methods_of(results, k)
    tables = [cell for (_, kk), cell in results.items() if kk == k and all(name in cell for name in names)]
    drawn = np.random.default_rng(0).integers(0, len(tables), (DRAWS, len(tables)))
    found = []
    for name in names:
        told = []
        for error in (lambda one: one["counts"]["reader"]["mean"], lambda one: one["associations"]["reader"]):
            logs = np.array([np.log((error(cell[name]) + SMALL) / (error(cell[measures.DEFAULT]) + SMALL)) for cell in tables])
            told.append(np.exp([logs.mean(), *np.quantile(logs[drawn].mean(1), (0.025, 0.975))]).tolist())
        found.append((name, told))
    return sorted(found, key=lambda pair: pair[1][0][0] * pair[1][1][0])


def _print_beside(results: Results, k: int) -> None:
    print(f"  times the error of {measures.DEFAULT} (95 % of draws of tables): counts, associations")
    for name, told in beside_default(results, k):
        print(f"    {name:<22}" + "   ".join(f"{mean:.2f} ({low:.2f} to {high:.2f})" for mean, low, high in told))


def draw(drawn: dict[int, list[dict[str, Any]]]) -> str:
    """Bars: the mean error of counts by the reader, with a tick for the same release read evenly."""
    left, width, row = 190, 720, 18
    most = max(max(line["reader"], line["evenly"]) for found in drawn.values() for line in found)
    body, y = [], 46
    for k, found in drawn.items():
        body.append(f'<text x="16" y="{y}" class="name">k = {k}, {found[0]["tables"]} tables</text>')
        y += row
        for line in found:
            bar, tick = ((width - left - 60) * line[how] / most for how in ("reader", "evenly"))
            body.append(f'<text x="{left - 10}" y="{y + 4}" text-anchor="end">{escape(line["method"])}</text>')
            body.append(f'<rect x="{left}" y="{y - 5}" width="{bar:.1f}" height="10" class="bar"/>')
            body.append(f'<path d="M{left + tick:.1f} {y - 8} v16" class="tick"/>')
            body.append(f'<text x="{left + max(bar, tick) + 8:.1f}" y="{y + 4}" class="note">{line["reader"]:.3f}</text>')
            y += row
        y += row
    style = (
        "text{font:12px sans-serif;fill:#333}.name{font-weight:bold}.note{fill:#666}.bar{fill:#2a7f8f}.tick{stroke:#b5482a;stroke-width:2}"
    )
    title = "Mean relative error of counts of one to three columns: bars read by shoal.read, ticks read evenly"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {y}" role="img" aria-label="{title}"><style>{style}</style>'
        f'<rect width="{width}" height="{y}" fill="#fff"/><text x="16" y="22">{title}</text>' + "".join(body) + "</svg>\n"
    )
