"""What each level of a hierarchy would cost, if the whole column were lifted to it: shown while one edits."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal import measures, registry
from shoal.hierarchies.encoded import Encoded


def level_prices(made: Encoded, counts: NDArray[np.int64], measure: str) -> list[dict[str, Any]]:
    """For each level: how many labels it has, and the share of the column that is lost on it."""
    tree = made.tree
    count = np.zeros(tree.n_leaves, dtype=np.int64)
    count[made.code_of] = counts
    chosen = registry.find(measures.CATALOG, measure)
    price = chosen.price(tree, count)
    own = float((chosen.offset(tree, count) * count).sum()) if chosen.offset is not None else 0.0
    top = float(price[tree.root]) * int(count.sum()) - own or 1.0
    found = []
    for number, level in enumerate(tree.levels):
        node = tree.cut(level)
        lost = (float((price[node] * count).sum()) - own) / top
        found.append({"level": number, "labels": len(np.unique(node[count > 0])), "lost": min(max(lost, 0.0), 1.0)})
    return found
