"""Small problems for tests, straight from rows of text."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from shoal import measures, registry
from shoal.hierarchies import any_interval, any_subset
from shoal.hierarchies.rows import tree_from_rows
from shoal.hierarchies.tree import Tree
from shoal.problem import Problem, quasi_identifier

PAID_ALIKE = [name for name in registry.names(measures.CATALOG) if registry.find(measures.CATALOG, name).offset is None]
"""The measures in which all rows of a group pay the same: those that the papers' factors are about."""

PAID_BY_OWN_VALUE = [name for name in registry.names(measures.CATALOG) if registry.find(measures.CATALOG, name).offset is not None]
"""The others: each row of a group pays less by what its own values take off."""


def flat_tree(values: Sequence[str]) -> Tree:
    """Suppression only. A single value has nothing to be suppressed to."""
    rows = [[v, "*"] for v in values]
    return tree_from_rows(rows)


def make_problem(
    rows: Sequence[Sequence[str]],
    k: int,
    trees: Sequence[Tree] | None = None,
    measure: str = "stars",
    weights: Sequence[float] | None = None,
    **options: object,
) -> Problem:
    """A problem over rows of text, each column with its tree (default: suppression)."""
    q = len(rows[0])
    columns = [[row[j] for row in rows] for j in range(q)]
    made = [trees[j] if trees else flat_tree(sorted(set(columns[j]))) for j in range(q)]
    found = registry.find(measures.CATALOG, measure)
    codes = np.empty((len(rows), q), dtype=np.int32)
    qis = []
    for j, (tree, column) in enumerate(zip(made, columns, strict=True)):
        code = {label: i for i, label in enumerate(tree.labels[: tree.n_leaves])}
        codes[:, j] = [code[v] for v in column]
        count = np.bincount(codes[:, j], minlength=tree.n_leaves).astype(np.int64)
        qis.append(quasi_identifier(f"c{j}", tree, count, found, weights[j] if weights else 1.0))
    tuples, tuple_of_row, weight = np.unique(codes, axis=0, return_inverse=True, return_counts=True)
    return Problem(
        columns=tuple(qis),
        codes=np.ascontiguousarray(tuples.astype(np.int32)),
        weight=weight.astype(np.int64),
        tuple_of_unit=tuple_of_row.reshape(-1).astype(np.int32),
        rows_of_unit=np.ones(len(rows), dtype=np.int32),
        kind_of_unit=np.arange(len(rows), dtype=np.int32),
        k=k,
        measure=found,
        **options,  # type: ignore[arg-type]
    )


def random_problem(
    rng: np.random.Generator, n: int, q: int, k: int, values: int = 3, measure: str = "stars", deep: bool = False
) -> Problem:
    """A random table; with ``deep``, each column has a hierarchy of several levels."""
    rows = [[str(v) for v in row] for row in rng.integers(0, values, size=(n, q))]
    trees = None
    if deep:
        trees = []
        for _ in range(q):
            block = rng.integers(0, max(values // 2, 1), size=values)
            trees.append(tree_from_rows([[str(v), f"g{block[v]}", "*"] for v in range(values)]))
    return make_problem(rows, k, trees, measure)


def numbers_with_gaps(rng: np.random.Generator, measure: str) -> Problem:
    """Numbers that lie unevenly on their line, some of them missing, in columns that show any interval or any subset."""
    n, k = int(rng.integers(4, 8)), int(rng.integers(2, 4))
    found, chosen = (
        registry.find(measures.CATALOG, measure),
        rng.choice([0, 1, 2, 5, 10, 50, 300, 1000, 5000], size=int(rng.integers(1, 5))),
    )
    columns, codes = [], []
    for j in range(int(rng.integers(1, 3))):
        cells = [str(rng.choice(chosen)) if rng.random() < 0.75 else None for _ in range(n)]
        texts = sorted({text for text in cells if text is not None}) or ["0"]
        made = (any_interval() if rng.random() < 0.6 else any_subset()).build(f"c{j}", texts, None in cells)
        leaf = np.array([made.missing_code if text is None else made.code_of[texts.index(text)] for text in cells], dtype=np.int64)
        count = np.bincount(leaf, minlength=made.tree.n_leaves)
        columns.append(quasi_identifier(f"c{j}", made.tree, count, found, float(rng.choice([0.5, 1.0, 3.0])), made.free))
        codes.append(leaf)
    tuples, of_row, weight = np.unique(np.column_stack(codes).astype(np.int32), axis=0, return_inverse=True, return_counts=True)
    each = np.arange(len(of_row), dtype=np.int32)
    units = (of_row.reshape(-1).astype(np.int32), np.ones_like(each), each)
    return Problem(tuple(columns), np.ascontiguousarray(tuples), weight.astype(np.int64), *units, k, found)
