"""What a report is made of: chapters of blocks.

A page draws them, and Markdown writes them; both have the same numbers and sentences.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

Bar = tuple[str, float, str]
"""Its label, its length, and the text at its end."""
TwinBar = tuple[str, float | None, float | None, str]
"""Its label, its length before and after (None: not known), and the text at its end."""
Line = Sequence[tuple[float, float]]


@dataclass(frozen=True)
class Paragraph:
    """A sentence or two. ``tone`` is plain, soft (beside the point), good or bad."""

    text: str
    tone: str = "plain"


@dataclass(frozen=True)
class Bullets:
    """Sentences, one below the other."""

    items: Sequence[str]


@dataclass(frozen=True)
class Alerts:
    """What nobody may overlook: a few words each, and what they mean."""

    items: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Terms:
    """Words, and what is said of each."""

    items: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Sheet:
    """A table of texts. The first cell of a row is its heading."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    caption: str = ""
    numeric: Sequence[int] = ()


@dataclass(frozen=True)
class Bars:
    """A bar a line."""

    title: str
    rows: Sequence[Bar]
    colour: str = "a"
    head: tuple[str, str] = ("", "")
    """What the labels and the texts are, for the table that Markdown writes."""


@dataclass(frozen=True)
class Twins:
    """Two bars a line: before and after."""

    title: str
    rows: Sequence[TwinBar]
    head: tuple[str, str] = ("", "before → after")


@dataclass(frozen=True)
class Stack:
    """For each column a bar that is divided:

    (name, kind, share) of each part, kinds as in :mod:`shoal.report.levels`.
    """

    title: str
    rows: Sequence[tuple[str, Sequence[tuple[str, str, float]]]]


@dataclass(frozen=True)
class Binned:
    """A histogram: the bins in their order, rows in each after, and before where that is known (None: too few to
    show).
    """

    title: str
    bins: Sequence[str]
    after: Sequence[int]
    before: Sequence[int | None] | None = None
    note: str = ""
    """What is not drawn."""


@dataclass(frozen=True)
class Drawn:
    """Curves: (name, colour, points)."""

    title: str
    series: Sequence[tuple[str, str, Line]]
    x_name: str
    y_name: str


@dataclass(frozen=True)
class Command:
    """What is typed, or a text in a language."""

    text: str
    language: str = ""


@dataclass(frozen=True)
class Subtitle:
    """The beginning of a part of a chapter; ``more`` stands beside it in small."""

    text: str
    more: str = ""


@dataclass(frozen=True)
class Beside:
    """Blocks that stand side by side where there is room."""

    blocks: Sequence[Block]


Block = (
    Paragraph | Bullets | Alerts | Terms | Sheet | Bars | Twins | Stack | Binned | Drawn | Command | Subtitle | Beside
)


@dataclass(frozen=True)
class Chapter:
    """A part of a report with a title, which the list of contents leads to."""

    anchor: str
    title: str
    blocks: Sequence[Block]


@dataclass(frozen=True)
class Document:
    """A whole report."""

    title: str
    notice: str
    """For the owner's edition: that it is not for publication."""
    identity: Sequence[tuple[str, str]]
    """Which release this is."""
    first: Sequence[Chapter]
    """What is seen first: what to look at, the promise, the price."""
    rest: Sequence[Chapter] = ()

    @property
    def chapters(self) -> list[Chapter]:
        return [*self.first, *self.rest]
