"""How a result shows itself in a notebook: sentences, warnings first."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape


class Shown:
    """A result that says itself in sentences. What a reader must not miss stands first, and bold where there is markup."""

    def warnings(self) -> Sequence[str]:
        """What a reader must not miss."""
        return ()

    def sentences(self) -> Sequence[str]:
        """The rest."""
        return ()

    def __repr__(self) -> str:
        return "\n".join((*self.warnings(), *self.sentences()))

    def _repr_html_(self) -> str:
        told = [f"<p><strong>{escape(said)}</strong></p>" for said in self.warnings()]
        return "".join((*told, *(f"<p>{escape(said)}</p>" for said in self.sentences())))
