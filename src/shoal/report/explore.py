"""The curve: loss, bound and risk against k, to choose k by looking at it.

Each run's figures are kept in a JSON file as soon as it ends; a second call with the same table and policy goes on
where the first stopped.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict
from html import escape
from pathlib import Path
from typing import Any

from shoal import api, io
from shoal.columns.whose import rows_counted
from shoal.errors import DataError, Infeasible, PolicyError
from shoal.policy.policy import Policy
from shoal.problem import Watch
from shoal.release.record import NOTICE
from shoal.release.risk import risks
from shoal.report import draw, svg, words
from shoal.report.blocks import Alerts
from shoal.report.draw import section, table
from shoal.report.model import expected_figures
from shoal.report.style import notebook, page
from shoal.table import Table
from shoal.text.rounding import factor_up

FORMAT = "shoal-explore-3"
Point = dict[str, Any]


def explore(
    data: Any, policy: Policy, ks: Sequence[int], measures: Sequence[str], memory: Path | None, watch: Watch
) -> list[Point]:
    """Run every k with every measure; those that ``memory`` already holds are not run again."""
    if not ks:
        raise PolicyError("Give at least one k, such as -k 2,3,5,10.")
    original = io.read(data)
    known = recall(memory) if memory else {}
    points: list[Point] = []
    runs = [(measure, k) for measure in measures for k in sorted(set(ks))]
    for done, (measure, k) in enumerate(runs):
        asked = policy.changed(k=k, measure=measure)
        key = f"{fingerprint(original, asked)}:{asked.sha256()}"
        if key not in known:
            watch.tell(f"{measure}, k={k}", done / len(runs))
            known[key] = run(original, asked, watch)
            if memory:
                remember(memory, known)
        points.append(known[key])
    return points


def run(table: Table, policy: Policy, watch: Watch) -> Point:
    """One release, reduced to its figures."""
    point: Point = {"k": policy.k, "measure": policy.measure}
    try:
        release = api.anonymize(table, policy=policy, watch=watch)
    except Infeasible as error:
        return {**point, "infeasible": str(error)}
    before, after = risks(release)
    m = release.record
    figures = {
        key: m[key]
        for key in (
            "loss",
            "loss_per_cell",
            "lower_bound",
            "ratio",
            "bound",
            "n_groups",
            "n_withheld",
            "smallest_group",
        )
    }
    # of the rows that the loss counts
    cells = max(m["n_rows" if m["deletion"] else "n_released"] * len(m["quasi_identifiers"]), 1)
    return {
        **point,
        **figures,
        "ended_early": not m["is_repeatable"],
        "rows_counted": [rows_counted(found, m["n_rows"]) for found in m["several_rows"]],
        "errors": expected_figures(release, for_owner=True)["measured"],
        "bound_per_cell": None if m["lower_bound"] is None else m["lower_bound"] / cells,
        "seconds": sum(m["seconds"].values()),
        "risk_before": asdict(before),
        "risk_after": asdict(after),
    }


def fingerprint(table: Table, policy: Policy) -> str:
    """A hash of the columns that decide the figures."""
    names = [name for name in table.columns if name in policy.columns]
    digest = hashlib.sha256(json.dumps(names).encode())
    for name in names:
        digest.update(table.column(name).hash(seed=0).to_numpy().tobytes())
    return digest.hexdigest()


def recall(memory: Path) -> dict[str, Point]:
    """The figures of earlier runs."""
    if not memory.exists():
        return {}
    try:
        content = json.loads(memory.read_text())
        runs: dict[str, Point] = content["runs"]
        if content["format"] != FORMAT:
            raise KeyError
    except (ValueError, KeyError, TypeError, OSError):
        raise DataError(
            f"'{memory}' does not hold earlier runs of 'shoal explore'. Remove it, or name another file."
        ) from None
    return runs


def remember(memory: Path, known: dict[str, Point]) -> None:
    """Keep the figures: the file is written completely or not at all."""
    from shoal.disk.atomic import write_bytes

    content = {"notice": NOTICE, "format": FORMAT, "runs": known}
    write_bytes(memory, (json.dumps(content, indent=1) + "\n").encode(), private=True)


def warned(points: Sequence[Point]) -> list[str]:
    """What is said before everything else: each warning once."""
    said = [f"K COUNTS ROWS: {text}" for p in points for text in p.get("rows_counted", ())]
    said += [f"ENDED EARLY: k = {p['k']}, {p['measure']}. {words.ENDED_EARLY}" for p in points if p.get("ended_early")]
    return list(dict.fromkeys(said))


def text(points: Sequence[Point]) -> str:
    """The figures for a terminal."""
    lines = [*(f"{warning}\n" for warning in warned(points))]
    lines += [
        f"{'measure':<22}{'k':>5}{'loss per cell':>16}{'bound':>12}{'loss over bound':>16}"
        f"{'groups':>10}{'highest risk':>14}{'counts of 1, 2, 3 columns off by':>36}"
    ]
    for p in points:
        if "infeasible" in p:
            lines.append(f"{p['measure']:<22}{p['k']:>5}  {p['infeasible']}")
            continue
        bound = "–" if p["bound_per_cell"] is None else f"{p['bound_per_cell']:.4f}"
        near = factor_up(p["ratio"])
        row = f"{p['measure']:<22}{p['k']:>5}{p['loss_per_cell']:>16.4f}{bound:>12}{near:>16}"
        off = ", ".join(words.percent(error) for error in p["errors"].values())
        lines.append(row + f"{p['n_groups']:>10,}{p['risk_after']['highest']:>14.1%}{off:>36}")
    return "\n".join(lines)


def fragment(points: Sequence[Point]) -> str:
    """The curves for a notebook: every k that cannot be had first."""
    found = [
        _curves(measure, [p for p in points if p["measure"] == measure])
        for measure in dict.fromkeys(p["measure"] for p in points)
    ]
    return notebook(_alerts(points) + "".join(found))


def _alerts(points: Sequence[Point]) -> str:
    return "".join(f"<p><b>{escape(warning)}</b></p>" for warning in warned(points))


def html(points: Sequence[Point], source: str) -> str:
    """The curves as one page."""
    title = f"<h1>Which k for {escape(source)}?</h1>"
    said = (
        "<p>Nobody can lose less than the bound, whoever computes it. "
        "Loss over bound says at most how many times the least possible a run loses. "
        "Risk is the chance of picking somebody's row in the release.</p>"
    )
    parts = [
        _curves(measure, [p for p in points if p["measure"] == measure])
        for measure in dict.fromkeys(p["measure"] for p in points)
    ]
    return page(
        f"shoal: which k for {source}?",
        title + _alerts(points) + said + "".join(parts),
        json.dumps({"notice": NOTICE, "runs": list(points)}, ensure_ascii=False),
        NOTICE,
    )


HEAD = (
    "k", "loss per cell", "bound", "loss over bound", "groups", "withheld", "highest risk", "average risk",
    "counts of 1, 2, 3 columns off by",
)  # fmt: skip


def _row(p: Point) -> tuple[str, ...]:
    """A run, under :data:`HEAD`."""
    return (
        str(p["k"]),
        f"{p['loss_per_cell']:.4f}",
        "–" if p["bound_per_cell"] is None else f"{p['bound_per_cell']:.4f}",
        factor_up(p["ratio"]),
        f"{p['n_groups']:,}",
        f"{p['n_withheld']:,}",
        f"{p['risk_after']['highest']:.1%}",
        f"{p['risk_after']['average']:.1%}",
        ", ".join(words.percent(error) for error in p["errors"].values()),
    )


def _curves(measure: str, points: Sequence[Point]) -> str:
    """What one measure's runs cost and gave."""
    done = [p for p in points if "infeasible" not in p]
    at = [float(p["k"]) for p in done]
    loss = [(float(p["k"]), p["loss_per_cell"]) for p in done]
    bound = [(float(p["k"]), p["bound_per_cell"]) for p in done if p["bound_per_cell"] is not None]
    highest, average = ([(float(p["k"]), p["risk_after"][key]) for p in done] for key in ("highest", "average"))
    figures = svg.lines(
        "Loss and bound against k", [("loss", "a", loss), ("bound", "b", bound)], "k", "per cell", True, at
    )
    figures += svg.lines(
        "Risk against k", [("highest", "a", highest), ("average", "b", average)], "k", "a chance", True, at
    )
    lines = [
        (words.COLUMNS[n], mark, [(float(p["k"]), p["errors"][n]) for p in done if p["errors"][n] is not None])
        for n, mark in (("1", "a"), ("2", "b"), ("3", "c"))
    ]
    figures += svg.lines("How far counts are off against k", lines, "k", "relative error", True, at)
    rows = [_row(p) for p in done]
    lost = [
        (f"k = {p['k']} cannot be had.", p["infeasible"][:1].upper() + p["infeasible"][1:])
        for p in points
        if "infeasible" in p
    ]
    alerts = draw.block(Alerts(lost)) if lost else ""
    shown = table(HEAD, rows, numeric=range(len(HEAD)), caption=f"The runs with {measure}") if rows else ""
    return section(measure, alerts, f'<div class="pair">{figures}</div>', shown)
