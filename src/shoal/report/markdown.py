"""The report in Markdown: the same numbers and sentences, without the figures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from shoal.report import words

Numbers = dict[str, Any]


def markdown(model: Numbers) -> str:
    """The whole text."""
    m = words.figures(model)
    is_owners = "record" in model
    measures = [name for name in model["loss_by_column"][0] if name != "column"]
    losses = [(c["column"], *(words.number(c[n]["per_cell"]) for n in measures)) for c in model["loss_by_column"]]
    parts = [
        f"**{model['notice']}**" if "notice" in model else "", f"# Release of {model['source']}", words.verdict(m), words.closeness(m), m["guarantee_note"],
        "## What was asked", _table(("setting", "value"), words.asked(model)), *model.get("notes", ()),
        "## Risk, before and after" if is_owners else "## Risk", _risk(model["risk"]),
        _table(("size of the group", "groups", "rows"), [(b["size"], f"{b['groups']:,}", f"{b['rows']:,}") for b in model["sizes"]]),
        "## What was lost, column by column", _table(("column", *measures), losses),
        "## Each quasi-identifier", *(_column(c) for c in model["columns"]),
        "## What an analyst loses" if is_owners else "## What an analyst finds", _pairs(model),
        "## How far counts are off", words.EXPECTED, _expected(model), *(_sensitive(s) for s in model["sensitive"]),
        "## What is not protected", _list(words.unprotected(model)),
        "## How to repeat this run", _repeat(model),
    ]  # fmt: skip
    return "\n\n".join(part for part in parts if part) + "\n"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return "\n".join(["| " + " | ".join(map(_cell, row)) + " |" for row in (head, ["---"] * len(head), *rows)])


def _cell(text: str) -> str:
    """A text that stays in its cell and is taken literally."""
    for mark in ("\\", "|", "<", "`", "*", "_", "["):
        text = str(text).replace(mark, "\\" + mark)
    return text.replace("\n", " ")


def _list(items: Sequence[str]) -> str:
    return "\n".join(f"- {_cell(item)}" for item in items)


def _risk(risk: Numbers) -> str:
    if "before" in risk:
        return _table(("risk", "before", "after"), words.risk(risk["before"], risk["after"]))
    return _table(("risk", "of the release"), words.risk_after(risk["after"]))


def _column(c: Numbers) -> str:
    levels = _table(("level", "share of cells"), [(l["name"], f"{l['share']:.1%}") for l in c["levels"]])
    labels = _table(("label after", "rows"), [(b["label"], f"{b['rows']:,}") for b in c["after"]])
    before = f"{c['n_values']:,} values before, " if "n_values" in c else ""
    return f"### {_cell(c['name'])} ({_cell(c['hierarchy'])})\n\n{before}{c['n_labels']:,} labels after.\n\n{levels}\n\n{labels}"


def _pairs(model: Numbers) -> str:
    if not model["pairs"]:
        return "There is only one column."
    if "before" not in model["pairs"][0]["association"]:
        found = sorted(model["pairs"], key=lambda p: -p["association"]["after"])
        return _table(("columns", "Cramér's V"), [(f"{p['a']} × {p['b']}", f"{p['association']['after']:.2f}") for p in found])
    pairs = sorted(model["pairs"], key=lambda p: -p["association"]["before"])
    rows = [
        (f"{p['a']} × {p['b']}", f"{p['association']['before']:.2f}", f"{p['association']['after']:.2f}", words.misplaced(p)) for p in pairs
    ]
    return _table(("columns", "Cramér's V before", "after", "rows in the wrong cell"), rows)


def _expected(model: Numbers) -> str:
    return _table(("what", "expected", *(["measured"] if "measured" in model["expected"] else [])), words.expected(model))


def _sensitive(s: Numbers) -> str:
    return f"## Sensitive: {_cell(s['column'])}\n\n" + _table(("what", "weakest group", "median group"), words.sensitive(s))


def _repeat(model: Numbers) -> str:
    first, command, last = words.repeat(model)
    return f"{first}\n\n    {command}\n\n```toml\n{model['policy']}```\n\n{last}"
