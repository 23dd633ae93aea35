"""The report in Markdown: the same numbers and sentences; what a page draws is a table here."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from shoal.report.blocks import (
    Alerts,
    Bars,
    Beside,
    Binned,
    Block,
    Bullets,
    Chapter,
    Command,
    Drawn,
    Paragraph,
    Sheet,
    Stack,
    Subtitle,
    Terms,
    Twins,
)
from shoal.report.document import document

Numbers = dict[str, Any]


def markdown(model: Numbers) -> str:
    """The whole text."""
    made = document(model)
    identity = "  \n".join(f"{name}: {_cell(text)}" for name, text in made.identity)
    contents = "\n".join(f"{i}. {chapter.title}" for i, chapter in enumerate(made.chapters, 1))
    parts = [f"**{made.notice}**" if made.notice else "", f"# {_cell(made.title)}", identity, contents]
    parts += [text for chapter in made.chapters for text in chapter_in_markdown(chapter)]
    return "\n\n".join(part for part in parts if part) + "\n"


def chapter_in_markdown(chapter: Chapter) -> Iterator[str]:
    """A chapter, block by block."""
    yield f"## {chapter.title}"
    for block in chapter.blocks:
        yield from _block(block)


def _block(block: Block) -> Iterator[str]:
    if isinstance(block, Beside):
        for inner in block.blocks:
            yield from _block(inner)
    else:
        yield WRITTEN[type(block)](block)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], caption: str = "") -> str:
    lines = ["| " + " | ".join(map(_cell, row)) + " |" for row in (head, ["---"] * len(head), *rows)]
    return (f"{_cell(caption)}\n\n" if caption else "") + "\n".join(lines)


def _cell(text: str) -> str:
    """A text that stays in its cell and is taken literally."""
    for mark in ("\\", "|", "<", "`", "*", "_", "["):
        text = str(text).replace(mark, "\\" + mark)
    return text.replace("\n", " ")


def _list(items: Sequence[str]) -> str:
    return "\n".join(f"- {_cell(item)}" for item in items)


def _paragraph(p: Paragraph) -> str:
    return f"**{_cell(p.text)}**" if p.tone in ("strong", "bad") else _cell(p.text)


def _binned(b: Binned) -> str:
    below = f"\n\n{_cell(b.note)}" if b.note else ""
    if b.before is None:
        return (
            _table(("from", "rows"), [(name, f"{n:,}") for name, n in zip(b.bins, b.after, strict=True)], b.title)
            + below
        )
    rows = [
        (name, "few" if n is None else f"{n:,}", f"{m:,}") for name, n, m in zip(b.bins, b.before, b.after, strict=True)
    ]
    return _table(("from", "rows before", "rows after"), rows, b.title) + below


def _stack(s: Stack) -> str:
    rows = [
        (name, ", ".join(f"{share:.1%} {level}" for level, _, share in parts if share > 0)) for name, parts in s.rows
    ]
    return _table(("column", "cells"), rows, s.title)


def _drawn(d: Drawn) -> str:
    rows = [(name, f"{line[0][1]:.4g}", f"{line[-1][1]:.4g}") for name, _, line in d.series if line]
    return _table(("curve", "in the beginning", "in the end"), rows, f"{d.title} ({d.y_name})")


def _command(c: Command) -> str:
    """A block of code, fenced with more backticks than it holds."""
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", c.text)), default=0))
    return f"{fence}{c.language}\n{c.text.rstrip()}\n{fence}"


WRITTEN: dict[type, Callable[[Any], str]] = {
    Paragraph: _paragraph,
    Bullets: lambda b: _list(b.items),
    Alerts: lambda a: "\n".join(f"- **{_cell(head)}** {_cell(text)}" for head, text in a.items),
    Terms: lambda t: _list([f"{name}: {text}" for name, text in t.items]),
    Sheet: lambda s: _table(s.head, s.rows, s.caption),
    Bars: lambda b: _table(
        (b.head[0] or "what", b.head[1] or "how much"), [(label, text) for label, _, text in b.rows], b.title
    ),
    Twins: lambda t: _table((t.head[0] or "what", t.head[1]), [(label, text) for label, _, _, text in t.rows], t.title),
    Stack: _stack,
    Binned: _binned,
    Drawn: _drawn,
    Command: _command,
    Subtitle: lambda s: f"### {_cell(s.text)}" + (f" ({_cell(s.more)})" if s.more else ""),
}
