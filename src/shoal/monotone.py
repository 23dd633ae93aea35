"""A hierarchy on which a measure never falls: the paper's make-monotone, for tools that take a tree as it is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import polars as pl

from shoal import hierarchies, measures, registry
from shoal.hierarchies.builders.levels import Levels
from shoal.hierarchies.encode import encode
from shoal.hierarchies.encoded import Encoded
from shoal.hierarchies.monotone import make_monotone as without_dear_nodes
from shoal.hierarchies.rows import rows_of
from shoal.hierarchies.tree import Tree
from shoal.table.coded import Coded, code


def make_monotone(hierarchy: Any, values: Iterable[Any], measure: str | None = None) -> Levels:
    """The hierarchy of a column without the nodes that cost more than a node above them. What comes back can be given as a hierarchy.

    ``hierarchy`` is what :func:`shoal.anonymize` takes for a column, ``values`` are the column's cells, and ``measure`` prices the nodes (the first one
    that may fall as a set grows). shoal does not need this: it shows such a node as the cheaper one.

    >>> made = make_monotone([["a", "ab", "*"], ["b", "ab", "*"], ["c", "c", "*"]], ["a", "b", *"ccccccc"])
    >>> made.rows
    (('a', 'a', '*'), ('b', 'b', '*'), ('c', 'c', '*'))
    """
    column = code(values if isinstance(values, pl.Series) else pl.Series("values", values))
    made = encode(column.name, column.values.to_list(), column.n_missing > 0, hierarchies.as_spec(hierarchy))
    return Levels(tuple(tuple(row) for row in rows_of(monotone_tree(made, column, measure))))


def monotone_tree(made: Encoded, column: Coded, measure: str | None = None) -> Tree:
    """The tree of a column's hierarchy, priced by the column's values, without the nodes that cost more than a node above them."""
    count = np.zeros(made.tree.n_leaves, dtype=np.int64)
    count[made.code_of] = column.counts()
    if made.missing_code is not None:
        count[made.missing_code] = column.n_missing
    priced = registry.find(measures.CATALOG, measure or _falling(), "measure")
    return without_dear_nodes(made.tree, priced.price(made.tree, count))


def _falling() -> str:
    """The first measure that may cost less for a larger set."""
    return next(name for name in measures.CATALOG if not registry.find(measures.CATALOG, name).monotone)
