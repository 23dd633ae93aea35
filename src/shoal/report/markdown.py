"""The report in Markdown: the same numbers and sentences, without the figures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from shoal.report import words

Numbers = dict[str, Any]


def markdown(model: Numbers) -> str:
    """The whole text."""
    m = model["manifest"]
    measures = [name for name in model["loss_by_column"][0] if name != "column"]
    losses = [(c["column"], *(f"{c[n]['per_cell']:.4f}" for n in measures)) for c in model["loss_by_column"]]
    parts = [
        f"# Release of {model['source']}", words.verdict(m), words.closeness(m), m["guarantee_note"],
        "## What was asked", _table(("setting", "value"), words.asked(model)), *model["notes"],
        "## Risk, before and after", _table(("risk", "before", "after"), words.risk(model["risk"]["before"], model["risk"]["after"])),
        _table(("size of the group", "groups", "rows"), [(b["size"], f"{b['groups']:,}", f"{b['rows']:,}") for b in model["sizes"]]),
        "## What was lost, column by column", _table(("column", *measures), losses),
        "## Each quasi-identifier", *(_column(c) for c in model["columns"]),
        "## What an analyst loses", _pairs(model),
        *(_sensitive(s) for s in model["sensitive"]),
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


def _column(c: Numbers) -> str:
    levels = _table(("level", "share of cells"), [(l["name"], f"{l['share']:.1%}") for l in c["levels"]])
    labels = _table(("label after", "rows"), [(b["label"], f"{b['rows']:,}") for b in c["after"]])
    return f"### {_cell(c['name'])} ({_cell(c['hierarchy'])})\n\n{c['n_values']:,} values before, {c['n_labels']:,} labels after.\n\n{levels}\n\n{labels}"


def _pairs(model: Numbers) -> str:
    pairs = sorted(model["pairs"], key=lambda p: -p["association"]["before"])
    rows = [
        (f"{p['a']} × {p['b']}", f"{p['association']['before']:.2f}", f"{p['association']['after']:.2f}", words.misplaced(p)) for p in pairs
    ]
    return _table(("columns", "Cramér's V before", "after", "rows in the wrong cell"), rows) if rows else "There is only one column."


def _sensitive(s: Numbers) -> str:
    return f"## Sensitive: {_cell(s['column'])}\n\n" + _table(("what", "weakest group", "median group"), words.sensitive(s))


def _repeat(model: Numbers) -> str:
    first, command, last = words.repeat(model)
    return f"{first}\n\n    {command}\n\n```toml\n{model['policy']}```\n\n{last}"
