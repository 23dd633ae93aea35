"""Rows in ARX's form, in and out: one row per leaf, the leaf first, each further field one level up, the last one the
top.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from shoal.errors import HierarchyError, some
from shoal.hierarchies.stack import Crossing, Layer, stack
from shoal.hierarchies.tree import Tree

Row = Sequence[str | None]


def tree_from_rows(rows: Sequence[Row], lines: Sequence[int] | None = None, missing: bool = False) -> Tree:
    """Encode a hierarchy. A node is a label on a level; a node that covers what the one below it covers is that one.

    If the last level has several labels, a root ``*`` is put above it. ``lines`` are the rows' line numbers, for
    messages. With ``missing``, a leaf for missing cells is put directly below the root.

    >>> tree = tree_from_rows([["a", "ab", "*"], ["b", "ab", "*"], ["c", "c", "*"]])
    >>> tree.labels, tree.parent.tolist(), tree.level.tolist(), tree.height
    (('a', 'b', 'c', 'ab', '*'), [3, 3, 4, 4, 4], [0, 0, 0, 1, 2], 2)
    """
    check_rows(rows, lines)
    depth = len(rows[0])
    layers = _layers(rows)
    try:
        tree = stack([row[0] for row in rows], layers, missing=missing)
    except Crossing as error:
        one, two = sorted([error.leaf, error.other])
        a, b = _at([one, two], lines)
        values = {row[0] for row in rows}
        below, first, second = (
            "a value" if label in values else f"'{label}'"  # a value may be somebody's cell: its line is enough
            for label in (rows[one][error.level - 1], rows[one][error.level], rows[two][error.level])
        )
        raise HierarchyError(
            f"{below} on level {error.level - 1} has two parents on level {error.level}: "
            f"{first} ({_word(lines)} {a}) and {second} ({_word(lines)} {b}). "
            "Every label must have one parent: correct one of them."
        ) from None
    return _called(tree, rows[0][-1]) if depth > 1 and len({row[-1] for row in rows}) == 1 else tree


def _called(tree: Tree, label: str | None) -> Tree:
    """The root as the rows call it."""
    if label in ("*", None) or tree.level[tree.root] < tree.height:
        return tree
    return Tree(tree.parent, tree.level, tree.height, (*tree.labels[:-1], label), tree.n_leaves, tree.bounds)


def _layers(rows: Sequence[Row]) -> list[Layer]:
    """The levels between the leaves and a single label at the top.

    A ``*`` on one of them says that there is nothing before the root.
    """
    depth = len(rows[0])
    if depth > 1 and len({row[-1] for row in rows}) == 1:
        depth -= 1  # stack puts the root above
    layers, below = [], np.arange(len(rows))
    for l in range(1, depth):
        column: list[str | int | None] = [row[l] for row in rows]
        if "*" in column:
            column = [b if label == "*" else label for label, b in zip(column, below.tolist(), strict=True)]
        number = {key: i for i, key in enumerate(dict.fromkeys(column))}
        below = np.fromiter(map(number.__getitem__, column), dtype=np.int64, count=len(rows))
        layers.append(Layer(below, [key if isinstance(key, str) else None for key in number]))
    return layers


def _word(lines: Sequence[int] | None) -> str:
    return "row" if lines is None else "line"


def _at(rows: Sequence[int], lines: Sequence[int] | None) -> list[int]:
    return [i + 1 if lines is None else lines[i] for i in rows]


def check_rows(rows: Sequence[Row], lines: Sequence[int] | None = None) -> None:
    """Refuse rows that do not make a hierarchy: no rows, rows of unequal length, or a leaf listed twice."""
    if not rows:
        raise HierarchyError(
            "The hierarchy is empty. It needs one line for each value: the value first, each further field one level "
            "up."
        )
    depth = len(rows[0])
    if depth and set(map(len, rows)) == {depth} and len({row[0] for row in rows}) == len(rows):
        return
    ragged = [i for i, row in enumerate(rows) if len(row) != depth]
    if depth == 0 or ragged:
        raise HierarchyError(
            f"{len(ragged)} of {len(rows)} {_word(lines)}s {'does' if len(ragged) == 1 else 'do'} not have the {depth} "
            "fields of the first one "
            f"({_word(lines)}{'' if len(ragged) == 1 else 's'} {some(_at(ragged, lines))}). Give every value a label "
            "on every level; "
            "repeat a label where there is nothing between."
        )
    first: dict[str | None, int] = {}
    for i, row in enumerate(rows):
        j = first.setdefault(row[0], i)
        if j != i:
            a, b = _at([j, i], lines)
            raise HierarchyError(f"A value is listed twice ({_word(lines)}s {a} and {b}). Remove one of them.")


def rows_of(tree: Tree) -> list[list[str]]:
    """A tree as rows. Reading them back gives the same nodes, levels and height; a missing cell is an empty first
    field.

    A leaf that hangs higher than the level above it is repeated up to its parent's level. A root below the top level is
    repeated too, and called ``*`` in the last field.

    >>> rows_of(tree_from_rows([["a", "ab", "*"], ["b", "ab", "*"], ["c", "c", "*"]]))
    [['a', 'ab', '*'], ['b', 'ab', '*'], ['c', 'c', '*']]
    """
    text = ["" if label is None else label for label in tree.labels]
    columns = [[text[v] for v in tree.cut(l).tolist()] for l in range(max(tree.height, 1) + 1)]
    if tree.level[tree.root] < max(tree.height, 1):
        columns[-1] = ["*"] * tree.n_leaves
    return [list(row) for row in zip(*columns, strict=True)]
