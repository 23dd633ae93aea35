"""Laminar: a collection of sets of which no two cross, possibly unbalanced.

A collection is *proper* (Gionis and Tassa 2009, definition 3.2) if it holds every single value, the whole domain, and
of any two sets either one contains the other or they have nothing in common. The first two are added here, the third is
checked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from shoal.errors import HierarchyError, PolicyError
from shoal.hierarchies.encoded import Encoded
from shoal.hierarchies.stack import Layer, stack
from shoal.text.labels import set_label

NamedSet = tuple[str, frozenset[str]]


@dataclass(frozen=True)
class Laminar:
    """Sets with the labels they are shown by, large first."""

    sets: tuple[NamedSet, ...] = field(repr=False)
    name: ClassVar[str] = "laminar"

    def __post_init__(self) -> None:
        check_laminar(self.sets)

    @property
    def description(self) -> str:
        if len(self.sets) == 1:
            return f"{len(self.sets[0][1])} values as one group"
        return f"{len(self.sets)} nested or disjoint sets"

    def build(self, column: str, values: Sequence[str], has_missing: bool) -> Encoded:
        domain = sorted(set(values).union(*(members for _, members in self.sets)))
        leaf_of = {v: i for i, v in enumerate(domain)}
        tree = stack(domain, _layers(self.sets, leaf_of), missing=has_missing)
        code = np.fromiter((leaf_of[v] for v in values), dtype=np.int32, count=len(values))
        return Encoded(tree, None, code, len(domain) if has_missing else None, self.description, self)

    def to_toml(self) -> Any:
        return {self.name: {label: sorted(members) for label, members in self.sets}}

    @classmethod
    def from_toml(cls, value: Any, **options: Any) -> Laminar:
        if options or not isinstance(value, list | dict):
            raise PolicyError(
                'Write { laminar = [["a", "b"], ["a", "b", "c"]] }: a list of sets, with nothing beside it.'
            )
        return laminar(value)


def check_laminar(sets: Sequence[NamedSet]) -> None:
    """Refuse sets that cross, and say which two. The sets come large first."""
    smallest: dict[str, int] = {}  # the smallest set so far that holds each value
    for i, (label, members) in enumerate(sets):
        around = {smallest.get(v, -1) for v in members}
        if len(around) > 1:
            other, its_members = sets[max(around)]
            which = (
                f"'{other}' and '{label}'"
                if _is_named(label, members) and _is_named(other, its_members)
                else f"of {len(its_members)} and of {len(members)} values"
            )
            raise HierarchyError(
                f"The sets {which} cross: they share {len(members & its_members)} of their values, and neither "
                "contains the other. "
                "Sets of a hierarchy must be nested or disjoint; for sets that cross use any_subset()."
            )
        smallest.update(dict.fromkeys(members, i))


def _is_named(label: str, members: frozenset[str]) -> bool:
    """Whether a set has a name of its own; else its label lists values, which no message shows."""
    return label != set_label(members)


def _layers(sets: Sequence[NamedSet], leaf_of: Mapping[str, int]) -> list[Layer]:
    """One layer for each height: a set stands one above the highest set inside it."""
    height: dict[str, int] = {}  # of the largest set so far that holds each value
    levels: list[list[NamedSet]] = []
    for named in reversed(sets):
        if len(named[1]) == 1:
            continue  # a single value is a leaf
        level = max((height.get(v, 0) for v in named[1]), default=0)
        height.update(dict.fromkeys(named[1], level + 1))
        while len(levels) <= level:
            levels.append([])
        levels[level].append(named)
    # the largest set so far that holds each leaf; below n_leaves, the leaf itself
    around = np.arange(len(leaf_of), dtype=np.int64)
    label_of = dict(enumerate(leaf_of))
    layers = []
    for here in levels:
        for label, members in sorted(here, key=lambda named: named[0]):
            number = len(label_of)
            label_of[number] = label
            around[[leaf_of[v] for v in members]] = number
        numbers, block = np.unique(around, return_inverse=True)
        layers.append(Layer(block, [label_of[int(n)] for n in numbers]))
    return layers


def laminar(sets: Iterable[Iterable[str]] | Mapping[str, Iterable[str]]) -> Laminar:
    """Nested or disjoint sets of values; with a mapping, each is shown by its name, else as ``{a, b}``.

    >>> laminar([{"a", "b"}, {"a", "b", "c"}]).sets[0][0]
    '{a, b, c}'
    """
    pairs: Iterable[tuple[str | None, Iterable[str]]] = (
        sets.items() if isinstance(sets, Mapping) else ((None, s) for s in sets)
    )
    made: dict[frozenset[str], str] = {}
    for label, members in pairs:
        if isinstance(members, str) or not isinstance(members, Iterable):
            raise HierarchyError('laminar takes sets of values: [{"a", "b"}, …].')
        kept = frozenset(str(v) for v in members)
        if not kept:
            raise HierarchyError("laminar was given an empty set. Remove it.")
        made.setdefault(kept, str(label) if label is not None else set_label(kept))
    ordered = sorted(made.items(), key=lambda item: (-len(item[0]), item[1]))
    return Laminar(tuple((label, members) for members, label in ordered))
