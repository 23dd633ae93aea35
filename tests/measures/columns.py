"""Random columns with trees, for property tests."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
from hypothesis import strategies as st

from shoal import measures, registry
from shoal.hierarchies.rows import tree_from_rows
from shoal.hierarchies.tree import Tree
from shoal.measures.base import Sets


def random_rows(rng: random.Random, n_leaves: int, height: int) -> list[list[str]]:
    """A random hierarchy in ARX's form: each level joins some blocks of the one below."""
    columns = [[str(i) for i in range(n_leaves)]]
    for level in range(1, height):
        blocks = sorted(set(columns[-1]))
        joined = {b: f"L{level}.{rng.randrange(max(len(blocks) - 1, 1))}" for b in blocks}
        columns.append([joined[b] for b in columns[-1]])
    columns.append(["*"] * n_leaves)
    return [list(row) for row in zip(*columns, strict=True)]


@st.composite
def columns(draw: st.DrawFn, most_leaves: int = 7) -> tuple[Tree, np.ndarray]:
    """A tree and how often each leaf occurs; some may not occur at all."""
    rng = random.Random(draw(st.integers(0, 10**9)))
    n_leaves = draw(st.integers(1, most_leaves))
    tree = tree_from_rows(random_rows(rng, n_leaves, draw(st.integers(1, 4))))
    count = draw(st.lists(st.integers(0, 9), min_size=n_leaves, max_size=n_leaves).filter(any))
    return tree, np.array(count, dtype=np.int64)


def table_of(count: np.ndarray) -> list[int]:
    """The column as a list of leaves."""
    return [leaf for leaf, n in enumerate(count.tolist()) for _ in range(n)]


def as_sets(sets: list[list[int]]) -> Sets:
    lengths = [len(s) for s in sets]
    return Sets(
        np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
        np.array([v for s in sets for v in s], dtype=np.int32),
    )


def price(name: str, tree: Tree, count: np.ndarray) -> np.ndarray:
    """What each node costs under the measure of that name."""
    return registry.find(measures.CATALOG, name).price(tree, count)


def find(name: str) -> Any:
    """The measure of that name, also if it is only reported."""
    return registry.find({**measures.CATALOG, **measures.REPORTED}, name)
