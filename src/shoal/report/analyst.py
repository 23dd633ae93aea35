"""The chapter for analysts: how the values of each column lie, which columns still go together, and how far counts are
off.
"""

from __future__ import annotations

import math
from typing import Any

from shoal.judge.reading import ends_of, exact, is_suppressed
from shoal.report import words
from shoal.report.blocks import Bars, Beside, Binned, Block, Paragraph, Sheet, Subtitle, Twins

Numbers = dict[str, Any]
MOST_PAIRS = 20
STRONG = 0.1
"""Two columns go together if their association is at least this."""
KEPT = 0.8
SHOWN = 0.05
"""A pair below this, before and after, is not drawn."""
READ = (
    "Cells that are generalized or hidden are counted as shoal read counts them: spread over the values that they may "
    "stand for, by how likely each is."
)
STRENGTH = (
    "Cramér's V says how strongly two columns go together: 0 if one says nothing about the other, 1 if one decides the "
    "other."
)


def blocks(model: Numbers) -> list[Block]:
    """The chapter."""
    return [
        *_counts(model),
        Subtitle("Which columns still go together"),
        *_pairs(model),
        Subtitle("How the values lie"),
        Paragraph(READ, "soft"),
        *(block for c in model["columns"] for block in _column(c)),
    ]


def _counts(model: Numbers) -> list[Block]:
    rows = words.expected(model)
    head = ("what", "expected", *(["measured on the original"] if "measured" in model["expected"] else []))
    if not rows:
        return [Paragraph("No count is large enough to say how far it is off.")]
    kind = model["expected"].get("measured") or model["expected"]["counts"]
    off = [f"of {words.COLUMNS[n]} by {words.percent(kind[n])}" for n in words.COLUMNS if kind[n] is not None]
    verb = "are off" if "measured" in model["expected"] else "are expected to be off"
    said = f"Counts made from the release {verb} by this much on average: {', '.join(off)}."
    return [
        Paragraph(said, "strong"),
        Sheet(head, rows, "How far counts are off", range(1, len(head))),
        Paragraph(words.how_far(model), "soft"),
    ]


def _pairs(model: Numbers) -> list[Block]:
    if not model["pairs"]:
        return [Paragraph("There is only one column.")]
    if "before" not in model["pairs"][0]["association"]:
        pairs = sorted(model["pairs"], key=lambda p: -p["association"]["after"])[:MOST_PAIRS]
        rows = [(_name(p), p["association"]["after"], f"{p['association']['after']:.2f}") for p in pairs]
        return [
            Paragraph(STRENGTH, "soft"),
            Bars("How strongly pairs of released columns go together", rows, head=("columns", "Cramér's V")),
        ]
    pairs = sorted(model["pairs"], key=lambda p: -p["association"]["before"])[:MOST_PAIRS]
    pairs = [p for p in pairs if max(p["association"].values()) >= SHOWN] or pairs[:1]
    twins = [(_name(p), p["association"]["before"], p["association"]["after"], _moved(p["association"])) for p in pairs]
    wrong = [(_name(p), words.misplaced(p)) for p in pairs]
    said = "Counts of pairs of values: rows that an analyst of the release counts in the wrong cell"
    numbers = [
        (_name(p), _r(p["correlation"]["before"]), _r(p["correlation"]["after"]))
        for p in model["pairs"]
        if "correlation" in p
    ][:MOST_PAIRS]
    tables: list[Block] = [Sheet(("columns", "rows in the wrong cell"), wrong, said, (1,))]
    if numbers:
        tables.append(Sheet(("columns", "before", "after"), numbers, "Correlation of columns of numbers", (1, 2)))
    return [
        Paragraph(_kept(model["pairs"])),
        Paragraph(STRENGTH, "soft"),
        Twins(
            "How strongly pairs of columns go together, before (above) and after",
            twins,
            ("columns", "Cramér's V, before → after"),
        ),
        Beside(tables),
    ]


def _name(pair: Numbers) -> str:
    return f"{pair['a']} × {pair['b']}"


def fate(association: Numbers) -> str:
    """What became of an association: kept, weaker, lost, or none that was worth the name."""
    before, after = association["before"], association["after"]
    if before < STRONG:
        return ""
    return "kept" if after >= KEPT * before else "weaker" if after >= STRONG else "lost"


def _moved(association: Numbers) -> str:
    what = fate(association)
    return f"{association['before']:.2f} → {association['after']:.2f}{f', {what}' if what else ''}"


def _kept(pairs: list[Numbers]) -> str:
    fates = [fate(p["association"]) for p in pairs]
    n = {what: fates.count(what) for what in ("kept", "weaker", "lost")}
    total = sum(n.values())
    if not total:
        return f"No two columns of the original go together by {STRONG} or more."
    told = ", ".join(f"{count} {what}" for what, count in n.items())
    return f"Of {words.count(total, 'pair')} of columns that go together in the original: {told}."


def _column(c: Numbers) -> list[Block]:
    n = (
        f"{c['n_values']:,} values before, {words.count(c['n_labels'], 'label')} after"
        if "n_values" in c
        else words.count(c["n_labels"], "label")
    )
    return [Subtitle(c["name"], f"{c['hierarchy']}; {n}"), Beside([*_shape(c), *_labels(c)])]


def _shape(c: Numbers) -> list[Block]:
    """The histogram, and in words what it does not show."""
    s = c["shape"]
    found: list[Block] = []
    if s["kind"] == "category":
        found += _values(c["name"], s)
    else:
        left = (
            [f"{words.count(s['before_missing' if 'before_missing' in s else 'missing'], 'missing value')}"]
            if s["missing"]
            else []
        )
        if s.get("before_not_shown"):
            left.append(f"{words.count(s['before_not_shown'], 'row')} before in bins of fewer than k")
        note = f"Not drawn: {', '.join(left)}." if left else ""
        found.append(Binned(f"{c['name']}: rows by value", s["bins"], s["after"], s.get("before"), note))
    return found


def _values(name: str, s: Numbers) -> list[Block]:
    head = ("value", "rows")
    if "before" not in s:
        rows = [(value, float(n or 0), f"{n or 0:,}") for value, n in zip(s["bins"], s["after"], strict=True)]
        rest = s["after_not_shown"]
        return [
            Bars(
                f"{name}: about so many rows have each value",
                rows + ([("all others", float(rest), f"{rest:,}")] if rest else []),
                head=head,
            )
        ]
    twins: list[tuple[str, float | None, float | None, str]] = [
        (value, b, a, f"{_or_few(b)} → {'–' if a is None else f'{a:,}'}")
        for value, b, a in zip(s["bins"], s["before"], s["after"], strict=True)
    ]
    if s["after_not_shown"] or s["before_not_shown"]:
        b, a = s["before_not_shown"], s["after_not_shown"]
        twins.append(("all others", float(b), float(a), f"{b:,} → {a:,}"))
    return [
        Twins(
            f"{name}: rows with each value, before (above) and as read from the release",
            twins,
            ("value", "rows before → after"),
        )
    ]


def _or_few(n: int | None) -> str:
    return "few" if n is None else f"{n:,}"


def _labels(c: Numbers) -> list[Block]:
    """What the released cells show; nothing where the values above say the same."""
    is_category, bins = c["shape"]["kind"] == "category", c["shape"]["bins"]
    if is_category and {b["label"] for b in c["after"]} <= {*bins, "*"}:
        return []
    is_line = not is_category or all(exact(value) is not None for value in bins)
    shown = sorted(c["after"], key=lambda b: _place(b["label"])) if is_line else c["after"]
    rows = [(b["label"], float(b["rows"]), f"{b['rows']:,}") for b in shown]
    rest = [("all other labels", float(c["after_pooled"]), f"{c['after_pooled']:,}")] if c["after_pooled"] else []
    return [Bars(f"{c['name']}: what the released cells show", rows + rest, head=("label", "rows"))]


def _place(label: str) -> tuple[float, float, str]:
    """Where a label of a number or a date stands: by its lower end, wider ones after narrower ones, what is hidden at
    the end.
    """
    if is_suppressed(label) or label == "(missing)":
        return math.inf, math.inf, label
    ends = ends_of(label)
    if ends is not None:
        return ends[0], ends[2], label
    number = exact(label)
    return (float(number), float(number), label) if number is not None else (0.0, 0.0, label)


def _r(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
