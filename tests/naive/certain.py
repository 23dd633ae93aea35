"""What is certain of a count, by the definition: of all values that a label may stand for, do all meet the condition, or does one?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from tests.naive.recount import Cell, Column

Meets = Callable[[Cell], bool]


def ends(shown: Mapping[str, Sequence[Cell]], columns: Mapping[str, Column], asked: Mapping[str, Meets]) -> tuple[int, int]:
    """How many rows meet the conditions whatever their hidden cells are, and how many can; ``shown`` are the released cells of each column."""
    at_least = at_most = 0
    known: dict[tuple[str, Cell], tuple[bool, bool]] = {}
    for row in zip(*(shown[name] for name in asked), strict=True):
        for name, label in zip(asked, row, strict=True):
            if (name, label) not in known:
                answers = [asked[name](value) for value in columns[name].shown_as(label)]
                known[name, label] = all(answers), any(answers)
        at_least += all(known[name, label][0] for name, label in zip(asked, row, strict=True))
        at_most += all(known[name, label][1] for name, label in zip(asked, row, strict=True))
    return at_least, at_most
