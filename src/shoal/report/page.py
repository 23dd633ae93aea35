"""The report as a page, as Markdown and as JSON: the same numbers and sentences, drawn."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from shoal import registry
from shoal.errors import WriteError
from shoal.release.release import Release
from shoal.report import svg, words
from shoal.report.model import report_model
from shoal.report.risk import Assessment
from shoal.report.style import CSS, page

Numbers = dict[str, Any]
SHORT = {
    "entropy": "entropy",
    "monotone-entropy": "monotone",
    "non-uniform-entropy": "non-uniform",
    "tree": "tree",
    "lm": "LM",
    "stars": "stars",
}


def write_report(release: Release, path: str | Path | None = None) -> str:
    """The report in the form that the path's ending names (.html, .md, .json); the HTML text where there is no path."""
    model = report_model(release)
    ending = ".html" if path is None else Path(path).suffix.lower()
    forms = {".html": html, ".htm": html, ".md": markdown, ".json": as_json}
    if ending not in forms:
        raise WriteError(f"A report is written as .html, .md or .json, not '{ending}'.")
    text = forms[ending](model)
    if path is not None:
        registry.load("shoal.io.atomic:write_text")(path, text)
    return text


def fragment(release: Release) -> str:
    """What a notebook shows."""
    m = release.manifest
    return f"<style>{CSS}</style><div>{_tiles(m)}<p>{escape(words.closeness(m))}</p></div>"


def as_json(model: Numbers) -> str:
    return json.dumps(model, indent=2, ensure_ascii=False, default=str) + "\n"


def html(model: Numbers) -> str:
    """The whole page."""
    m = model["manifest"]
    parts = [
        f"<h1>Release of {escape(model['source'])}</h1><p class='good'>{escape(words.verdict(m))}</p>",
        _tiles(m),
        _section(
            "How close to the best possible",
            f"<p>{escape(words.closeness(m))}</p>",
            _curve(model),
            f"<p class='soft'>{escape(m['guarantee_note'])}</p>",
        ),
        _section("What was asked", _table(("setting", "value"), _asked(model))),
        _section(
            "Risk, before and after",
            _table(("", "before", "after"), words.risk(model["risk"]["before"], model["risk"]["after"]), numeric=(1, 2)),
            _sizes(model),
        ),
        _section("What was lost, column by column", _losses(model)),
        _section("Each quasi-identifier", *(_column(c, m["n_released"]) for c in model["columns"])),
        _section("What an analyst loses", _pairs(model)),
        _section("Sensitive columns", *(_sensitive(s) for s in model["sensitive"])) if model["sensitive"] else "",
        _section("What is not protected", "<ul>" + "".join(f"<li>{escape(s)}</li>" for s in words.unprotected(model)) + "</ul>"),
        _section("How to repeat this run", _repeat(model)),
    ]
    return page(f"shoal: release of {model['source']}", "".join(parts), json.dumps(model, ensure_ascii=False, default=str))


def _section(title: str, *inside: str) -> str:
    anchor = title.lower().replace(",", "").replace(" ", "-")
    return f'<section aria-labelledby="{anchor}"><h2 id="{anchor}">{escape(title)}</h2>{"".join(inside)}</section>'


def _tiles(m: Numbers) -> str:
    near = "–" if m["ratio"] is None else f"{100 * (m['ratio'] - 1):.1f} %"
    tiles = [
        (f"{m['smallest_group']:,}", "rows in the smallest group"),
        (f"{m['n_released']:,}", f"rows released, {m['n_withheld']:,} withheld"),
        (f"{m['n_groups']:,}", "groups"),
        (f"{m['loss_per_cell']:.4f}", f"{m['measure']} lost per cell"),
        (near, "at most from the best possible"),
    ]
    return '<ul class="tiles">' + "".join(f"<li><strong>{escape(a)}</strong>{escape(b)}</li>" for a, b in tiles) + "</ul>"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], numeric: Sequence[int] = (), caption: str = "") -> str:
    def cells(row: Sequence[str], tag: str) -> str:
        return "".join(f"<{tag}{' class=n' if i in numeric else ''}>{escape(str(c))}</{tag}>" for i, c in enumerate(row))

    inside = "".join(f"<tr>{cells(row, 'td')}</tr>" for row in rows)
    said = f"<caption>{escape(caption)}</caption>" if caption else ""
    return f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(caption or head[0] or "table")}"><table>{said}<thead><tr>{cells(head, "th")}</tr></thead><tbody>{inside}</tbody></table></div>'


def _asked(model: Numbers) -> list[tuple[str, str]]:
    m, asked = model["manifest"], model["asked"]
    rows = [("k", str(asked["k"])), ("measure", asked["measure"]), ("algorithm", asked["algorithm"])]
    rows += [(f"quasi-identifier {name}", f"{m['hierarchies'][name]}") for name in m["quasi_identifiers"]]
    rows += [("sensitive", ", ".join(m["sensitive"]) or "none"), ("dropped", ", ".join(m["identifiers_dropped"]) or "none")]
    rows += [("demand", text) for text in asked["demands"]]
    rows += [("rows that may be withheld", f"{asked['suppress']:.2%}"), ("missing cells", asked["missing"]), ("seed", str(asked["seed"]))]
    rows += [(f"weight of {name}", f"{w:g}") for name, w in asked["weights"].items()]
    return rows


def _curve(model: Numbers) -> str:
    history = [h for h in model["history"] if h["loss"] is not None]
    if len(history) < 2:
        return ""
    loss = [(h["work"], h["loss"]) for h in history]
    bound = [(h["work"], h["bound"]) for h in history if h["bound"] is not None]
    return svg.lines("Loss and bound over the run", [("loss", "a", loss), ("bound", "b", bound)], "work done", "they can only meet")


def _sizes(model: Numbers) -> str:
    rows = [(f"{b['size']}", float(b["rows"]), f"{b['rows']:,} rows in {b['groups']:,} groups") for b in model["sizes"]]
    before = [(f"{b['size']}", float(b["rows"]), f"{b['rows']:,} rows in {b['groups']:,} groups") for b in model["sizes_before"]]
    return f'<div class="pair">{svg.bars("Rows by size of their group, before", before, "b")}{svg.bars("after", rows)}</div>'


def _losses(model: Numbers) -> str:
    names = list(SHORT)
    rows = [(c["column"], *(f"{c[n]['per_cell']:.4f} ({c[n]['share']:.0%})" for n in names)) for c in model["loss_by_column"]]
    m = model["manifest"]["measures"]
    rows.append(("all", *(f"{m[n]['per_cell']:.4f}" for n in names)))
    table = _table(
        ("column", *SHORT.values()),
        rows,
        numeric=range(1, 7),
        caption="Loss per cell, and the share of what suppressing the column would lose",
    )
    extra = f"<p class='soft'>Discernibility {m['discernibility']['total']:,.0f}; average class size {m['average-class-size']['total']:.2f}.</p>"
    return table + extra


def _column(c: Numbers, n: int) -> str:
    def rows(bars: list[Numbers], pooled: int, word: str) -> list[tuple[str, float, str]]:
        made = [(b["label"], float(b["rows"]), f"{b['rows']:,}") for b in bars]
        return made + ([(word, float(pooled), f"{pooled:,}")] if pooled else [])

    before = svg.bars(f"{c['name']} before: {c['n_values']:,} values", rows(c["before"], c["before_pooled"], "all other values"), "b")
    after = svg.bars(f"{c['name']} after: {c['n_labels']:,} labels", rows(c["after"], c["after_pooled"], "all other labels"))
    levels = svg.bars("How far up its hierarchy", [(l["name"], l["share"], f"{l['share']:.1%}") for l in c["levels"]])
    return (
        f"<h3>{escape(c['name'])} <span class='soft'>({escape(c['hierarchy'])})</span></h3>{levels}<div class='pair'>{before}{after}</div>"
    )


def _pairs(model: Numbers) -> str:
    pairs = sorted(model["pairs"], key=lambda p: -p["association"]["before"])[:20]
    if not pairs:
        return "<p>There is only one column.</p>"
    rows = [
        (
            f"{p['a']} × {p['b']}",
            p["association"]["before"],
            p["association"]["after"],
            f"{p['association']['before']:.2f} → {p['association']['after']:.2f}",
        )
        for p in pairs
    ]
    figure = svg.twin_bars("How strongly pairs of columns go together (Cramér's V), before and after", rows)
    numbers = [
        (f"{p['a']} × {p['b']}", _r(p["correlation"]["before"]), _r(p["correlation"]["after"]))
        for p in model["pairs"]
        if "correlation" in p
    ]
    return figure + (_table(("correlation", "before", "after"), numbers, numeric=(1, 2)) if numbers else "")


def _r(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _sensitive(s: Numbers) -> str:
    rows = [
        (
            "different values in a group (distinct l-diversity)",
            f"{s['distinct-l-diversity']['worst']:.0f}",
            f"{s['distinct-l-diversity']['median']:.0f}",
        ),
        (
            "as uncertain as so many equally likely ones (entropy l-diversity)",
            f"{s['entropy-l-diversity']['worst']:.2f}",
            f"{s['entropy-l-diversity']['median']:.2f}",
        ),
        ("distance from the whole table (t-closeness)", f"{s['t-closeness']['worst']:.3f}", f"{s['t-closeness']['median']:.3f}"),
    ]
    return _table(
        (s["column"], "weakest group", "median group"),
        rows,
        numeric=(1, 2),
        caption=f"{s['column']}: {s['n_values']:,} values in the table",
    )


def _repeat(model: Numbers) -> str:
    first, command, last = words.repeat(model)
    return f"<p>{escape(first)}</p><pre tabindex='0'>{escape(command)}</pre><pre tabindex='0'>{escape(model['policy'])}</pre><p class='soft'>{escape(last)}</p>"


def markdown(model: Numbers) -> str:
    """The same in Markdown."""
    m = model["manifest"]
    before_after = words.risk(model["risk"]["before"], model["risk"]["after"])
    parts = [
        f"# Release of {model['source']}", words.verdict(m), words.closeness(m), m["guarantee_note"],
        "## What was asked", _md(("setting", "value"), _asked(model)),
        "## Risk, before and after", _md(("", "before", "after"), before_after),
        "## What was lost", _md(("column", *SHORT.values()), [(c["column"], *(f"{c[n]['per_cell']:.4f}" for n in SHORT)) for c in model["loss_by_column"]]),
        "## Levels used", *(f"- {c['name']}: " + ", ".join(f"{l['name']} {l['share']:.1%}" for l in c["levels"]) for c in model["columns"]),
        "## What is not protected", *(f"- {s}" for s in words.unprotected(model)),
        "## How to repeat this run", *words.repeat(model), f"```toml\n{model['policy']}```",
    ]  # fmt: skip
    return "\n\n".join(part for part in parts if part) + "\n"


def _md(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(str(c).replace("|", "\\|").replace("\n", " ") for c in cells) + " |"

    return "\n".join([line(head), line(["---"] * len(head)), *(line(row) for row in rows)])


def write_assessment(found: Assessment, source: str, path: str | Path) -> None:
    """The assessment of a table as a page."""
    n = found.n_rows
    attacks = [
        (name, f"{a.highest:.3g}", f"{a.average:.3g}", f"{a.share_at_risk:.1%}")
        for name in ("prosecutor", "journalist", "marketer")
        for a in [getattr(found, name)]
    ]
    best = [
        s for size in sorted({len(s.columns) for s in found.subsets}) for s in [s for s in found.subsets if len(s.columns) == size][:10]
    ]
    subsets = [(", ".join(s.columns), f"{s.n_groups:,}", f"{s.n_unique:,}", f"{s.distinction:.2%}", f"{s.separation:.2%}") for s in best]
    below = [(f"below {limit}", float(rows), f"{rows:,} ({rows / n:.1%})") for limit, rows in found.rows_below.items()]
    parts = [
        f"<h1>What {escape(source)} gives away</h1>",
        f"<p>{n:,} rows have {found.n_groups:,} different combinations of {escape(', '.join(found.quasi_identifiers))}; {found.n_unique:,} rows ({found.n_unique / n:.1%}) are unique.</p>",
        _section("Rows in small groups", svg.bars("Rows in groups of few", below, "b")),
        _section("What attackers may hope for", _table(("attacker", "highest", "average", "rows at risk"), attacks, numeric=(1, 2, 3))),
        _section(
            "Columns that single people out",
            _table(("columns", "groups", "unique rows", "distinction", "separation"), subsets, numeric=(1, 2, 3, 4)),
        ),
    ]
    if found.homogeneity:
        rows = [
            (h.column, f"{h.n_rows_disclosed:,} ({h.n_rows_disclosed / n:.1%})", f"{h.average_distinct:.2f}") for h in found.homogeneity
        ]
        parts.append(
            _section(
                "Sensitive columns given away without picking a row",
                _table(("column", "rows", "values a group, on average"), rows, numeric=(1, 2)),
            )
        )
    text = page(f"shoal: what {source} gives away", "".join(parts), json.dumps(found.to_dict(), ensure_ascii=False))
    registry.load("shoal.io.atomic:write_text")(path, text)
