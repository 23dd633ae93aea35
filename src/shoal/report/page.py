"""The report as a file: a page, Markdown or JSON, and what a notebook shows of it. Nothing is computed here."""

from __future__ import annotations

import json
from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Any

from shoal.disk.atomic import write_bytes
from shoal.errors import WriteError
from shoal.release.counted import CountedRelease
from shoal.release.release import Release
from shoal.report import draw
from shoal.report.document import document, first_page
from shoal.report.draw import section, table
from shoal.report.markdown import markdown
from shoal.report.model import first_model, owner_model
from shoal.report.public import public_model
from shoal.report.style import notebook, page

__all__ = ["as_json", "body", "fragment", "html", "section", "table", "write_owner_report", "write_report"]

Numbers = dict[str, Any]


def write_report(release: Release | CountedRelease, path: str | Path | None = None, *, force: bool = False) -> str:
    """The report that may be published, in the form that the path's ending names (.html, .md, .json); the HTML text
    where there is no path.
    """
    text = _form(path)(public_model(release))
    if path is not None:
        write_bytes(path, text.encode(), force=force)
    return text


def write_owner_report(
    release: Release | CountedRelease, path: str | Path | None = None, *, force: bool = False
) -> str:
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
    """What a notebook shows: the first page of the owner's report.

    What takes long on a large table is left to the report.
    """
    made = first_page(first_model(release))
    return notebook(f"<h3>{escape(made.title)}</h3>{draw.identity(made)}{draw.first(made)}")


def as_json(model: Numbers) -> str:
    """The numbers themselves."""
    return json.dumps(model, indent=2, ensure_ascii=False, default=str) + "\n"


def html(model: Numbers) -> str:
    """The whole page."""
    made = document(model)
    return page(
        f"shoal: {made.title}{' (not for publication)' if made.notice else ''}",
        draw.top(made) + draw.whole(made),
        json.dumps(model, ensure_ascii=False, default=str),
        made.notice,
    )


def body(model: Numbers) -> str:
    """Everything below the title, for a page that has one already."""
    made = document(model)
    return draw.identity(made) + draw.contents(made) + draw.whole(made)
