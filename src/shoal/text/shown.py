"""How a result shows itself in a notebook: a small page, warnings first; in a terminal, the same as lines."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

STYLE = (
    ".shoal-small{max-width:60rem}.shoal-small ul{list-style:none;padding:0;margin:.4em 0}"
    ".shoal-small li{border-left:.3em solid #c2413a;padding:.2em .7em;margin:.4em 0}.shoal-small p{margin:.3em 0}"
    ".shoal-small table{border-collapse:collapse}.shoal-small th{font-weight:400}.shoal-small th,.shoal-small td{text-align:left;padding:.15em 1em .15em 0}"
)
"""For this page alone; colours of text and ground are the notebook's own."""


class Shown:
    """A result that says itself in sentences. What a reader must not miss stands first, and bold where there is markup."""

    def warnings(self) -> Sequence[str]:
        """What a reader must not miss."""
        return ()

    def sentences(self) -> Sequence[str]:
        """The rest."""
        return ()

    def in_numbers(self) -> Sequence[tuple[str, str]]:
        """Figures, for a small table: (what, how much)."""
        return ()

    def drawing(self) -> str:
        """A picture, as HTML."""
        return ""

    def __repr__(self) -> str:
        return "\n".join((*self.warnings(), *self.sentences()))

    def _repr_html_(self) -> str:
        told = "".join(f"<li><strong>{escape(said)}</strong></li>" for said in self.warnings())
        rest = "".join(f"<p>{escape(said)}</p>" for said in self.sentences())
        rows = "".join(f'<tr><th scope="row">{escape(what)}</th><td>{escape(much)}</td></tr>' for what, much in self.in_numbers())
        parts = (f"<ul>{told}</ul>" if told else "", rest, f"<table><tbody>{rows}</tbody></table>" if rows else "", self.drawing())
        return f'<div class="shoal-small"><style>{STYLE}</style>{"".join(parts)}</div>'
