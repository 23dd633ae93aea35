"""How much a released cell lost, for its colour: the price of its label as a share of that of a suppressed cell, in
tenths.
"""

from __future__ import annotations

import math

from shoal.release.release import Release
from shoal.text.labels import ROOT, read_interval, read_set


class Tints:
    """The labels of one release. A label is looked up when it is first seen."""

    def __init__(self, release: Release) -> None:
        self._nodes: dict[str, dict[str, float]] = {}
        self._n_values: dict[str, int] = {}
        for column in release.problem.columns:
            tree, top = column.tree, float(column.price[column.tree.root]) or 1.0
            inner = range(tree.n_leaves, tree.n_nodes)
            self._nodes[column.name] = (
                {} if column.free else {str(tree.labels[v]): float(column.price[v]) / top for v in reversed(inner)}
            )
            self._n_values[column.name] = tree.n_leaves

    def of(self, name: str, label: str | None) -> int:
        """From 1 to 10; 10 for a cell that is suppressed."""
        if name not in self._nodes or label is None:
            return 0
        share = 1.0 if label == ROOT else self._nodes[name].get(label, self._freely(name, label))
        return min(max(math.ceil(10 * share), 1), 10)

    def _freely(self, name: str, label: str) -> float:
        """A set that is no node: its share of the values; for an interval, of which only the ends are known, a middle
        one.
        """
        members = read_set(label)
        if members is not None:
            return len(members) / max(self._n_values[name], 1)
        return 0.5 if read_interval(label) is not None else 0.3
