"""How the verifier reads the texts of a sensitive column, and of a column that says which person a row is about.

Blanks around a text are no part of it, and one of blanks alone, or an empty one, is a missing cell. Where every text is a number, in one style of writing, two texts of one number are one value; any other column holds categories. Numbers are
ordered by size, unless one has a zero in front: codes such as ``01`` and ``12`` are not near each other because their numbers are.
How a text is read as a number is the one thing that the search reads by as well (:mod:`shoal.text.numbers`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from shoal.text.numbers import read_numbers

CODE = re.compile(r"[+-]?0[0-9]")
"""How the text of a code begins."""


@dataclass(frozen=True)
class Numbered:
    """What the texts of a column stand for."""

    places: list[int | None]
    """The value of each text, numbered in the values' order; None: it stands for nothing, as a missing cell."""
    n_values: int
    is_ordered: bool = False


def read_values(texts: Sequence[str]) -> Numbered:
    """The values of these texts, each given once.

    >>> read_values(["10", "9", "9.0", " "]), read_values(["07", "7", "11"])
    (Numbered(places=[1, 0, 0, None], n_values=2, is_ordered=True), Numbered(places=[0, 0, 1], n_values=2, is_ordered=False))
    """
    words = [text.strip() for text in texts]
    said = list(dict.fromkeys(filter(None, words)))
    numbers, not_numbers = read_numbers(said)
    are_numbers = bool(said) and not len(not_numbers)
    values: list[float] | list[str] = [float(x) for x in numbers] if are_numbers else said
    order = {value: i for i, value in enumerate(sorted(set(values)))}  # type: ignore[type-var]
    place = {word: order[value] for word, value in zip(said, values, strict=True)}
    return Numbered([place.get(word) for word in words], len(order), are_numbers and not any(map(CODE.match, said)))


def read_people(texts: Sequence[str]) -> Numbered:
    """The people of these texts: a text is a person, without the blanks around it, and a blank one is nobody.

    >>> read_people(["7", " 7", "007", " "]).places
    [1, 1, 0, None]
    """
    names = [text.strip() for text in texts]
    place = {name: i for i, name in enumerate(sorted(set(names) - {""}))}
    return Numbered([place.get(name) for name in names], len(place))
