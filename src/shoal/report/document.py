"""A report as chapters, from its numbers: first what somebody who signs must see, then the rest.

Nothing is computed here.
"""

from __future__ import annotations

from typing import Any

from shoal.report import analyst, details, plain, words
from shoal.report.blocks import (
    Alerts,
    Bars,
    Block,
    Bullets,
    Chapter,
    Document,
    Paragraph,
    Sheet,
    Stack,
    Subtitle,
    Twins,
)

Numbers = dict[str, Any]
FOR_OWNER = "the owner alone"
FOR_ANYBODY = "anybody: it may be published with the release"


def document(model: Numbers) -> Document:
    """The whole report."""
    rest = [
        Chapter("risk", "Risk, before and after" if "before" in model["risk"] else "Risk", _risk(model)),
        Chapter("analyst", "What an analyst can still do", analyst.blocks(model)),
        Chapter("asked", "What was asked", details.asked(model)),
        Chapter("repeat", "How to repeat it", details.repeat(model)),
        Chapter("check", "How to check it", details.check(model)),
        Chapter("losses", "For specialists: losses and bounds", details.losses(model)),
        Chapter("glossary", "Glossary", details.glossary(model)),
    ]
    first = first_page(model)
    return Document(first.title, first.notice, first.identity, first.first, rest)


def first_page(model: Numbers) -> Document:
    """What is seen first, without the rest: what to look at, the promise, the price."""
    first = [
        Chapter("look-here-first", "Look here first", _look_first(model)),
        Chapter("promise", "The promise", _promise(model)),
        Chapter("price", "The price", _price(model)),
    ]
    return Document(f"Release of {model['source']}", model.get("notice", ""), identity(model), first)


def identity(model: Numbers) -> list[tuple[str, str]]:
    """Of which columns something is promised, which release this is, made when and with what, and whom the page is
    for.
    """
    found = model["identity"]
    told = [
        ("Release", plain.first_line(model)),
        ("Made", f"{found['date']} with {found['tool']} {found['version']}"),
        ("This report is for", FOR_OWNER if "record" in model else FOR_ANYBODY),
    ]
    prints = (
        ("release_sha256", "Fingerprint of the release"),
        ("policy_sha256", "Fingerprint of the public policy"),
        ("input_sha256", "Fingerprint of the table"),
    )
    return told + [(name, found[key][:16]) for key, name in prints if found.get(key)]


def _look_first(model: Numbers) -> list[Block]:
    said = plain.look_first(model)
    return [Alerts(said)] if said else [Paragraph(plain.nothing(model), "good")]


def _promise(model: Numbers) -> list[Block]:
    return [
        Paragraph(plain.promise(model), "strong"),
        *map(Paragraph, plain.asked_more(model)),
        *map(Paragraph, plain.not_promised(model)),
        Paragraph(plain.VERIFIED),
    ]


def _price(model: Numbers) -> list[Block]:
    m = words.figures(model)
    rows = [(c["name"], [(l["name"], l["kind"], l["share"]) for l in c["levels"]]) for c in model["columns"]]
    return [
        Paragraph(plain.price(model)),
        Paragraph(plain.near(m), "strong"),
        *([] if m.get("is_repeatable", True) else [Paragraph(words.ENDED_EARLY, "bad")]),
        Stack("What is left of each protected column", rows),
        *map(Paragraph, plain.unchanged(model)),
    ]


def _risk(model: Numbers) -> list[Block]:
    risk = model["risk"]
    found: list[Block] = [Bullets(plain.neighbour(model))]
    if "before" in risk:
        after = {b["size"]: b for b in model["sizes"]}
        before = {b["size"]: b for b in model["sizes_before"]}
        names = [b["size"] for b in max(model["sizes"], model["sizes_before"], key=len)]
        counts = [(name, _rows(before, name), _rows(after, name)) for name in names]
        rows = [(name, float(was), float(now), f"{was:,} → {now:,}") for name, was, now in counts]
        found.append(Sheet(("risk", "before", "after"), words.risk(risk["before"], risk["after"]), numeric=(1, 2)))
        title = "Rows by the size of their group, before (above) and after"
        found.append(Twins(title, rows, ("size of the group", "rows before → after")))
    else:
        found.append(Sheet(("risk", "of the release"), words.risk_after(risk["after"]), numeric=(1,)))
        shown = [
            (b["size"], float(b["rows"]), f"{words.count(b['rows'], 'row')}, {words.count(b['groups'], 'group')}")
            for b in model["sizes"]
        ]
        found.append(Bars("Rows by the size of their group", shown, head=("size of the group", "rows and groups")))
    for s in model["sensitive"]:
        found.append(Subtitle(f"What groups say of {s['column']}"))
        columns = (s["column"], "weakest group", "median group")
        about = f"{s['column']}: {s['n_values']:,} values in the table"
        found.append(Sheet(columns, words.sensitive(s), about, (1, 2)))
    return found


def _rows(bins: dict[str, Numbers], name: str) -> int:
    return int(bins[name]["rows"]) if name in bins else 0
