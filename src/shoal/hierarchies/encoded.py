"""What encoding a column gives, and the error when it cannot be encoded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from shoal.errors import HierarchyError, some
from shoal.hierarchies.tree import Tree

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Free = Literal["interval", "subset"]


@dataclass(frozen=True, eq=False)
class Encoded:
    """A column's hierarchy as a tree, and where the column's values sit in it."""

    tree: Tree
    free: Free | None
    """None for a laminar hierarchy; else groups show their own interval or set, and the tree is a stand-in to search on."""
    code_of: Ints
    """The leaf of each of the column's values, in the order they were given."""
    missing_code: int | None
    """The leaf of a missing cell, if the column has one."""
    description: str
    """In words: ``intervals of 5, 10, 20``."""
    spec: Spec


class Spec(Protocol):
    """What a user asks of a column: a frozen dataclass, made by a public function such as ``intervals(5, 10, 20)``."""

    name: ClassVar[str]
    """Its name in the catalog and in a policy."""

    @property
    def description(self) -> str:
        """In words."""
        ...

    def build(self, column: str, values: Sequence[str], has_missing: bool, n_occurrences: Longs | None = None) -> Encoded:
        """The tree over ``values`` (sorted, distinct) and everything else that the hierarchy holds."""
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

    def at_lines(self, lines: Iterable[int]) -> ValuesError:
        """The same error, saying in which lines of the file the values stand."""
        numbers = list(lines)
        same = ValuesError(self.column, self.missing_values, self.n_values, self.wrong, self.advice)
        if numbers:
            same.args = (self._text(f" ({'line' if len(numbers) == 1 else 'lines'} {some(numbers)})"),)
        return same
