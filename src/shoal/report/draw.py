"""The blocks of a report as HTML."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape as marked
from typing import Any

from shoal.report import svg
from shoal.report.blocks import (
    Alerts,
    Bars,
    Beside,
    Binned,
    Block,
    Bullets,
    Chapter,
    Command,
    Document,
    Drawn,
    Paragraph,
    Sheet,
    Stack,
    Subtitle,
    Terms,
    Twins,
)


def escape(text: str) -> str:
    """A text as HTML; a number stays beside its percent sign."""
    return marked(text).replace(" %", "\u00a0%")


def section(title: str, *inside: str, anchor: str = "") -> str:
    """A part of a page, which a screen reader can jump to."""
    name = anchor or "".join(c if c.isalnum() else "-" for c in title.lower())
    return f'<section aria-labelledby="{name}"><h2 id="{name}">{escape(title)}</h2>{"".join(inside)}</section>'


def table(head: Sequence[str], rows: Sequence[Sequence[str]], numeric: Sequence[int] = (), caption: str = "") -> str:
    """A table that scrolls by itself where the page is narrow. The first cell of a row is its heading."""

    def cells(row: Sequence[str], first: str, rest: str) -> str:
        tags = [first if i == 0 else rest for i in range(len(row))]
        kinds = [' class="n"' if i in numeric else "" for i in range(len(row))]
        return "".join(
            f"<{tag}{kind}>{escape(str(c))}</{tag[:2]}>" for c, tag, kind in zip(row, tags, kinds, strict=True)
        )

    inside = "".join("<tr>" + cells(row, 'th scope="row"', "td") + "</tr>" for row in rows)
    said = f"<caption>{escape(caption)}</caption>" if caption else ""
    top = cells(head, 'th scope="col"', 'th scope="col"')
    name = escape(caption or " and ".join(head[:2]))
    return (
        f'<div class="scroll" tabindex="0" role="group" aria-label="{name}"><table>{said}<thead><tr>{top}</tr></thead>'
        f"<tbody>{inside}</tbody></table></div>"
    )


def top(document: Document) -> str:
    """The title, which release this is, and the list of contents."""
    return f"<h1>{escape(document.title)}</h1>{identity(document)}{contents(document)}"


def identity(document: Document) -> str:
    """Which release this is."""
    return (
        '<dl class="identity">'
        + "".join(f"<div><dt>{escape(a)}</dt><dd>{escape(b)}</dd></div>" for a, b in document.identity)
        + "</dl>"
    )


def contents(document: Document) -> str:
    """The list of contents."""
    links = "".join(
        f'<li><a href="#{chapter.anchor}">{escape(chapter.title)}</a></li>' for chapter in document.chapters
    )
    return f'<nav class="contents" aria-label="Contents"><ol>{links}</ol></nav>'


def chapters(some: Sequence[Chapter]) -> str:
    """Chapters, one below the other."""
    return "".join(section(c.title, *map(block, c.blocks), anchor=c.anchor) for c in some)


def first(document: Document) -> str:
    """The chapters to see first: what to look at, and below it the promise beside the price, where there is room."""
    look, *rest = document.first
    return f'{chapters([look])}<div class="first">{chapters(rest)}</div>'


def whole(document: Document) -> str:
    """All chapters."""
    return first(document) + chapters(document.rest)


def block(one: Block) -> str:
    """A block as HTML."""
    return DRAWN[type(one)](one)


def _paragraph(p: Paragraph) -> str:
    kind = "" if p.tone == "plain" else f' class="{p.tone}"'
    return f"<p{kind}>{escape(p.text)}</p>"


def _bullets(b: Bullets) -> str:
    return "<ul>" + "".join(f"<li>{escape(item)}</li>" for item in b.items) + "</ul>"


def _alerts(a: Alerts) -> str:
    return (
        '<ul class="alerts">'
        + "".join(f'<li><strong class="bad">{escape(head)}</strong> {escape(text)}</li>' for head, text in a.items)
        + "</ul>"
    )


def _terms(t: Terms) -> str:
    return '<dl class="terms">' + "".join(f"<dt>{escape(a)}</dt><dd>{escape(b)}</dd>" for a, b in t.items) + "</dl>"


def _command(c: Command) -> str:
    return f'<pre tabindex="0">{escape(c.text)}</pre>'


def _subtitle(s: Subtitle) -> str:
    more = f' <span class="soft">({escape(s.more)})</span>' if s.more else ""
    return f"<h3>{escape(s.text)}{more}</h3>"


DRAWN: dict[type, Callable[[Any], str]] = {
    Paragraph: _paragraph,
    Bullets: _bullets,
    Alerts: _alerts,
    Terms: _terms,
    Sheet: lambda s: table(s.head, s.rows, s.numeric, s.caption),
    Bars: lambda b: svg.bars(b.title, b.rows, b.colour),
    Twins: lambda t: svg.twin_bars(t.title, t.rows),
    Stack: lambda s: svg.stack(s.title, s.rows),
    Binned: lambda b: svg.histogram(b.title, b.bins, b.after, b.before, b.note),
    Drawn: lambda d: svg.lines(d.title, d.series, d.x_name, d.y_name),
    Command: _command,
    Subtitle: _subtitle,
    Beside: lambda b: '<div class="pair">' + "".join(map(block, b.blocks)) + "</div>",
}
