"""What encoding a column gives, and the error when it cannot be encoded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from shoal.errors import HierarchyError, some
from shoal.hierarchies.stack import Layer, stack
from shoal.hierarchies.tree import Tree

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Floats = NDArray[np.float64]
Free = Literal["interval", "subset"]


@dataclass(frozen=True, eq=False)
class Encoded:
    """A column's hierarchy as a tree, and where the column's values sit in it."""

    tree: Tree
    free: Free | None
    """None for a laminar hierarchy; else groups show their own interval or set, and the tree is a stand-in to search
    on.
    """
    code_of: Ints
    """The leaf of each of the column's values, in the order they were given."""
    missing_code: int | None
    """The leaf of a missing cell, if the column has one."""
    description: str
    """In words: ``intervals of 5, 10, 20``."""
    spec: Spec


@dataclass(frozen=True, eq=False)
class Arrangement:
    """A column's values in the order of their leaves, and the levels above them: a tree before it is built."""

    leaves: Sequence[str]
    layers: Sequence[Layer]
    code_of: Ints
    """The leaf of each value, in the order they were given."""
    bounds: Floats | None = None
    """For numbers: the interval of each leaf."""

    def rows(self) -> list[list[str]]:
        """In ARX's form, with every level's own label even where levels hold the same set."""
        columns = [[layer.labels[b] or "" for b in layer.block.tolist()] for layer in self.layers]
        return [list(row) for row in zip(self.leaves, *columns, ["*"] * len(self.leaves), strict=True)]

    def encoded(self, spec: Spec, has_missing: bool, free: Free | None = None) -> Encoded:
        """The tree, with a leaf for missing cells below the root if there are any."""
        tree = replace(stack(self.leaves, self.layers, self.bounds, has_missing), is_stand_in=free is not None)
        return Encoded(tree, free, self.code_of, len(self.leaves) if has_missing else None, spec.description, spec)


def in_order(values: Sequence[str], place: NDArray[Any]) -> tuple[list[str], Ints, NDArray[Any]]:
    """Values sorted by their place on a line: the sorted values, the rank of each as given, and the sorted places."""
    order = np.argsort(place, kind="stable")
    rank = np.empty(len(values), dtype=np.int32)
    rank[order] = np.arange(len(values), dtype=np.int32)
    return [values[i] for i in order.tolist()], rank, place[order]


class Spec(Protocol):
    """What a user asks of a column: a frozen dataclass, made by a public function such as ``intervals(5, 10, 20)``."""

    name: ClassVar[str]
    """Its name in the catalog and in a policy."""

    @property
    def description(self) -> str:
        """In words."""
        ...

    def build(self, column: str, values: Sequence[str], has_missing: bool) -> Encoded:
        """The tree over ``values`` (sorted, distinct) and everything else that the hierarchy holds."""
        ...

    def to_toml(self) -> Any:
        """What stands after ``hierarchy =`` in a policy that asks for this."""
        ...

    @classmethod
    def from_toml(cls, value: Any, **options: Any) -> Spec:
        """From a policy: the value after the builder's name, and the keys beside it."""
        ...


class ValuesError(HierarchyError):
    """Some values of a column cannot be placed in its hierarchy. Carries where they are, never what they are."""

    def __init__(self, column: str, at: Iterable[int], n_values: int, wrong: str, advice: str) -> None:
        self.column = column
        self.missing_values: NDArray[np.int64] = np.asarray(list(at), dtype=np.int64)
        """Positions among the values that were given."""
        self.n_values = n_values
        self.wrong = wrong
        self.advice = advice
        super().__init__(self._text(""))

    def _text(self, where: str) -> str:
        n = len(self.missing_values)
        verb = self.wrong.format(are="is" if n == 1 else "are", look="looks" if n == 1 else "look")
        return f"Column '{self.column}': {n} of {self.n_values} values {verb}{where}. {self.advice}"

    def at_lines(self, lines: Iterable[int] | str) -> ValuesError:
        """The same error, saying where the values stand: line numbers of the file, or words such as ``rows 3, 7``."""
        numbers = lines if isinstance(lines, str) else list(lines)
        same = ValuesError(self.column, self.missing_values, self.n_values, self.wrong, self.advice)
        if numbers:
            where = (
                numbers if isinstance(numbers, str) else f"{'line' if len(numbers) == 1 else 'lines'} {some(numbers)}"
            )
            same.args = (self._text(f" ({where})"),)
        return same
