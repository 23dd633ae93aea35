"""Two runs side by side, from the numbers of their reports."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from shoal import measures
from shoal.report import svg
from shoal.report.page import table
from shoal.studio.runs import Run
from shoal.text.rounding import factor_up

Numbers = dict[str, Any]

ROWS: tuple[tuple[str, Callable[[Numbers], str]], ...] = (
    ("k", lambda m: str(m["k"])),
    ("algorithm", lambda m: str(m["algorithm"])),
    ("measure", lambda m: str(m["measure"])),
    ("rows released", lambda m: f"{m['n_released']:,}"),
    ("rows withheld", lambda m: f"{m['n_withheld']:,}"),
    ("groups", lambda m: f"{m['n_groups']:,}"),
    ("smallest group", lambda m: f"{m['smallest_group']:,}"),
    ("loss per cell, in its measure", lambda m: f"{m['loss_per_cell']:.4f}"),
    ("loss, at most so many times the least possible", lambda m: factor_up(m["ratio"])),
)


@dataclass(frozen=True)
class Comparison:
    """The parts of the page."""

    figures: str
    measures: str
    columns: str
    sizes: tuple[str, str]


def compare(a: Run, b: Run) -> Comparison:
    """Every figure of the two that can be set side by side."""
    first, second = a.model, b.model
    head = ("figure", a.title, b.title)
    one, two = first["record"], second["record"]
    rows = [(name, say(one), say(two)) for name, say in ROWS]
    for key, words in (("highest", "highest chance of picking somebody's row"), ("average", "average chance")):
        rows.append((words, f"{first['risk']['after'][key]:.1%}", f"{second['risk']['after'][key]:.1%}"))
    rows.append(("seconds", f"{a.seconds:.1f}", f"{b.seconds:.1f}"))
    by_measure = [
        (name, f"{one['measures'][name]['per_cell']:.4f}", f"{two['measures'][name]['per_cell']:.4f}")
        for name in one["measures"]
        if name in measures.CATALOG
    ]
    return Comparison(
        table(head, rows, numeric=(1, 2), caption="The two runs in figures"),
        table(head, by_measure, numeric=(1, 2), caption="Loss per cell by every measure"),
        _columns(first, second),
        (_sizes(a), _sizes(b)),
    )


def _columns(first: Numbers, second: Numbers) -> str:
    """The share of each column that was lost, by the usual measure, which both have whatever they were run for."""
    usual = measures.DEFAULT
    one, two = ({c["column"]: c[usual]["share"] for c in model["loss_by_column"]} for model in (first, second))
    rows = [(name, share, two[name], f"{share:.0%}, {two[name]:.0%}") for name, share in one.items() if name in two]
    return svg.twin_bars(f"Share of each column that is lost, by {usual}: the first run above, the second below", rows)


def _sizes(run: Run) -> str:
    rows = [(b["size"], float(b["rows"]), f"{b['rows']:,} rows") for b in run.model["sizes"]]
    return svg.bars(f"Rows by the size of their group, run {run.number}", rows)
