"""The colour of a cell: nothing for what is as it was, most for what is hidden, more for what lost more."""

from __future__ import annotations

import polars as pl

import shoal
from shoal.studio.tint import Tints


def test_coarser_labels_are_darker():
    data = pl.DataFrame({"age": [str(20 + i % 60) for i in range(240)], "job": ["a", "b", "c"] * 80})
    release = shoal.anonymize(
        data,
        k=30,
        quasi_identifiers=["age", "job"],
        hierarchies={"age": shoal.intervals(5, 10, 20), "job": shoal.any_subset()},
        algorithm="mondrian",
    )
    tints = Tints(release)
    tree = release.hierarchies["age"].tree
    by_level = {
        int(level): tints.of("age", label) for label, level in zip(tree.labels, tree.level, strict=True) if level
    }
    assert list(by_level.values()) == sorted(by_level.values())
    assert tints.of("age", "*") == tints.of("job", "*") == 10
    assert 1 <= tints.of("job", "{a, b}") < 10
    assert tints.of("age", None) == tints.of("no such column", "x") == 0
