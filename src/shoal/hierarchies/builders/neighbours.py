"""Neighbours: ordered categories, each merged with the next, then pairs with pairs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from shoal.errors import HierarchyError, PolicyError
from shoal.hierarchies.encoded import Encoded
from shoal.hierarchies.stack import Layer, stack
from shoal.text.labels import set_label

MOST_LEVELS = 4


@dataclass(frozen=True)
class Neighbours:
    """The values from low to high.

    Others that a column holds, such as 'unknown', stand beside them, directly below ``*``.
    """

    order: tuple[str, ...] = field(repr=False)
    name: ClassVar[str] = "neighbours"

    def __post_init__(self) -> None:
        if len(self.order) < 2 or len(set(self.order)) < len(self.order):
            raise HierarchyError("neighbours takes two values at least, from low to high, and each once.")

    @property
    def description(self) -> str:
        return f"neighbours among {len(self.order)} ordered values"

    def build(self, column: str, values: Sequence[str], has_missing: bool) -> Encoded:
        inside = set(self.order)
        leaves = [*self.order, *(v for v in values if v not in inside)]
        leaf_of = {v: i for i, v in enumerate(leaves)}
        tree = stack(leaves, _layers(self.order, len(leaves) - len(self.order)), missing=has_missing)
        code = np.fromiter((leaf_of[v] for v in values), dtype=np.int32, count=len(values))
        return Encoded(tree, None, code, len(leaves) if has_missing else None, self.description, self)

    def rows(self, values: Sequence[str]) -> list[list[str]]:
        """In ARX's form, with the values that stand beside the order."""
        from shoal.hierarchies.rows import rows_of

        return rows_of(self.build("", values, False).tree)

    def to_toml(self) -> Any:
        return {self.name: list(self.order)}

    @classmethod
    def from_toml(cls, value: Any, **options: Any) -> Neighbours:
        if options or not isinstance(value, list):
            raise PolicyError(
                'Write { neighbours = ["low", "medium", "high"] }: the values from low to high, with nothing beside '
                "them."
            )
        return neighbours(value)


def _layers(order: Sequence[str], n_beside: int) -> list[Layer]:
    """Pairs, fours, eights, as far as more than one is left; the values beside the order stay alone."""
    layers: list[Layer] = []
    n, size = len(order), 2
    while size < n and len(layers) < MOST_LEVELS:
        block = np.arange(n, dtype=np.int64) // size
        labels: list[str | None] = [_label(order[i : i + size]) for i in range(0, n, size)]
        beside = np.arange(n_beside, dtype=np.int64) + len(labels)
        layers.append(Layer(np.concatenate([block, beside]), [*labels, *[None] * n_beside]))
        size *= 2
    return layers


def _label(members: Sequence[str]) -> str:
    """Two by name, more by the first and the last."""
    return set_label(members) if len(members) <= 2 else f"{members[0]} to {members[-1]}"


def neighbours(order: Iterable[object]) -> Neighbours:
    """Ordered categories, from low to high: each may become a pair, a four and so on with its neighbours.

    >>> neighbours(["low", "medium", "high"]).description
    'neighbours among 3 ordered values'
    """
    if isinstance(order, str):
        raise HierarchyError('neighbours takes a list of values from low to high: ["low", "medium", "high"].')
    return Neighbours(tuple(str(v) for v in order))
