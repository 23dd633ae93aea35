"""The report as a page: the numbers and sentences, drawn. Nothing is computed here."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path
from typing import Any

from shoal import measures
from shoal.atomic import write_bytes
from shoal.errors import WriteError
from shoal.release.release import Release
from shoal.report import svg, words
from shoal.report.markdown import markdown
from shoal.report.model import owner_model
from shoal.report.public import public_model
from shoal.report.style import notebook, page

Numbers = dict[str, Any]


def write_report(release: Release, path: str | Path | None = None, *, force: bool = False) -> str:
    """The report that may be published, in the form that the path's ending names (.html, .md, .json); the HTML text where there is no path."""
    text = _form(path)(public_model(release))
    if path is not None:
        write_bytes(path, text.encode(), force=force)
    return text


def write_owner_report(release: Release, path: str | Path | None = None, *, force: bool = False) -> str:
    """The owner's report, with the original's figures beside the release's. Only its owner may read the file."""
    text = _form(path)(owner_model(release))
    if path is not None:
        write_bytes(path, text.encode(), private=True, force=force)
    return text


def _form(path: str | Path | None) -> Callable[[Numbers], str]:
    ending = ".html" if path is None else Path(path).suffix.lower()
    forms = {".html": html, ".htm": html, ".md": markdown, ".json": as_json}
    if ending not in forms:
        raise WriteError(f"A report is written as .html, .md or .json, not '{ending}'.")
    return forms[ending]


def fragment(release: Release) -> str:
    """What a notebook shows."""
    m = release.facts
    told = "".join(f"<p><strong>{escape(said)}</strong></p>" for said in words.unnamed(m))
    return notebook(f"{told}{tiles(m)}<p>{escape(words.verdict(m))}</p><p>{escape(words.closeness(m))}</p>")


def as_json(model: Numbers) -> str:
    """The numbers themselves."""
    return json.dumps(model, indent=2, ensure_ascii=False, default=str) + "\n"


def html(model: Numbers) -> str:
    """The whole page."""
    source = model["source"]
    notice = model.get("notice", "")
    return page(
        f"shoal: release of {source}{' (not for publication)' if notice else ''}",
        f"<h1>Release of {escape(source)}</h1>{body(model)}",
        json.dumps(model, ensure_ascii=False, default=str),
        notice,
    )


def body(model: Numbers) -> str:
    """Everything below the title."""
    m = words.figures(model)
    parts = [
        f'<p class="good">{escape(words.verdict(m))}</p>',
        tiles(m),
        section("How close to the best possible", f"<p>{escape(words.closeness(m))}</p>", _curves(model), _soft(m["guarantee_note"])),
        section("What was asked", table(("setting", "value"), words.asked(model)), *map(_soft, model.get("notes", ()))),
        section("Risk, before and after" if "before" in model["risk"] else "Risk", _risk(model)),
        section("What was lost, column by column", _losses(model)),
        section("Each quasi-identifier", *(_column(c) for c in model["columns"])),
        section("What an analyst loses" if "record" in model else "What an analyst finds", _pairs(model)),
        section("How far counts are off", _soft(words.EXPECTED), _expected(model)),
        section("Sensitive columns", *(_sensitive(s) for s in model["sensitive"])) if model["sensitive"] else "",
        section("What is not protected", "<ul>" + "".join(f"<li>{escape(s)}</li>" for s in words.unprotected(model)) + "</ul>"),
        section("How to repeat this run", _repeat(model)),
    ]
    return "".join(parts)


def section(title: str, *inside: str) -> str:
    """A part of a page, which a screen reader can jump to."""
    anchor = "".join(c if c.isalnum() else "-" for c in title.lower())
    return f'<section aria-labelledby="{anchor}"><h2 id="{anchor}">{escape(title)}</h2>{"".join(inside)}</section>'


def tiles(m: Numbers) -> str:
    """The figures to see first."""
    near = "–" if m["ratio"] is None else f"{100 * (m['ratio'] - 1):.1f} %"
    shown = [
        (f"{m['smallest_group']:,}", "rows in the smallest group"),
        (f"{m['n_released']:,}", f"rows released, {m['n_withheld']:,} withheld"),
        (f"{m['n_groups']:,}", "groups"),
        (words.number(m["loss_per_cell"]), f"{m['measure']} lost per cell"),
        (near, "at most from the best possible"),
    ]
    return '<ul class="tiles">' + "".join(f"<li><strong>{escape(a)}</strong>{escape(b)}</li>" for a, b in shown) + "</ul>"


def table(head: Sequence[str], rows: Sequence[Sequence[str]], numeric: Sequence[int] = (), caption: str = "") -> str:
    """A table that scrolls by itself where the page is narrow. The first cell of a row is its heading."""

    def cells(row: Sequence[str], first: str, rest: str) -> str:
        tags = [first if i == 0 else rest for i in range(len(row))]
        kinds = [' class="n"' if i in numeric else "" for i in range(len(row))]
        return "".join(f"<{tag}{kind}>{escape(str(c))}</{tag[:2]}>" for c, tag, kind in zip(row, tags, kinds, strict=True))

    inside = "".join("<tr>" + cells(row, 'th scope="row"', "td") + "</tr>" for row in rows)
    said = f"<caption>{escape(caption)}</caption>" if caption else ""
    top = cells(head, 'th scope="col"', 'th scope="col"')
    name = escape(caption or " and ".join(head[:2]))
    return (
        f'<div class="scroll" tabindex="0" role="group" aria-label="{name}"><table>{said}<thead><tr>{top}</tr></thead>'
        f"<tbody>{inside}</tbody></table></div>"
    )


def _soft(text: str) -> str:
    return f'<p class="soft">{escape(text)}</p>' if text else ""


def _curves(model: Numbers) -> str:
    """Loss and bound over the run, and what they prove: they can only meet."""
    c = model.get("curves", {"loss": []})
    if len(c["loss"]) < 2:
        return ""
    meeting = svg.lines(
        "Loss and bound over the run", [("loss", "a", c["loss"]), ("bound", "b", c["bound"])], "work done", "they can only meet"
    )
    ratio = svg.lines("Loss over bound", [("ratio", "a", c["ratio"])], "work done", "1 is the best possible") if len(c["ratio"]) > 1 else ""
    return f'<div class="pair">{meeting}{ratio}</div>'


def _risk(model: Numbers) -> str:
    risk = model["risk"]
    before, after = (
        [(b["size"], float(b["rows"]), f"{words.count(b['rows'], 'row')}, {words.count(b['groups'], 'group')}") for b in model.get(key, ())]
        for key in ("sizes_before", "sizes")
    )
    if "before" not in risk:
        figure = svg.bars("Rows by the size of their group", after)
        return table(("risk", "of the release"), words.risk_after(risk["after"]), numeric=(1,)) + figure
    rows = words.risk(risk["before"], risk["after"])
    figures = svg.bars("Rows by the size of their group, before", before, "b") + svg.bars("Rows by the size of their group, after", after)
    return table(("risk", "before", "after"), rows, numeric=(1, 2)) + f'<div class="pair">{figures}</div>'


def _losses(model: Numbers) -> str:
    names = [name for name in model["loss_by_column"][0] if name != "column"]
    rows = [(c["column"], *(_lost(c[n]) for n in names)) for c in model["loss_by_column"]]
    m = words.figures(model)["measures"]
    rows.append(("all columns", *(words.number(m[n]["per_cell"]) for n in names)))
    said = "Loss per cell by each measure" + (
        ", and the share of what suppressing the column would lose"
        if "record" in model
        else "; a dash where the figure would tell more than the release"
    )
    rest = "; ".join(f"{name} {words.number(m[name]['total'])}" for name in measures.REPORTED)
    return table(("column", *names), rows, numeric=range(1, len(names) + 1), caption=said) + _soft(f"By the sizes of the groups: {rest}.")


def _lost(loss: Numbers) -> str:
    share = f" ({loss['share']:.0%})" if "share" in loss else ""
    return words.number(loss["per_cell"]) + share


def _column(c: Numbers) -> str:
    def rows(bars: list[Numbers], pooled: int, word: str) -> list[tuple[str, float, str]]:
        made = [(b["label"], float(b["rows"]), f"{b['rows']:,}") for b in bars]
        return made + ([(word, float(pooled), f"{pooled:,}")] if pooled else [])

    before = ""
    if "before" in c:
        before = svg.bars(f"{c['name']} before: {c['n_values']:,} values", rows(c["before"], c["before_pooled"], "all other values"), "b")
    after = svg.bars(f"{c['name']} after: {c['n_labels']:,} labels", rows(c["after"], c["after_pooled"], "all other labels"))
    levels = svg.bars(f"{c['name']}: how far up its hierarchy", [(l["name"], l["share"], f"{l['share']:.1%}") for l in c["levels"]])
    title = f'<h3>{escape(c["name"])} <span class="soft">({escape(c["hierarchy"])})</span></h3>'
    return f'{title}<div class="pair">{before}{after}{levels}</div>'


def _pairs(model: Numbers) -> str:
    if not model["pairs"]:
        return "<p>There is only one column.</p>"
    if "before" not in model["pairs"][0]["association"]:
        return _pairs_after(model)
    pairs = sorted(model["pairs"], key=lambda p: -p["association"]["before"])[:20]
    named = [(f"{p['a']} × {p['b']}", p["association"]["before"], p["association"]["after"], p) for p in pairs]
    figure = svg.twin_bars(
        "How strongly pairs of columns go together (Cramér's V), before (above) and after",
        [(name, before, after, f"{before:.2f} → {after:.2f}") for name, before, after, _ in named],
    )
    said = "Counts of pairs of values: the share of rows that an analyst of the release counts in the wrong cell"
    counts = table(
        ("columns", "rows in the wrong cell"), [(name, words.misplaced(p)) for name, _, _, p in named], numeric=(1,), caption=said
    )
    numbers = [
        (f"{p['a']} × {p['b']}", _r(p["correlation"]["before"]), _r(p["correlation"]["after"]))
        for p in model["pairs"]
        if "correlation" in p
    ]
    correlations = table(("correlation", "before", "after"), numbers, numeric=(1, 2)) if numbers else ""
    return f'<div class="pair">{figure}<div>{counts}{correlations}</div></div>'


def _pairs_after(model: Numbers) -> str:
    pairs = sorted(model["pairs"], key=lambda p: -p["association"]["after"])[:20]
    rows = [(f"{p['a']} × {p['b']}", p["association"]["after"], f"{p['association']['after']:.2f}") for p in pairs]
    return svg.bars("How strongly pairs of columns of the release go together (Cramér's V)", rows)


def _expected(model: Numbers) -> str:
    head = ("what", "expected", *(["measured on the original"] if "measured" in model["expected"] else []))
    return table(head, words.expected(model), numeric=range(1, len(head)))


def _r(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _sensitive(s: Numbers) -> str:
    said = f"{s['column']}: {s['n_values']:,} values in the table"
    return table((s["column"], "weakest group", "median group"), words.sensitive(s), numeric=(1, 2), caption=said)


def _repeat(model: Numbers) -> str:
    first, command, last = words.repeat(model)
    pre = '<pre tabindex="0">'
    return f"<p>{escape(first)}</p>{pre}{escape(command)}</pre>{pre}{escape(model['policy'])}</pre>{_soft(last)}"
