"""The assessment of a table as a page."""

from __future__ import annotations

import json
from html import escape
from pathlib import Path

from shoal.disk.atomic import write_bytes
from shoal.release.record import NOTICE
from shoal.report import svg
from shoal.report.draw import section, table
from shoal.report.model import source_name
from shoal.report.risk import Assessment
from shoal.report.style import notebook, page
from shoal.report.words import several_rows_in_numbers

MOST_SUBSETS = 10


def write_assessment(found: Assessment, source: str, path: str | Path, *, force: bool = False) -> None:
    """Write the page. It is about the original table: only its owner may read the file."""
    write_bytes(path, html(found, source).encode(), private=True, force=force)


def html(found: Assessment, source: str) -> str:
    """The whole page."""
    name = source_name(source)
    title = f"<h1>What {escape(name)} gives away</h1>"
    return page(
        f"shoal: what {name} gives away",
        title + body(found),
        json.dumps({"notice": NOTICE, **found.to_dict()}, ensure_ascii=False),
        NOTICE,
    )


def drawn(found: Assessment) -> str:
    """What a notebook shows below the sentences: rows in small groups, and the columns that single most people out."""
    best = sorted(found.subsets, key=lambda s: (-s.n_unique, len(s.columns)))[:3]
    rows = [(", ".join(s.columns), f"{s.n_unique:,} alone") for s in best if s.n_unique]
    return notebook(
        _small_groups(found)
        + (table(("columns", found.counts), rows, (1,), "Columns that single most out") if rows else "")
    )


def body(found: Assessment) -> str:
    """Everything below the title."""
    parts = [
        *(f"<p><b>{escape(warning)}</b></p>" for warning in found.several_rows_words()),
        f"<p>{escape(_first(found))}</p>",
        section(f"{found.counts.capitalize()} in small groups", _small_groups(found)),
        section("What somebody may hope for who looks for a person", f"<p>{escape(found.chances())}</p>"),
        section("Columns that single people out", _subsets(found)),
    ]
    if found.people is not None:
        parts.append(section("Several rows of one person", f"<p>{escape(several_rows_in_numbers(found.people))}</p>"))
    if found.homogeneity:
        parts.append(section("Sensitive columns given away without picking a row", _homogeneity(found)))
    return "".join(parts)


def _first(found: Assessment) -> str:
    if found.people is not None:
        return (
            f"{found.people['n_rows']:,} rows of {found.people['n_people']:,} people have {found.n_groups:,} different "
            f"combinations of {', '.join(found.quasi_identifiers)}; "
            f"{found.n_unique:,} people ({found.n_unique / found.n_counted:.1%}) are the only ones to have one of "
            "theirs."
        )
    return (
        f"{found.n_rows:,} rows have {found.n_groups:,} different combinations of "
        f"{', '.join(found.quasi_identifiers)}; "
        f"{found.n_unique:,} rows ({found.n_unique / found.n_rows:.1%}) are the only ones to have theirs."
    )


def _small_groups(found: Assessment) -> str:
    rows = [(f"below {limit}", float(n), f"{n:,} ({n / found.n_counted:.1%})") for limit, n in found.rows_below.items()]
    return svg.bars(f"{found.counts.capitalize()} in groups of few", rows, "b")


def _subsets(found: Assessment) -> str:
    parts = []
    for size in sorted({len(s.columns) for s in found.subsets}):
        best = [s for s in found.subsets if len(s.columns) == size][:MOST_SUBSETS]
        rows = [
            (", ".join(s.columns), f"{s.n_groups:,}", f"{s.n_unique:,}", f"{s.distinction:.2%}", f"{s.separation:.2%}")
            for s in best
        ]
        said = "One column" if size == 1 else f"{size} columns together"
        parts.append(
            table(
                ("columns", "groups", f"unique {found.counts}", "distinction", "separation"),
                rows,
                numeric=(1, 2, 3, 4),
                caption=said,
            )
        )
    if not found.is_complete:
        parts.append('<p class="soft">There are too many combinations: not all were looked at.</p>')
    said = "Distinction: different combinations over rows. Separation: the share of pairs of rows that differ."
    return "".join(parts) + f'<p class="soft">{said}</p>'


def _homogeneity(found: Assessment) -> str:
    n_rows = found.n_rows if found.people is None else found.people["n_rows"]
    rows = [
        (h.column, f"{h.n_rows_disclosed:,} ({h.n_rows_disclosed / n_rows:.1%})", f"{h.average_distinct:.2f}")
        for h in found.homogeneity
    ]
    return table(("column", "rows", "values per group, on average"), rows, numeric=(1, 2))
