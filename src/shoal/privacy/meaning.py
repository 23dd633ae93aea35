"""What a demand means on a column: the order of its values, ties, and missing cells. One place, for solver, verifier,
report and studio.

Values that are all numbers, in one style of writing, are ordered by size, and two texts of one number (``1`` and
``1.0``) are one value; any other column is one of categories, and so is one in which some number has a zero in front:
codes such as ``01`` and ``12`` are not near each other because their numbers are. Taking them for categories asks for
more, never for less. Blanks around a text are no part of it, and a text of blanks alone, or an empty one, is a missing
cell. Such a cell does not change the order. To l-diversity a missing cell is whatever value the group has most of: it
adds no diversity. To t-closeness it is a value of its own; on an ordered column it lies as far beyond the greatest
number as the greatest lies beyond the least.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from shoal import registry
from shoal.privacy import CATALOG
from shoal.privacy.base import Demand, Ints
from shoal.text.numbers import has_leading_zeros, read_numbers


@dataclass(frozen=True, eq=False)
class Scale:
    """The values of a sensitive column as a criterion sees them."""

    rank: Ints
    """The number of each of the texts that it was made of."""
    is_ordered: bool
    missing: int
    """The number of a missing cell; the values are numbered below it."""

    def codes(self, places: np.ndarray) -> Ints:
        """From the place of each row's text (negative for a missing cell) to its number."""
        table = np.append(self.rank, np.int32(self.missing)).astype(np.int32)
        return table[np.where(places < 0, len(self.rank), places)]

    def demand(self, criterion: str, column: str, parameters: Mapping[str, float]) -> Demand:
        """A criterion asked of a column with this scale."""
        found = registry.find(CATALOG, criterion, "criterion")
        asked = {**parameters, "ordered": float(self.is_ordered)} if found.uses_order else dict(parameters)
        return Demand(found, column, asked, self.missing)

    def demand_of_people(self, column: str, k: int) -> Demand:
        """That rows of at least k people look alike, by this column."""
        return self.demand("k-people", column, {"k": k})

    def bind(self, demand: Demand) -> Demand:
        """The same demand, read again on this scale."""
        return self.demand(
            demand.criterion.name, demand.column, {key: x for key, x in demand.parameters.items() if key != "ordered"}
        )


def scale_of(texts: Sequence[str]) -> Scale:
    """The scale of a column with these texts, each given once, without missing cells.

    >>> scale_of(["10", "9", "9.0", " "]).rank.tolist(), scale_of(["a", "10", "9", "a "]).rank.tolist()
    ([1, 0, 0, 2], [2, 0, 1, 2])
    """
    names = [text.strip() for text in texts]
    there = sorted({name for name in names if name})
    number, wrong = read_numbers(there)
    is_number = len(there) > 0 and not len(wrong)
    key: Iterable[object] = number.tolist() if is_number else there
    value = dict(zip(there, key, strict=True))
    place = {one: i for i, one in enumerate(sorted(set(value.values())))}  # type: ignore[type-var]
    rank = np.fromiter((place[value[name]] if name else len(place) for name in names), dtype=np.int32, count=len(texts))
    return Scale(rank, is_number and not has_leading_zeros(there), len(place))


def people_of(texts: Sequence[str]) -> Scale:
    """The scale of a column that says which person a row is about: a text is a person, without the blanks around it; a
    blank text is missing.

    >>> people_of(["7", " 7", "007", " "]).rank.tolist()
    [1, 1, 0, 2]
    """
    names = [text.strip() for text in texts]
    place = {name: i for i, name in enumerate(sorted({name for name in names if name}))}
    rank = np.fromiter((place.get(name, len(place)) for name in names), dtype=np.int32, count=len(texts))
    return Scale(rank, False, len(place))


__all__ = ["Scale", "people_of", "scale_of"]
