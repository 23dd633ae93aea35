"""Levels: a tree given row by row in ARX's form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, ClassVar, cast

import numpy as np

from shoal.errors import HierarchyError, PolicyError
from shoal.hierarchies.encoded import Encoded, Longs, ValuesError
from shoal.hierarchies.rows import Row, check_rows, tree_from_rows
from shoal.hierarchies.tree import Tree
from shoal.text.numbers import is_number


@dataclass(frozen=True)
class Levels:
    """Rows: the value first, each further field one level up, the last one ``*``."""

    rows: tuple[tuple[str, ...], ...] = field(repr=False)
    name: ClassVar[str] = "levels"

    def __post_init__(self) -> None:
        check_rows(self.rows)

    @property
    def description(self) -> str:
        n = len(self.rows[0]) - 1
        return f"{n} {'level' if n == 1 else 'levels'} over {len(self.rows)} values"

    def build(self, column: str, values: Sequence[str], has_missing: bool) -> Encoded:
        return place(column, values, has_missing, self, self.rows, None)

    def to_toml(self) -> Any:
        return {self.name: [list(row) for row in self.rows]}

    @classmethod
    def from_toml(cls, value: Any, **options: Any) -> Levels:
        if options or not isinstance(value, list):
            raise PolicyError(
                'Write { levels = [["nurse", "health", "*"], …] }: a list of rows, with nothing beside it.'
            )
        return levels(value)


def place(
    column: str,
    values: Sequence[str],
    has_missing: bool,
    spec: Levels | Any,
    rows: Sequence[Row],
    lines: Sequence[int] | None,
) -> Encoded:
    """Find each value among the rows' leaves. A row with an empty first field stands for missing cells."""
    leaf_of = {row[0]: i for i, row in enumerate(rows)}
    own_missing = leaf_of.get("") if "" not in values[:1] else None
    tree = tree_from_rows(rows, lines, missing=has_missing and own_missing is None)
    code = np.fromiter((leaf_of.get(v, -1) for v in values), dtype=np.int32, count=len(values))
    absent = np.flatnonzero(code < 0)
    if len(absent):
        raise ValuesError(column, absent, len(values), "{are} not in its hierarchy", _advice(values, absent, leaf_of))
    if own_missing is not None:
        tree = _without_text(tree, own_missing)
    missing = None
    if has_missing:
        missing = len(rows) if own_missing is None else own_missing
    return Encoded(tree, None, code, missing, spec.description, spec)


def _without_text(tree: Tree, leaf: int) -> Tree:
    labels = (*tree.labels[:leaf], None, *tree.labels[leaf + 1 :])
    return Tree(tree.parent, tree.level, tree.height, labels, tree.n_leaves, tree.bounds)


def _advice(values: Sequence[str], absent: Longs, leaf_of: dict[str | None, int]) -> str:
    texts = [values[i] for i in absent.tolist()]
    if all(is_number(v) for v in texts):
        whole = {float(leaf) for leaf in leaf_of if leaf is not None and is_number(leaf)}
        if all(float(v) in whole for v in texts):
            return (
                "The hierarchy has the same numbers written differently (39 and 39.0 are two values): write both alike."
            )
    stripped = {leaf.strip() for leaf in leaf_of if leaf is not None}
    if all(v.strip() in stripped for v in texts):
        return "They differ from the hierarchy's values only in blanks before or after: write both alike."
    return "Add them, or let 'shoal hierarchy complete' do it."


def levels(rows: Sequence[Sequence[object]]) -> Levels:
    """A tree from rows in ARX's form.

    >>> levels([["nurse", "health", "*"], ["clerk", "office", "*"]]).description
    '2 levels over 2 values'
    """
    if isinstance(rows, str) or not (set(map(type, rows)) <= {list, tuple} or all(map(_is_row, rows))):
        raise HierarchyError('levels takes a list of rows, each a list of labels: [["nurse", "health", "*"], …].')
    made = tuple(map(tuple, rows))
    if set(map(type, chain.from_iterable(made))) <= {str}:
        return Levels(cast("tuple[tuple[str, ...], ...]", made))
    return Levels(tuple(tuple("" if x is None else str(x) for x in row) for row in made))


def _is_row(row: object) -> bool:
    return isinstance(row, Sequence) and not isinstance(row, str)
