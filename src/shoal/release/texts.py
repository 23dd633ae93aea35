"""Hierarchies that builders made, told to the judge: as texts, level by level."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.hierarchies.encoded import Encoded
from shoal.hierarchies.tree import Tree
from shoal.judge.texts import Texts


def from_encoded(made: Encoded) -> Texts:
    """What a builder made, as texts."""
    tree = made.tree
    if made.free is not None:
        leaves = pl.Series(tree.labels[: tree.n_leaves], dtype=pl.String)
        return Texts((leaves,), *_widths(tree), is_free=True)
    return Texts(tuple(_level(tree, level) for level in range(max(tree.height, 1) + 1)), *_widths(tree))


def _widths(tree: Tree) -> tuple[bool, NDArray[np.float64] | None]:
    return (False, None) if tree.bounds is None else (True, tree.bounds[: tree.n_leaves, 0])


def _level(tree: Tree, level: int) -> pl.Series:
    if level and level == max(tree.height, 1):
        top = tree.labels[tree.root] if tree.level[tree.root] == level else "*"
        return pl.Series([top] * tree.n_leaves, dtype=pl.String)
    return pl.Series(tree.labels, dtype=pl.String).gather(tree.cut(level))
